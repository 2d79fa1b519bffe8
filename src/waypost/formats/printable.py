r"""Text from strangers, made safe to look at: what cannot be seen, or moves what can, is shown as an escape.

Every output of waypost shows values of servers and files through here. A terminal obeys control characters, a browser
and an editor obey bidirectional ones, and nobody sees a zero-width one: each becomes its `\x1b`, `\u202e` or
`\U000e0001`. Letters of every script, accents and emoji stay as they are.
"""

__all__ = ["clipped", "is_visible", "log_line", "printable"]

# Drawn as nothing, or as a blank, although Unicode files them under letters, marks and symbols.
_INVISIBLE = frozenset(
    [
        *"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0",
        *map(chr, range(0x180B, 0x1810)),
        *map(chr, range(0xFE00, 0xFE10)),
        *map(chr, range(0xE0100, 0xE01F0)),
    ]
)
_EMOJI_PICTURE = "\ufe0f"
"""The one variation selector that people type, with every second emoji."""


def printable(text: str) -> str:
    """The text with control, bidirectional and invisible characters shown as escapes; always one line."""
    if text.isprintable() and (text.isascii() or _INVISIBLE.isdisjoint(text)):
        return text
    return "".join(c if is_visible(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def is_visible(character: str) -> bool:
    """Whether a character is drawn where it stands, and moves no other."""
    # isprintable() is False for Unicode's "other" (C*) and "separator" (Z*) characters, but for the ASCII blank.
    return character == _EMOJI_PICTURE or (character.isprintable() and character not in _INVISIBLE)


def clipped(text: str, characters_max: int) -> str:
    """The printable text, its middle left out where it is longer than `characters_max`; both ends stay readable."""
    head = characters_max * 2 // 3
    tail = characters_max - head - 1
    if len(text) > characters_max:
        return f"{printable(text[:head])}…{printable(text[-tail:] if tail else '')}"
    return printable(text)


def log_line(text: str, characters_max: int) -> str:
    """The same for a line of a log: escapes count as they are shown, so that nothing comes out longer."""
    return clipped(printable(text), characters_max)
