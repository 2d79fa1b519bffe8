"""The short sitemap namespace changes how fast a document is read, and nothing else."""

import random
from functools import partial

import pytest
from tests.formats.sitemap_mutations import CORE, mutated, told

from waypost.formats import sitemapxml, xmlnotes
from waypost.formats.bounds import Bounds
from waypost.formats.sitemap import read_sitemap
from waypost.formats.xmlshort import SHORT, shorten
from waypost.formats.xmlsource import XmlSource

XHTML = "http://www.w3.org/1999/xhtml"
ENTRY = "<url><loc>https://e.com/a</loc></url>"


def in_full(data):
    """The same reading with the namespace spelled out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sitemapxml, "XmlSource", partial(_in_full))
        return told(data, Bounds(), exact=True)


def _in_full(bind, notes, bounds, **_short):
    return XmlSource(bind, notes, bounds)


@pytest.mark.parametrize(
    ("document", "is_shortened"),
    [
        (f'<urlset xmlns="{CORE}">{ENTRY}</urlset>', True),
        (f"<?xml version='1.0'?><!-- c --><urlset a='b' xmlns = '{CORE}' c=\"d\">{ENTRY}</urlset>", True),
        (f'<s:urlset xmlns:s="{CORE}" xmlns="{CORE}" s:a="b"><s:url><loc>a</loc></s:url></s:urlset>', True),
        (f'<urlset xmlns="{CORE}"><url xmlns="{CORE}"><loc>url</loc></url>{ENTRY}</urlset>', True),
        (f'<urlset xmlns="{CORE}"><x:url xmlns:x="urn:x"/><url xmlns=""><loc>a</loc></url></urlset>', True),
        (f'<urlset xmlns="{CORE}"><url><loc>a</loc><h:link xmlns:h="{XHTML}" xmlns:s="{CORE}" s:a="b"/></url></urlset>', True),
        (f'<urlset xmlns=\r\n \n"{CORE}">\r{ENTRY}</urlset>', True),
        (f'<xmlmap xmlns="{CORE}"/>', True),
        (f'<!DOCTYPE urlset><urlset xmlns="{CORE}">{ENTRY}</urlset>', False),
        (f'<urlset xmlns="{CORE}"a="b">{ENTRY}</urlset>', True),
        (f'<urlset xmlns="{CORE}"\n>{ENTRY}</urlset', True),
        (f'<urlset a=" xmlns=\'{CORE}\'">{ENTRY}</urlset>', False),
        (f'<urlset xmlns="{CORE}" a="&amp;">{ENTRY}</urlset>', False),
        (f'<urlset xmlns="{CORE}" xmlns:b="{SHORT}"><b:url><b:loc>a</b:loc></b:url></urlset>', False),
        ("<urlset>", False),
        ("no tag", False),
    ],
)  # fmt: skip
def test_a_shortened_document_reads_as_if_it_were_not(document, is_shortened):
    data = document.encode()
    start = document.find("<urlset" if "<urlset" in document else "<s:" if "<s:" in document else "<xml")
    piece = shorten(data, 0 if "DOCTYPE" in document else max(0, start))
    assert (piece is not None) == is_shortened
    assert piece is None or len(piece) == len(data)
    assert told(data, Bounds(), exact=True) == in_full(data)


def test_a_document_that_binds_the_short_name_itself_is_refused():
    document = read_sitemap(f'<urlset xmlns="{CORE}">{ENTRY}<b:url xmlns:b="&#127;"/></urlset>'.encode())
    assert document.locs == ["https://e.com/a"]
    assert document.counts == {xmlnotes.NOT_WELL_FORMED: 1}


def test_mutated_documents_read_the_same_in_short_and_in_full():
    for seed in range(2_000):
        data = mutated(random.Random(seed))
        assert told(data, Bounds(), exact=True) == in_full(data), seed
