"""Feeds, OPML and robots.xml on any bytes, in any chunks: no exception, and chunking changes no answer.

The long run by hand, which counts what it tried: `python -m tests.formats.long_run rss 1000000`.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.mutation import PIECES, SEEDS, mutated

from waypost.formats.feednotes import FEED_NOTES
from waypost.formats.feeds import FeedReader, read_feed
from waypost.formats.opml import OPML_NOTES, OpmlReader, read_opml
from waypost.formats.xmlmap import XMLMAP_NOTES, XmlmapReader, read_xmlmap
from waypost.formats.xmlnotes import XML_NOTES

READERS = {
    "feed": (read_feed, FeedReader, FEED_NOTES),
    "opml": (read_opml, OpmlReader, OPML_NOTES),
    "xmlmap": (read_xmlmap, XmlmapReader, XMLMAP_NOTES),
}
DOCUMENTS = st.one_of(
    st.binary(max_size=60),
    st.builds(mutated, st.sampled_from(SEEDS), st.integers(0, 2**64 - 1)),
    st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join),
)


def entries_of(result):
    return next(getattr(result, name) for name in ("entries", "outlines", "services") if hasattr(result, name))


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=300)
@given(data=DOCUMENTS)
def test_no_bytes_raise(name, data):
    read, _, table = READERS[name]
    result = read(data, url="https://e.org/x")
    assert set(result.counts) <= set(table) | set(XML_NOTES)
    assert result.bytes == len(data)
    for note in result.notes:
        assert note.line >= 0
        assert note.column >= 0
        assert len(note.text) <= 200
    if not result.complete:
        assert result.counts
    repr(entries_of(result)).encode()


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=100)
@given(data=DOCUMENTS, cuts=st.lists(st.integers(0, 4_000), max_size=6))
def test_chunks_change_no_answer(name, data, cuts):
    _, reader_type, _ = READERS[name]
    whole, split = reader_type(), reader_type()
    whole.feed(data)
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for start, end in zip(places, [*places[1:], len(data)], strict=True):
        split.feed(data[start:end])
    assert split.close() == whole.close()
