"""Change fields of a RON record and nothing else: comments, order and what we do not know stay as they are."""

from waypost.site.ron import RonError, RonReader

__all__ = ["edit_ron"]

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def edit_ron(text: str, changes: dict[str, object]) -> str:
    """The text with these fields set; None takes a field out. Raises RonError where it is no record of fields.

    >>> edit_ron('(alias: "a", title: Some("T"))', {"alias": "b", "title": None, "tags": ["x"]})
    '(tags: ["x"], alias: "b", )'
    """
    spans, first, end = _fields(text)
    pieces: list[tuple[int, int, str]] = []
    for name, value in changes.items():
        span = spans.get(name)
        if span is None:
            continue
        start, value_start, value_end, after = span
        if value is None:
            pieces.append((start, after, ""))
        else:
            old = text[value_start:value_end].lstrip()
            written = _written(value)
            is_option = old.startswith(("Some", "None"))
            pieces.append((value_start, value_end, f"Some({written})" if is_option else written))
    new = [f"{name}: {_written(value)}," for name, value in changes.items() if value is not None and name not in spans]
    if new:
        # In front: behind the last field a comment may stand.
        is_tall = "\n" in text[first:end]
        pieces.append((first, first, "".join(f"\n    {line}" if is_tall else f"{line} " for line in new)))
    for start, stop, put in sorted(pieces, reverse=True):
        text = text[:start] + put + text[stop:]
    return text


def _fields(text: str) -> tuple[dict[str, tuple[int, int, int, int]], int, int]:
    """Of each field: start, value's start and end, next one's start; and where the record's inside begins and ends."""
    reader = RonReader(text)
    reader.skip_attributes()
    kind, word = reader.token()
    if kind == "name":
        _, word = reader.token()
    if word != "(":
        raise RonError("not a record of fields", 1)
    spans: dict[str, tuple[int, int, int, int]] = {}
    first = reader.at
    while reader.peek() != ")":
        start = reader.at
        _, name = reader.token()
        reader.expect(":")
        reader.skip_blanks()
        value_start = reader.at
        reader.value(1)
        value_end = reader.at
        if reader.peek() != ")":
            reader.expect(",")
            reader.skip_blanks()
        spans[name.removeprefix("r#")] = (start, value_start, value_end, reader.at)
    return spans, first, reader.at


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(map(_character, value)) + '"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return str(value)


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"
