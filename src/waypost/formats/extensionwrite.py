"""Records of the four sitemap extensions, made and written: image, video, news and hreflang alternates.

`make_record` asks for what search engines require. A record that was read is written as it is, complete or not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.errors import WriteError
from waypost.formats.extensions import EXTENSION_NAMESPACES, Extension, Part, Record
from waypost.formats.lastmod import date_text
from waypost.formats.urlproof import require_url
from waypost.formats.xmlwrite import attributes, element_name, escape

__all__ = ["NAMESPACES", "make_record", "record_markup"]

NAMESPACES: dict[Extension, str] = {extension: uri for uri, extension in EXTENSION_NAMESPACES.items()}

_REQUIRED: dict[Extension, tuple[tuple[str, ...], ...]] = {
    Extension.IMAGE: (("loc",),),
    Extension.VIDEO: (("thumbnail_loc",), ("title",), ("description",), ("content_loc", "player_loc")),
    Extension.NEWS: (("publication/name",), ("publication/language",), ("publication_date",), ("title",)),
    Extension.ALTERNATE: (("hreflang",), ("href",)),
}
"""What a record must have: one of each group."""
_XML = "http://www.w3.org/XML/1998/namespace "
_URLS = frozenset({"loc", "thumbnail_loc", "content_loc", "player_loc", "href"})
_DATES = frozenset({"publication_date", "expiration_date"})


def make_record(extension: Extension, values: Mapping[str, str | Sequence[str]]) -> Record:
    """A record from names and values; a value that repeats is a sequence, a nested one has a slash in its name.

    >>> make_record(Extension.IMAGE, {"loc": "https://example.com/a.png"}).value("loc")
    'https://example.com/a.png'
    >>> make_record(Extension.ALTERNATE, {"hreflang": "de", "href": "https://example.com/de/"}).attributes[:2]
    ('rel', 'alternate')
    """
    pairs = [(name, text) for name, given in values.items() for text in ([given] if isinstance(given, str) else given)]
    for group in _REQUIRED[extension]:
        if not any(text for name, text in pairs if name in group):
            raise WriteError(f"{' or '.join(group)} is missing: {extension.name.lower()} needs it")
    for name, text in pairs:
        where = f"{name} of {extension.name.lower()}"
        if name in _URLS:
            require_url(text, where)
        elif name in _DATES:
            date_text(text, where)
    if extension is Extension.ALTERNATE:
        flat = [each for pair in {"rel": "alternate", **dict(pairs)}.items() for each in pair]
        return Record(extension, 0, 0, attributes=tuple(flat))
    return Record(extension, 0, 0, tuple(_nested(pairs)))


def _nested(pairs: Iterable[tuple[str, str]]) -> Iterator[Part]:
    """The parts as a reader gives them: before a nested one stands the one it is in."""
    open_name = ""
    for name, text in pairs:
        outer = name.rpartition("/")[0]
        if outer and outer != open_name:
            yield Part(outer, "", 0, 0)
        open_name = outer
        yield Part(name, text, 0, 0)


def record_markup(record: Record, of: str) -> str:
    """The element of a record, on one line."""
    prefix = record.extension.value
    where = f"{prefix} {of}"
    root = f"{prefix}:{record.extension.element}"
    head = f"{root}{attributes(_pairs(record.attributes), where)}"
    if not record.parts:
        return f"<{head}/>" if record.attributes else f"<{root}></{root}>"
    return f"<{head}>{''.join(_parts_markup(record, where))}</{root}>"


def _parts_markup(record: Record, where: str) -> list[str]:
    """The parts in order; one whose name goes on from the one before stands inside it."""
    prefix = record.extension.value
    out: list[str] = []
    path: list[str] = []
    for part in record.parts:
        *outer, name = part.name.split("/")
        while path and path != outer[: len(path)]:
            out.append(f"</{prefix}:{path.pop()}>")
        for missing in outer[len(path) :]:
            out.append(f"<{element_name(f'{prefix}:{missing}')}>")
            path.append(missing)
        text = escape(part.value, f"{part.name} of {where}").replace("\n", "&#10;")
        out.append(f"<{element_name(f'{prefix}:{name}')}{attributes(_pairs(part.attributes), where)}>{text}")
        path.append(name)
    out += [f"</{prefix}:{name}>" for name in reversed(path)]
    return out


def _pairs(flat: Sequence[str]) -> list[tuple[str, str]]:
    """Attributes as pairs; what is in a namespace that we would have to declare is left out."""
    pairs = zip(flat[::2], flat[1::2], strict=False)
    named = ((name.replace(_XML, "xml:"), value) for name, value in pairs)
    return [(name, value) for name, value in named if " " not in name]
