"""The title a Markdown text gives itself: its first heading of the first level, as plain text."""

import html
import re

__all__ = ["first_heading"]

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}#[ \t]++(.*)$")
_BLANKS = " \t"
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")
_NOT_TEXT = re.compile(r" {0,3}(?:[#>|]|[-+*] |\d{1,9}[.)] |$)| {4}|\t")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_MARKS = re.compile(r"(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1")
_CODE = re.compile(r"(`+)(.+?)\1")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKUP = re.compile(r"[\[*_~`<&\\]")
_TITLE_CHARS_MAX = 300


def first_heading(text: str) -> str:
    r"""The first level-one heading outside code, without its markup; "" where there is none.

    >>> first_heading("Intro\n\n# The *first* `one` #\n")
    'The first one'
    """
    fence = previous = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        if fence:
            closes = found and found[1].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        elif found:
            fence, previous = found[1], ""
        elif heading := _ATX.match(line):
            if title := _plain(_unclosed(heading[1])):
                return title
        elif previous and _UNDERLINE.match(line):
            return _plain(previous)
        else:
            previous = "" if _NOT_TEXT.match(line) else line
    return ""


def _unclosed(text: str) -> str:
    """A heading's line without the `#` that may close it after a blank."""
    text = text.rstrip(_BLANKS)
    inner = text.rstrip("#")
    return inner if inner.rstrip(_BLANKS) != inner or not inner else text


def _plain(text: str) -> str:
    text = text[: 4 * _TITLE_CHARS_MAX]
    if _MARKUP.search(text) is None:
        return " ".join(text.split())[:_TITLE_CHARS_MAX]
    text = _CODE.sub(r"\2", _IMAGE_OR_LINK.sub(r"\1", text))
    for _ in range(3):
        text = _MARKS.sub(r"\2", text)
    text = html.unescape(_ESCAPED.sub(r"\1", _TAG.sub("", text)))
    return " ".join(text.split())[:_TITLE_CHARS_MAX]
