"""What stands in a Markdown text and is not Markdown: shortcodes, template tags, wikilinks, callouts.

Code is left as it was written. Elsewhere each thing becomes Markdown that says the same, or a comment that no reader
sees, and then it is named in the report.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from waypost.site.codeparts import CODE
from waypost.site.importing.plan import Leaf, Plan

__all__ = ["Dialect", "attributes", "opened_code", "rewrite"]

_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>]+))|"([^"]*)"|'([^']*)'|`([^`]*)`|(\S+)""")
_SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True)
class Dialect:
    """One program's additions to Markdown: their form, what each becomes, and what they are called.

    `tag` matches one: its groups are `name` and `rest`, or `output` or `inline` for what has no name. `makes` has a
    function for each name that is understood; it gives Markdown, or None where this use is not understood. Between the
    pair that `raw` names nothing is looked at.
    """

    topic: str
    tag: str
    makes: Mapping[str, Callable[[str, Leaf], str | None]]
    raw: tuple[str, str] = ("", "")
    dropped: tuple[str, str] = ("", "")
    """The pair between which nothing is for readers."""
    code: tuple[str, str] = ("", "")
    """The pair that stands around code: what is between them is left as it is."""
    loop: tuple[str, str] = ("", "")
    """The pair around a loop: what is made of its beginning stands for all of it."""
    is_raw_in_code: bool = False
    """Whether the pair around raw text is taken out of code too."""


def attributes(rest: str) -> tuple[list[str], dict[str, str]]:
    """The words of a tag, those without a name and those with one."""
    words: list[str] = []
    named: dict[str, str] = {}
    for name, double, single, bare, *alone in _ATTRIBUTE.findall(rest[:2_000]):
        if name:
            named[name.lower()] = double or single or bare
        else:
            words.append(next(filter(None, alone), ""))
    return words, named


def opened_code(rest: str, _: Leaf) -> str:
    """The beginning of a block of code in the language that a tag names."""
    words, _named = attributes(rest)
    language = re.sub(r"[^\w+#-]", "", words[0]) if words else ""
    return f"\n```{language}\n"


def rewrite(plan: Plan, leaf: Leaf, dialect: Dialect) -> None:
    """Put Markdown in the place of everything of a dialect in a page."""
    leaf.body = _Rewriting(plan, leaf, dialect).all()


class _Rewriting:
    """One pass over one text."""

    def __init__(self, plan: Plan, leaf: Leaf, dialect: Dialect) -> None:
        self._plan, self._leaf, self._dialect = plan, leaf, dialect
        self._within = ""
        """The tag that ends the raw or dropped text we are in."""
        self._depth = 0
        """How many loops stand open in the one that is dropped."""
        self._ends = {dialect.dropped[1], dialect.loop[1]} - {""}

    def all(self) -> str:
        text, place, pieces = self._leaf.body, 0, []
        for found in re.compile(f"{CODE}|{self._dialect.tag}", re.MULTILINE | re.DOTALL).finditer(text):
            is_dropping = self._within in self._ends
            if not is_dropping:
                pieces.append(text[place : found.start()])
            piece = self._piece(found)
            if not (is_dropping and self._within):
                pieces.append(piece)
            place = found.end()
        done = "".join([*pieces, text[place:]])
        return _without_dead(done) if _UNKNOWN in done else done

    def _piece(self, found: re.Match[str]) -> str:
        if found["fence"] or found["ticks"]:
            return self._code(found)
        said = found.groupdict()
        name = said["name"] or next((kind for kind in ("output", "inline") if said.get(kind) is not None), "")
        if self._within and self._within == self._dialect.loop[1] and self._is_inside(name):
            return ""
        if self._within and name != self._within:
            return self._code(found) if self._within == self._dialect.code[1] else found[0]
        if self._within:
            self._within = ""
            if name != self._dialect.code[1]:
                return ""
        elif name and name == self._dialect.code[0]:
            self._within = self._dialect.code[1]
        for opening, closing in (self._dialect.raw, self._dialect.dropped):
            if opening and name == opening:
                self._within = closing
                self._plan.understood[f"{self._dialect.topic}: {name}"] += 1
                return ""
        make = self._dialect.makes.get(name)
        made = make(said["rest"] or said.get(name) or "", self._leaf) if make else None
        if made is not None:
            self._plan.understood[f"{self._dialect.topic}: {name}".rstrip(": ")] += 1
            if name and name == self._dialect.loop[0]:
                self._within, self._depth = self._dialect.loop[1], 0
            return self._fitted(made, found)
        shown = " ".join(found[0].split())
        shown = shown if len(shown) <= _SHOWN_CHARS else f"{shown[:_SHOWN_CHARS]}…"
        self._plan.miss(self._leaf.source, self._dialect.topic, f"{shown} is hidden from readers", self._line(found))
        text = self._leaf.body
        if _IN_TARGET.search(text[max(0, found.start() - _TARGET_CHARS) : found.start()]):
            return _UNKNOWN
        begins = text[found.start() - 1 : found.start()] in {"", "\n"}
        # A comment that begins a line makes HTML of all of it.
        is_alone = text[found.end() : found.end() + 1] in {"", "\n"}
        return f"<!-- not imported: {_commented(found[0])} -->" if is_alone or not begins else ""

    def _is_inside(self, name: str) -> bool:
        """Whether a tag stands in the loop that is dropped, and does not end it."""
        if name == self._dialect.loop[0]:
            self._depth += 1
        elif name == self._within:
            self._depth -= 1
        return self._depth >= 0

    def _fitted(self, made: str, found: re.Match[str]) -> str:
        """Lines that begin and end where lines begin and end already."""
        text = self._leaf.body
        made = made[1:] if made.startswith("\n") and text[found.start() - 1 : found.start()] in {"", "\n"} else made
        return made[:-1] if made.endswith("\n") and text[found.end() : found.end() + 1] in {"", "\n"} else made

    def _code(self, found: re.Match[str]) -> str:
        code = found[0]
        if self._within and self._within != self._dialect.code[1]:
            return code
        bare = _RAW_TAG.sub("", code) if self._dialect.is_raw_in_code else code
        tag = re.search(self._dialect.tag, code, re.MULTILINE) if bare == code else None
        if tag is not None:
            text = f"{tag[0][:_SHOWN_CHARS]} stands in code and is shown as it is"
            self._plan.miss(self._leaf.source, self._dialect.topic, text, self._line(found))
        return bare

    def _line(self, found: re.Match[str]) -> int:
        return self._leaf.first_line + self._leaf.body.count("\n", 0, found.start())


_UNKNOWN = "\0"
"""Stands in a target that nobody knows until the text is whole."""
_TARGET_CHARS = 400
_IN_TARGET = re.compile(
    r"""(?:\]\([^()\n]*|^[ ]{0,3}\[[^\[\]\n]*\]:[^\n]*|\b(?:href|src)=["'][^"'\n]*)\Z""", re.MULTILINE
)
_DEAD_LINK = re.compile(r"!?\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\([^()\n\0]*\0[^()\n]*\)")
_DEAD_ATTRIBUTE = re.compile(r"""[ ](?:href|src)=(["'])[^"'\n\0]*\0[^"'\n]*\1""")
_DEAD_LINE = re.compile(r"^[ ]{0,3}\[[^\[\]\n]*\]:[^\n\0]*\0[^\n]*\n?", re.MULTILINE)


def _without_dead(text: str) -> str:
    """Links to nobody knows where become their texts."""
    text = _DEAD_ATTRIBUTE.sub("", _DEAD_LINE.sub("", _DEAD_LINK.sub(r"\1", text)))
    return text.replace(_UNKNOWN, "")


_RAW_TAG = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")


def _commented(text: str) -> str:
    return re.sub(r"-(?=-)", "- ", text.replace(">", "&gt;"))
