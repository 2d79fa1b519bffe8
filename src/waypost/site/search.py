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

__all__ = ["Hits", "excerpt", "search", "suggest"]

_QUERY_CHARS_MAX = 200
_TITLE, _START, _PATH, _DESCRIPTION, _TEXT = 12, 6, 5, 4, 1
"""What a word counts where it stands: in the title, at the title's start, in the path, the description, the text."""
_ALIKE = 0.6
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
        score = _score(page, next(texts), words)
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
        yield text.casefold()


def _text(root: PageMetaCache, page: Page) -> str:
    entry = root.catalog.by_key(page.key)
    if entry is None or not entry.access.is_public:
        return ""
    try:
        return root.read_page(entry)[0]
    except (OSError, ContentError):
        return ""


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


def excerpt(root: PageMetaCache, page: Page, query: str) -> list[tuple[str, bool]]:
    """The text around the first word of the question that stands in it, in pieces: which of them are such words."""
    words = re.compile("|".join(map(re.escape, words_of(query))) or r"(?!)", re.IGNORECASE)
    text = " ".join(_MARKUP.sub(_unmarked, _text(root, page)).split()).removeprefix(page.title).lstrip()
    first = words.search(text)
    if first is None:
        return []
    start = max(0, first.start() - EXCERPT_CHARS_MAX // 3)
    start = text.find(" ", start, first.start()) + 1 if start else 0
    end = start + EXCERPT_CHARS_MAX
    end = max(text.rfind(" ", start, end), first.end()) if end < len(text) else len(text)
    pieces, place = [("…", False)] if start else [], start
    for found in words.finditer(text, start, end):
        pieces += [(text[place : found.start()], False), (found[0], True)]
        place = found.end()
    return [*pieces, (text[place:end] + ("…" if end < len(text) else ""), False)]


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
