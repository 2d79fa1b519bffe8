"""Undoing one Content-Encoding layer, a bounded step at a time, whatever the ratio.

The unpacking itself is `formats.inflate`, which a gzip file is opened with too; here a fault ends the answer, because a
body that does not decode as its headers say was not delivered (spec/check.md, point 10).
"""

from collections.abc import Iterator

from waypost.formats.inflate import GZIP_BROKEN, GZIP_MAGIC, GZIP_TRAILING, GZIP_TRUNCATED, Coding, Inflater
from waypost.formats.notes import Notes

__all__ = ["CodingError", "Decoder", "coding_of"]

_CODINGS = {"gzip": Coding.GZIP, "x-gzip": Coding.GZIP, "deflate": Coding.DEFLATE}


class CodingError(Exception):
    """The bytes are not what their Content-Encoding says; the message says how."""


def coding_of(values: tuple[str, ...]) -> Coding | str | None:
    """The one coding that Content-Encoding fields name: None for none; as text what cannot be undone.

    Only one layer is undone, and only a coding that was asked for or that every client knows.
    """
    tokens = [token.strip().lower() for value in values for token in value.split(",")]
    codings = [token for token in tokens if token not in {"", "identity"}]
    if not codings:
        return None
    known = _CODINGS.get(codings[0])
    return known if known is not None and len(codings) == 1 else ", ".join(codings)[:80]


class Decoder:
    """Turns the wire bytes of an answer into its body."""

    def __init__(self, coding: Coding | None, bytes_max: int) -> None:
        self._notes = Notes()
        self._is_gzip = coding is Coding.GZIP
        self._inflater = None if coding is None else Inflater(coding, self._notes, bytes_max)
        self._start = b""

    @property
    def has_trailing(self) -> bool:
        """Whether bytes that belong to no stream follow the coded one; they are left out, as browsers do."""
        return GZIP_TRAILING in self._notes.counts

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The body bytes that these wire bytes give, in steps; the caller may stop between two."""
        self._start = self._start or data[:2]
        if self._inflater is None:
            yield data
            return
        yield from self._inflater.feed(data)
        self._check()

    def finish(self) -> Iterator[bytes]:
        """The end of the wire: what is still to come. An answer without any byte is empty, not broken."""
        if self._inflater is None or not self._start:
            return
        yield from self._inflater.close()
        self._check()

    def _check(self) -> None:
        counts = self._notes.counts
        if GZIP_BROKEN in counts:
            raise CodingError(self._notes.kept[0].text.rpartition(": ")[2])
        if GZIP_TRUNCATED in counts:
            raise CodingError("the stream ends too early")
        if GZIP_TRAILING in counts and self._is_gzip and not GZIP_MAGIC.startswith(self._start):
            raise CodingError("the bytes are no compressed data")
