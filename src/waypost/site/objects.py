"""One object read from the disk: its blob's and its sidecar's facts, before anybody judges them."""

import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from waypost.dates import DateForm, read_w3c
from waypost.limits import (
    DATE_EARLIEST_S,
    DATE_LATEST_S,
    PAGE_BYTES_DEFAULT,
    SIDECAR_BYTES_MAX,
    TITLE_SEARCH_BYTES,
)
from waypost.site.access import DENY, Access
from waypost.site.content import is_short, open_file, regular
from waypost.site.headings import first_heading
from waypost.site.naming import MARKDOWN, guess_mime, path_key
from waypost.site.sidecar import EMPTY, KEYS, SIDECAR_FORMS, Sidecar, Unreadable, over, read_front_matter, read_sidecar

__all__ = ["Entry", "Place", "file_title", "is_orphan", "moment", "read_id_object", "read_path_object"]

EXPLICIT, NOINDEX, DENIED, FRONT = 1, 2, 4, 8
"""Flags of an entry: somebody wrote its alias; it asks not to be indexed; it is denied; it has front matter."""

_HEAD_BYTES = 8_192
_MEDIA_TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+")
_ID_DIGITS = frozenset("0123456789abcdef")


class Entry(msgspec.Struct, gc=False, eq=False):
    """One object: facts from the disk, and how it stands among the others. There may be a million of them."""

    key: bytes
    name: str
    """The blob's path below `content/`; "" for an id object, whose path follows from key and version."""
    version: int
    modified: float
    title: str
    mime: str
    tags: tuple[str, ...]
    roles: tuple[str, ...]
    form: str
    """The sidecar's form; "" without one."""
    flags: int
    said: Sidecar | None
    """Everything its owner said; let go once judged where nothing is in it that is not in the other fields."""
    claim: str = ""
    """The path it wants to be served at, without the slash policy; "" for none."""
    path: str = ""
    """The path it is served at; "" while another object holds its id."""
    access: Access = DENY

    @property
    def blob(self) -> str:
        """The blob's path below `content/`."""
        if self.name:
            return self.name
        digits = self.key.hex()
        return f"{digits[-2:]}/{digits}.{self.version}"

    @property
    def sidecar(self) -> str:
        """The sidecar's path below `content/`; "" without one."""
        return f"{self.blob}.{self.form}" if self.form else ""

    @property
    def is_markdown(self) -> bool:
        """Whether it is a page; everything else is a file."""
        return self.mime == MARKDOWN

    @property
    def sayings(self) -> Sidecar:
        """What its owner said, as far as it is kept: all but what stands in fields of its own."""
        return self.said or EMPTY


@dataclass(slots=True)
class Place:
    """A folder below `content/` with an open descriptor of it, and the moment it is read."""

    folder: str
    descriptor: int
    now: float
    page_bytes_max: int = PAGE_BYTES_DEFAULT
    """A longer Markdown file is withheld."""
    newest: float = 0.0
    """The latest time of change that any file showed."""

    def saw(self, status: os.stat_result) -> None:
        """Remember when a file last changed in any way."""
        self.newest = max(self.newest, status.st_ctime)

    def dated(self, status: os.stat_result) -> float:
        """When a file was modified. A time in the future was given to it at some moment, which every worker can see."""
        return status.st_mtime if status.st_mtime <= self.now else min(status.st_ctime, self.now)

    def moved_at(self) -> float:
        """When the folder's names last changed."""
        return os.fstat(self.descriptor).st_mtime

    def times_of(self, blob: str) -> Iterator[float]:
        """When the files of an object that could not be read last changed."""
        name = blob.rpartition("/")[2]
        yield 0.0
        for file in (name, *(f"{name}.{form}" for form in SIDECAR_FORMS)):
            with suppress(OSError):
                yield os.stat(file, dir_fd=self.descriptor, follow_symlinks=False).st_ctime


_tuples: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}


def shared(words: tuple[str, ...] | None) -> tuple[str, ...]:
    """The same tuple for the same words: a few combinations of tags stand on very many objects."""
    if not words:
        return ()
    if len(_tuples) > 10_000:
        _tuples.clear()
    return _tuples.setdefault(words, words)


def read_id_object(place: Place, digits: str, version: int, forms: str) -> Entry:
    """Read an id object. Raises Unreadable where it has to be withheld, FileNotFoundError where it is gone."""
    blob = f"{digits}.{version}"
    if digits[-2:] != place.folder:
        raise Unreadable(f"in the wrong shard: it belongs into {digits[-2:]}/")
    form = _one_form(forms.split())
    if not form:
        raise Unreadable("an id object needs a sidecar")
    said, status = _sidecar(place, blob, form)
    mark = os.stat(blob, dir_fd=place.descriptor, follow_symlinks=False)
    if not stat.S_ISREG(mark.st_mode):
        raise FileNotFoundError(blob)
    place.saw(status)
    place.saw(mark)
    if said.id is not None and said.id != digits:
        raise Unreadable(f"the sidecar says id {said.id!r}, the name {digits}")
    mime = _mime(said, said.original_filename or "a.md")
    if mime == MARKDOWN:
        _check_length(place, mark)
    title = said.title
    if title is None and mime == MARKDOWN:
        title = first_heading(_text(_blob_head(place, blob)[0])[0])
    return Entry(
        key=bytes.fromhex(digits),
        name="",
        version=version,
        modified=max(place.dated(mark), place.dated(status)),
        title=title or (said.original_filename or ""),
        mime=mime,
        tags=shared(said.tags),
        roles=shared(said.roles),
        form=form,
        flags=_flags(said),
        said=said,
    )


def read_path_object(place: Place, name: str, forms: Sequence[str]) -> Entry:
    """Read a path object. Raises Unreadable where it has to be withheld, FileNotFoundError where it is gone."""
    form = _one_form(forms)
    said, modified, id_file = EMPTY, 0.0, ""
    if form:
        said, status = _sidecar(place, name, form)
        id_file = f"{name}.{form}" if said.id is not None else ""
        modified = place.dated(status)
        place.saw(status)
    relative = f"{place.folder}/{name}" if place.folder else name
    mime = _mime(said, name)
    title, flags = said.title, 0
    if mime == MARKDOWN:
        data, mark = _blob_head(place, name)
        _check_length(place, mark)
        front = read_front_matter(data)
        if front is not None:
            said, flags = over(said, front.sidecar), FRONT
        title = said.title or first_heading(_text(data[front.length if front else 0 :])[0])
    else:
        mark = os.stat(name, dir_fd=place.descriptor, follow_symlinks=False)
        if not stat.S_ISREG(mark.st_mode):
            raise FileNotFoundError(name)
    place.saw(mark)
    return Entry(
        key=_key(said, relative, id_file),
        name=relative,
        version=-1,
        modified=max(place.dated(mark), modified),
        title=title or file_title(name, mime),
        mime=mime,
        tags=shared(said.tags),
        roles=shared(said.roles),
        form=form,
        flags=flags | _flags(said),
        said=said,
    )


def file_title(path: str, mime: str) -> str:
    """The title of an object that has no other: the name of its file, a page's without the extension."""
    name = path.rpartition("/")[2]
    return _text(os.fsencode(name.rpartition(".")[0] or name if mime == MARKDOWN else name))[0]


def is_orphan(place: Place, name: str, form: str, *, has_blob: bool) -> bool:
    """Whether a file with a sidecar's extension is one, with or without its blob, and not a data file of its own.

    Only a JSON file may be data: one whose name has no second extension and whose keys are not all a sidecar's.
    """
    if has_blob or form != "json" or "." in name[: -len(form) - 1]:
        return True
    data, status = _read(place, name, SIDECAR_BYTES_MAX + 1)
    if status.st_size > SIDECAR_BYTES_MAX:
        return False
    try:
        value = msgspec.json.decode(data)
    except (ValueError, RecursionError):
        raise Unreadable("not JSON; it may be a sidecar that is half written") from None
    return isinstance(value, dict) and bool(value) and set(value) <= KEYS


def moment(text: object) -> float | None:
    """A date of a sidecar in seconds since 1970; None for what is no date, or none a calendar can show."""
    if isinstance(text, int | float) and not isinstance(text, bool):
        return float(text) if DATE_EARLIEST_S <= text <= DATE_LATEST_S else None
    reading = read_w3c(text) if isinstance(text, str) else None
    return None if reading is None or reading.form is DateForm.INVALID else reading.timestamp


def _one_form(forms: Sequence[str]) -> str:
    if len(forms) > 1:
        raise Unreadable(f"more than one sidecar beside it: .{' and .'.join(sorted(forms))}")
    return forms[0] if forms else ""


def _sidecar(place: Place, blob: str, form: str) -> tuple[Sidecar, os.stat_result]:
    name = f"{blob}.{form}"
    try:
        data, status = _read(place, name, SIDECAR_BYTES_MAX + 1)
        return read_sidecar(data, form), status
    except FileNotFoundError:
        raise Unreadable("its sidecar went while it was read").at(name) from None
    except OSError as error:
        if is_short(error):
            raise
        raise Unreadable(f"its sidecar cannot be read: {(error.strerror or str(error)).lower()}").at(name) from None
    except Unreadable as fault:
        raise fault.at(name) from None


def _read(place: Place, name: str, bytes_max: int) -> tuple[bytes, os.stat_result]:
    descriptor = open_file(name, place.descriptor)
    try:
        status = regular(descriptor, name)
        return os.read(descriptor, min(status.st_size + 1, bytes_max)), status
    finally:
        os.close(descriptor)


def _blob_head(place: Place, name: str) -> tuple[bytes, os.stat_result]:
    """The beginning of a Markdown file: its front matter whole, and where a title may stand."""
    descriptor = open_file(name, place.descriptor)
    try:
        status = regular(descriptor, name)
        data = os.read(descriptor, _HEAD_BYTES)
        if len(data) == _HEAD_BYTES:
            opened = data.startswith((b"---", b"+++", b"\xef\xbb\xbf"))
            most = 2 * SIDECAR_BYTES_MAX if opened else TITLE_SEARCH_BYTES
            data += os.read(descriptor, most - _HEAD_BYTES)
        return data, status
    finally:
        os.close(descriptor)


def _check_length(place: Place, status: os.stat_result) -> None:
    if status.st_size > place.page_bytes_max:
        raise Unreadable(f"longer than {place.page_bytes_max:,} bytes, the most that is rendered")


def _text(data: bytes) -> tuple[str, bool]:
    """Text for people: bytes that are not UTF-8 are shown as replaced, and whether there were any."""
    try:
        return data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", "replace"), False


def _mime(said: Sidecar, name: str) -> str:
    kind = said.mime or guess_mime(name)
    if kind is MARKDOWN:
        return kind
    kind = kind.partition(";")[0].strip().lower()
    # A list of types would be one thing to whoever asks what may be shown here, and another to a browser.
    return sys.intern(kind) if _MEDIA_TYPE.fullmatch(kind) else "application/octet-stream"


def _key(said: Sidecar, relative: str, id_file: str) -> bytes:
    if said.id is None:
        return path_key(relative)
    if len(said.id) != 16 or not _ID_DIGITS.issuperset(said.id):
        raise Unreadable(f"id is 16 lower-case hexadecimal digits, not {said.id[:40]!r}").at(id_file)
    return bytes.fromhex(said.id)


def _flags(said: Sidecar) -> int:
    denied = said.access == "deny" or said.draft
    return (DENIED if denied else 0) | (NOINDEX if said.noindex else 0)
