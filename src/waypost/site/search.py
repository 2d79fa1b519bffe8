"""Search over the public pages, made anew for each question from the table and the files: no index to go stale."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from waypost.errors import ContentError
from waypost.limits import (
    EXCERPT_CHARS_MAX,
    SEARCH_BYTES_MAX,
    SEARCH_FILES_MAX,
    SEARCH_RESULTS_MAX,
    SEARCH_WORDS_MAX,
    SUGGESTION_CANDIDATES_MAX,
    SUGGESTIONS_MAX,
)
from waypost.publish.page import Page
from waypost.site.cache import PageMetaCache

__all__ = ["Hits", "excerpts", "search", "suggest"]

_QUERY_CHARS_MAX = 200
_TITLE, _START, _PATH, _DESCRIPTION, _TEXT = 12, 6, 5, 4, 1
"""What a word counts where it stands: in the title, at the title's start, in the path, the description, the text."""
_ALIKE = 0.6
_LOOKS_MAX, _AROUND_CHARS = 8, 2_000
"""Of how many words of a text an excerpt is tried, and how much around each is read as Markdown."""
_MARKUP = re.compile(
    r"\]\([^()\s]*+(?:[ \t]+\"[^\"\n]*+\")?\)|^[ \t]*+[|:=-][|:= \t-]*+$|^ {0,3}(?:#{1,6} |>|```\S*+|~~~\S*+)"
    r"|^[ \t]*+(?:[-+*]|\d{1,9}[.)]) (?:\[[ xX]\] )?|\[\^[^\]\n]{1,99}\]:?|~~|!(?=\[)|[*`|\[\]]|<[^<>]{0,200}+>",
    re.MULTILINE,
)
"""What only formats: enough to read a line of Markdown as a line of text."""
_BETWEEN = ("|", ":", "=", "-", ">", "```", "~~~", "<br", "<p", "<div", "<li", "<t")


@dataclass(frozen=True, slots=True)
class Hits:
    """The pages a question found, best first, and how many there are in all."""

    pages: Sequence[Page]
    total: int


def words_of(query: str) -> list[str]:
    """The words of a question, folded, without repeats."""
    return list(dict.fromkeys(query[:_QUERY_CHARS_MAX].casefold().split()))[:SEARCH_WORDS_MAX]


def search(root: PageMetaCache, query: str) -> Hits:
    """Public pages that have every word of the question; takes a while on a large root, so call it in a thread."""
    words = words_of(query)
    if not words:
        return Hits((), 0)
    with root.lock:
        pages = [page for run in root.table().runs for page in run.pages]
    found = []
    texts = _texts(root, pages)
    for page in pages:
        score = _score(page, next(texts).casefold(), words)
        if score:
            found.append((-score, page.path, page))
    found.sort(key=lambda hit: hit[:2])
    return Hits([page for _, _, page in found[:SEARCH_RESULTS_MAX]], len(found))


def _texts(root: PageMetaCache, pages: Sequence[Page]) -> Iterator[str]:
    """The text of each page in turn while the budget lasts, then nothing for each."""
    left = SEARCH_BYTES_MAX
    for place, page in enumerate(pages):
        text = _text(root, page) if place < SEARCH_FILES_MAX and left > 0 else ""
        left -= len(text)
        yield text


def _text(root: PageMetaCache, page: Page) -> str:
    entry = root.catalog.by_key(page.key)
    if entry is None or not entry.access.is_public:
        return ""
    try:
        text = root.read_page(entry)[0]
    except (OSError, ContentError):
        return ""
    return text if root.stands(entry) else ""


def _score(page: Page, text: str, words: Sequence[str]) -> int:
    """How well a page answers; 0 where a word stands nowhere in it."""
    title, path, description = page.title.casefold(), page.path.casefold(), page.description.casefold()
    total = 0
    for word in words:
        score = _TITLE * (word in title) + _START * title.startswith(word) + _PATH * (word in path)
        score += _DESCRIPTION * (word in description) + _TEXT * min(text.count(word), 3)
        if not score:
            return 0
        total += score
    return total


def _unmarked(found: re.Match[str]) -> str:
    """What is left of a mark: a blank of those that stand between words, nothing of those that stand around them."""
    mark = found[0]
    return " " if mark[-1:].isspace() or mark.lstrip().startswith(_BETWEEN) else ""


def excerpts(root: PageMetaCache, pages: Sequence[Page], query: str) -> Iterator[list[tuple[str, bool]]]:
    """Of each page the text around the first word of the question in it, in pieces: which of them are such words."""
    words = re.compile("|".join(map(re.escape, words_of(query))) or r"(?!)", re.IGNORECASE)
    for page, text in zip(pages, _texts(root, pages), strict=True):
        yield _excerpt(text, page.title, words)


def _excerpt(text: str, title: str, words: re.Pattern[str]) -> list[tuple[str, bool]]:
    place = 0
    for _ in range(_LOOKS_MAX):
        found = words.search(text, place)
        if found is None:
            break
        start, place = max(0, found.start() - _AROUND_CHARS), found.end() + _AROUND_CHARS
        plain = " ".join(_MARKUP.sub(_unmarked, text[start:place]).split())
        plain = plain if start else plain.removeprefix(title).lstrip()
        first = words.search(plain)
        if first is not None:
            return _pieces(plain, first, words, goes_on=(start > 0, place < len(text)))
    return []


def _pieces(
    text: str, first: re.Match[str], words: re.Pattern[str], *, goes_on: tuple[bool, bool]
) -> list[tuple[str, bool]]:
    """The words around one that was found; `goes_on`: whether there is more of the page before and after the text."""
    start = max(0, first.start() - EXCERPT_CHARS_MAX // 3)
    start = text.find(" ", start, first.start()) + 1 if start else 0
    end = start + EXCERPT_CHARS_MAX
    end = max(text.rfind(" ", start, end), first.end()) if end < len(text) else len(text)
    pieces, place = [("…", False)] if start or goes_on[0] else [], start
    for found in words.finditer(text, start, end):
        pieces += [(text[place : found.start()], False), (found[0], True)]
        place = found.end()
    return [*pieces, (text[place:end] + ("…" if end < len(text) or goes_on[1] else ""), False)]


def suggest(root: PageMetaCache, path: str) -> list[Page]:
    """Public pages whose path is like one that names nothing; the same whether something hidden is there or not."""
    wanted = path.rstrip("/").casefold()
    if not wanted or wanted.startswith("/id/"):
        return []
    with root.lock:
        candidates = list(_near(root, wanted))
    ranked = []
    for page in candidates:
        matcher = SequenceMatcher(None, wanted, page.path.rstrip("/").casefold(), autojunk=False)
        if matcher.real_quick_ratio() > _ALIKE and matcher.quick_ratio() > _ALIKE:
            ranked.append((-matcher.ratio(), page.path, page))
    return [page for score, _, page in sorted(ranked, key=lambda hit: hit[:2]) if -score > _ALIKE][:SUGGESTIONS_MAX]


def _near(root: PageMetaCache, wanted: str) -> Iterator[Page]:
    """Pages around the place where the path would stand, in the table's order."""
    from_each = max(4, SUGGESTION_CANDIDATES_MAX // len(root.catalog.table.runs))
    for run in root.catalog.table.runs[:SUGGESTION_CANDIDATES_MAX]:
        place = run.place_of(wanted)
        yield from run.pages[max(0, place - from_each // 2) : place + from_each // 2]
