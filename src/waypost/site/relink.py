"""Relative links of a page that moves to another folder, written anew so that they name what they named before."""

import re
from posixpath import relpath
from urllib.parse import quote

import msgspec

from waypost.formats.markup import unescape
from waypost.limits import MARKDOWN_CHARS_MAX
from waypost.site.cache import PageMetaCache
from waypost.site.codeparts import CODE
from waypost.site.links import named_by, split_target
from waypost.site.markdown import link_targets, render
from waypost.site.objects import Entry

__all__ = ["lost_links", "relinked", "relinked_images"]

_SAFE = "/!$&'*+,;=:@~"
_PLACES = re.compile(
    CODE + r"|(?P<before>\]\([ \t]*|^ {0,3}\[[^\]\n]{1,999}\]:[ \t]*|<[A-Za-z][^<>]*?\s(?:href|src)[ \t]*=[ \t]*)"
    r"(?:<(?P<angled>[^<>\n]*)>|\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<plain>[^\s()<>\"']+))",
    re.MULTILINE | re.DOTALL,
)


def relinked(cache: PageMetaCache, entry: Entry, text: str, name: str) -> tuple[str, list[str]]:
    """A page's text as it has to be in the file `name`, and the links that could not be kept.

    The rewritten text is formatted and compared with the old one: either every link names what it named and nothing
    else in the page is another, or the text stays as it was.
    """
    if len(text) > MARKDOWN_CHARS_MAX:
        return text, []  # it is shown as the text it is, without links
    moved = msgspec.structs.replace(entry, name=name, version=-1)
    written = _PLACES.sub(lambda found: _place(cache, entry, found, name), text)
    before = render(text, lambda target: _meant(cache, entry, entry, target, entry.blob))
    after = render(written, lambda target: _meant(cache, moved, entry, target, name))
    return (written, []) if before == after else (text, lost_links(cache, entry, text, name))


def lost_links(cache: PageMetaCache, entry: Entry, text: str, name: str) -> list[str]:
    """The links of a page's text that would name something else if the text stood in the file `name`."""
    moved = msgspec.structs.replace(entry, name=name, version=-1)
    return [
        target
        for target in dict.fromkeys(link_targets(text))
        if _meant(cache, entry, entry, target, entry.blob) not in {None, _meant(cache, moved, entry, target, name)}
    ]


def relinked_images(cache: PageMetaCache, entry: Entry, name: str) -> list[str] | None:
    """The images a page declares, as they have to be declared from the file `name`; None where nothing changes."""
    images = list(entry.sayings.images)
    found = [cache.catalog.target(entry, image) if split_target(image) else None for image in images]
    new = [
        _relative(target, name) if target and target.name else image
        for image, target in zip(images, found, strict=True)
    ]
    return new if new != images else None


def _meant(cache: PageMetaCache, page: Entry, entry: Entry, target: str, name: str) -> str | None:
    """What a target names from a page, in a word that is the same before and after `entry` moved to `name`."""
    parts = split_target(target)
    if parts is None:
        return None
    found = named_by(cache, page, target)
    if found is entry or (found is None and parts[0].rstrip("/") == name.rpartition("/")[2]):
        return f"itself{parts[1]}"
    return f"{found.key.hex()}{parts[1]}" if found is not None else None


def _place(cache: PageMetaCache, entry: Entry, found: re.Match[str], name: str) -> str:
    kind = next((kind for kind in ("angled", "double", "single", "plain") if found[kind] is not None), "")
    if not kind:
        return found[0]
    target = unescape(found[kind])
    parts = split_target(target)
    if parts is None or target.startswith("/"):
        return found[0]
    meant = named_by(cache, entry, target)
    if meant is None:
        return found[0]
    path = name.rpartition("/")[2] if meant is entry else _relative(meant, name)
    start, end = {"angled": "<>", "double": '""', "single": "''", "plain": ("", "")}[kind]
    shown = quote(path, safe=_SAFE) + parts[1]
    return found["before"] + start + (shown.replace("&", "&amp;") if kind in {"double", "single"} else shown) + end


def _relative(target: Entry, name: str) -> str:
    if not target.name:
        return target.path
    return relpath(target.name, name.rpartition("/")[0] or ".")
