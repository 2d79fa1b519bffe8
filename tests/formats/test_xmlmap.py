"""robots.xml: every service, every fact noted with its place, and back again."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.dates import DateForm
from waypost.errors import WriteError
from waypost.formats import xmlmap as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.xmlmap import (
    SCHEMA,
    Service,
    XmlmapReader,
    is_namespace,
    read_lastmod,
    read_xmlmap,
    write_xmlmap,
)
from waypost.formats.xmlnotes import XML_NOTES

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
ATOM = "http://www.w3.org/2005/Atom"
SAMPLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<xmlmap xmlns="{NS}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
        xsi:schemaLocation="{NS} {SCHEMA}">
  <url>
    <loc>http://example.com/sitemap.xml</loc>
    <namespace>{NS}</namespace>
    <lastmod>200910111110</lastmod>
  </url>
  <url><loc>http://other.example.com/tv.tar.gz</loc><namespace>urn:tva:metadata:2005</namespace></url>
</xmlmap>"""


def read(text: str, **more):
    return read_xmlmap(text.encode(), **more)


def document(entry: str, root: str = f'xmlns="{NS}"', location: bool = True) -> str:
    schema = (
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="{NS} {SCHEMA}"' if location else ""
    )
    return f"<xmlmap {root} {schema}>{entry}</xmlmap>"


def url(loc="<loc>https://e.org/f</loc>", namespace=f"<namespace>{ATOM}</namespace>", more="") -> str:
    return f"<url>{loc}{namespace}{more}</url>"


def test_spec_the_proposals_own_sample():
    found = read(SAMPLE)
    assert found.services == (
        Service("http://example.com/sitemap.xml", NS, "200910111110", 4, 3),
        Service("http://other.example.com/tv.tar.gz", "urn:tva:metadata:2005", None, 9, 3),
    )
    assert (found.is_xmlmap, found.complete, found.service_count) == (True, True, 2)
    assert found.schema_location == f"{NS} {SCHEMA}"
    assert found.root == f"{NS} xmlmap"
    (note,) = found.notes
    assert (note.kind, note.line, note.column, note.entry) == (kinds.LASTMOD_COMPACT, 7, 5, 1)
    assert note.text == "2009-10-11T11:10:00Z"


@pytest.mark.parametrize(
    ("text", "form", "timestamp"),
    [
        ("200910111110", DateForm.TOLERATED, 1255259400),
        ("2009-10-11T11:10Z", DateForm.EXACT, 1255259400),
        ("2009-10-11", DateForm.EXACT, 1255219200),
        ("200913111110", DateForm.INVALID, None),
        ("200910111160", DateForm.INVALID, None),
        ("999912312400", DateForm.INVALID, None),
        ("20091011", DateForm.INVALID, None),
        ("20091011111000", DateForm.INVALID, None),
        ("", DateForm.INVALID, None),
    ],
)
def test_dates_of_services(text, form, timestamp):
    reading = read_lastmod(text)
    assert (reading.form, reading.timestamp) == (form, timestamp)


@pytest.mark.parametrize(
    "text", [NS, "urn:tva:metadata:2005", "urn:x:y", "tag:e.org,2026:x", "https://jsonfeed.org/version/1.1"]
)
def test_a_namespace_is_a_uri_or_a_urn(text):
    assert is_namespace(text)


@pytest.mark.parametrize(
    "text", ["", "atom", "/x", "www.e.org", "urn:", "urn:x", "http:", "a b:c", "http://e.org/ x", "urn:é:x"]
)
def test_a_namespace_is_nothing_else(text):
    assert not is_namespace(text)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (document(url()), {}),
        (document(url(more="<lastmod>2026-01-20</lastmod>")), {}),
        (document(url(more="<lastmod>2026-01-20 10:00</lastmod>")), {kinds.LASTMOD_INVALID: 1}),
        (document(url(more="<lastmod>200913111110</lastmod>")), {kinds.LASTMOD_INVALID: 1}),
        (document(url(more="<lastmod/>")), {kinds.LASTMOD_INVALID: 1}),
        (document(url(loc="")), {kinds.LOC_MISSING: 1}),
        (document(url(loc="<loc> </loc>")), {kinds.LOC_MISSING: 1}),
        (document(url(loc="<loc>/f</loc>")), {kinds.LOC_RELATIVE: 1}),
        (document(url(namespace="")), {kinds.SERVICE_NAMESPACE_MISSING: 1}),
        (document(url(namespace="<namespace>atom</namespace>")), {kinds.SERVICE_NAMESPACE_BAD: 1}),
        (document(url() + url()), {kinds.SERVICE_REPEATED: 1}),
        (document(url() + url(namespace="<namespace>urn:x:y</namespace>")), {}),
        (document(url(more="<loc>https://e.org/2</loc>")), {kinds.FIELD_REPEATED: 1}),
        (document(url(more="<priority>1</priority><x xmlns='urn:x'/>")), {kinds.ELEMENT_UNKNOWN: 1}),
        (document("<sitemap/><x xmlns='urn:x'/>" + url()), {kinds.ELEMENT_UNKNOWN: 1}),
        (document(url(), root=""), {kinds.NAMESPACE_UNUSUAL: 1}),
        (document(url(), root='xmlns="urn:x"'), {kinds.NAMESPACE_UNUSUAL: 1}),
        (document(url(), location=False), {kinds.SCHEMA_LOCATION_MISSING: 1}),
        (document(url()).replace(SCHEMA, "x.xsd"), {kinds.SCHEMA_LOCATION_MISSING: 1}),
        (document(url()).replace("xmlmap", "urlset"), {kinds.ROOT_UNKNOWN: 1}),
        ("<html><body/></html>", {kinds.ROOT_UNKNOWN: 1}),
        (document(url())[:-9], {"truncated": 1}),
    ],
)
def test_what_is_noted(text, counts):
    assert read(text).counts == counts


def test_what_is_no_xmlmap_has_no_services():
    found = read(document(url()).replace("xmlmap", "urlset"))
    assert (found.services, found.is_xmlmap) == ((), False)


def test_services_over_the_limit_are_counted():
    found = read(document(url() * 4), limits=Bounds(urls_max=2))
    assert (len(found.services), found.service_count) == (2, 4)
    assert found.counts == {kinds.SERVICE_REPEATED: 3, kinds.TOO_MANY_SERVICES: 1}
    many = "".join(url(loc=f"<loc>https://e.org/{number}</loc>") for number in range(4))
    assert read(document(many), limits=Bounds(urls_max=2)).counts == {kinds.TOO_MANY_SERVICES: 1}
    assert not read(SAMPLE, limits=Bounds(bytes_max=400)).complete


def test_chunks_change_nothing():
    data = SAMPLE.encode()
    for size in (1, 13):
        reader = XmlmapReader(url="https://e.org/robots.xml")
        for start in range(0, len(data), size):
            reader.feed(data[start : start + size])
        assert reader.close() == read_xmlmap(data, url="https://e.org/robots.xml")


def test_every_kind_that_is_noted_is_in_the_table():
    names = {
        value
        for name, value in vars(kinds).items()
        if name.isupper() and name not in ("SCHEMA", "SITEMAP_NAMESPACE") and isinstance(value, str)
    }
    assert {name for name in names if not name.startswith("http")} == set(kinds.XMLMAP_NOTES)
    assert not set(kinds.XMLMAP_NOTES) & set(XML_NOTES)


def test_spec_writers_emit_the_schema_location_and_w3c_dates():
    data = write_xmlmap([Service("https://e.org/sitemap.xml", NS, "200910111110"), Service("https://e.org/f", ATOM)])
    found = read_xmlmap(data)
    assert found.counts == {}
    assert found.services[0].lastmod == "2009-10-11T11:10:00Z"
    assert found.schema_location == f"{NS} {SCHEMA}"
    assert data == write_xmlmap(found.services)


def test_write_refuses_what_robots_xml_does_not_allow():
    good = Service("https://e.org/", ATOM)
    for service, why in [
        (Service(None, ATOM), "loc of service 2 '' is empty"),
        (Service("/f", ATOM), "loc of service 2 '/f' is relative"),
        (Service("https://e.org/1"), "namespace of service 2 '' is neither"),
        (Service("https://e.org/1", "atom"), "namespace of service 2 'atom' is neither"),
        (Service("https://e.org/1", ATOM, "yesterday"), "lastmod of service 2 'yesterday' is not a W3C date"),
        (Service("https://e.org/1", ATOM, "200913111110"), "lastmod of service 2 .* is not a W3C date"),
        (Service("https://e.org/\0", ATOM), r"U\+0000"),
    ]:
        with pytest.raises(WriteError, match=why):
            write_xmlmap([good, service])
    with pytest.raises(WriteError, match="50,000 services at most"):
        write_xmlmap(Service(f"https://e.org/{number}", ATOM) for number in range(50_001))


URLS = st.sampled_from(["https://e.org/a?b&c", "http://e.org/'\"<", "https://ü.example/"])
NAMESPACES = st.sampled_from([NS, ATOM, "urn:tva:metadata:2005", "urn:x:&'\""])
DATES = st.sampled_from([None, "2026-01-20", "2026-01-20T10:00:00Z"])


@given(st.lists(st.builds(Service, URLS, NAMESPACES, DATES, st.just(0), st.just(0)), max_size=5))
def test_what_is_written_reads_back(services):
    found = read_xmlmap(write_xmlmap(services))
    once = {}
    for service in services:
        once.setdefault((service.loc, service.namespace), service)
    assert [service._replace(line=0, column=0) for service in found.services] == list(once.values())
    assert found.counts == {}


def test_write_takes_any_kind_of_date():
    moment = datetime(2026, 1, 20, 10, tzinfo=UTC)
    for value in (moment, moment.timestamp(), "2026-01-20T10:00:00Z"):
        assert b"<lastmod>2026-01-20T10:00:00Z</lastmod>" in write_xmlmap([Service("https://e.org/", ATOM, value)])
    assert b"<lastmod>1970-01-01T00:00:00Z</lastmod>" in write_xmlmap([Service("https://e.org/", ATOM, "197001010000")])
    assert b"lastmod" not in write_xmlmap([Service("https://e.org/", ATOM, "")])
