"""robots.xml, the proposed index of the machine-readable things a site offers: read and written.

The root is `xmlmap` in the sitemap namespace; each `url` has a `loc`, the `namespace` that says what it is, and maybe a
`lastmod`. The proposal's own sample spells a date `200910111110`: that is read, and never written.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from waypost.dates import DateForm, DateReading, read_w3c, write_w3c
from waypost.errors import WriteError
from waypost.formats.bounds import DEFAULT, Bounds
from waypost.formats.lastmod import Lastmod, date_text
from waypost.formats.notes import Note, Notes
from waypost.formats.octets import Octets, octets
from waypost.formats.urlproof import require_url
from waypost.formats.xmlread import XmlFeeder
from waypost.formats.xmlshort import SITEMAP_NAMESPACE
from waypost.formats.xmlsource import XmlOutcome
from waypost.formats.xmltree import TOO_MANY_ELEMENTS, TOO_MANY_PIECES, Element, TreeReader
from waypost.formats.xmlwrite import XmlWriter, shown
from waypost.limits import SITEMAP_URLS_MAX
from waypost.urls import is_absolute

__all__ = [
    "SCHEMA", "XMLMAP_NOTES", "Service", "Xmlmap", "XmlmapReader", "is_namespace", "read_lastmod", "read_xmlmap",
    "write_xmlmap",
]  # fmt: skip

SCHEMA = "http://xml.robotsxml.org/schemas/xmlmap/0.1/xmlmap.xsd"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"

ROOT_UNKNOWN = "root-unknown"
NAMESPACE_UNUSUAL = "namespace-unusual"
SCHEMA_LOCATION_MISSING = "schema-location-missing"
LOC_MISSING = "loc-missing"
LOC_RELATIVE = "loc-relative"
SERVICE_NAMESPACE_MISSING = "service-namespace-missing"
SERVICE_NAMESPACE_BAD = "service-namespace-bad"
LASTMOD_COMPACT = "lastmod-compact"
LASTMOD_INVALID = "lastmod-invalid"
FIELD_REPEATED = "field-repeated"
ELEMENT_UNKNOWN = "element-unknown"
SERVICE_REPEATED = "service-repeated"
TOO_MANY_SERVICES = "too-many-services"

XMLMAP_NOTES: dict[str, str] = {
    ROOT_UNKNOWN: "the root element is not xmlmap",
    NAMESPACE_UNUSUAL: "the root is not in the sitemap namespace; the text is the one it is in",
    SCHEMA_LOCATION_MISSING: "the root has no schemaLocation that names the proposal's schema",
    LOC_MISSING: "an entry has no loc, or an empty one",
    LOC_RELATIVE: "a loc is no absolute http(s) URL",
    SERVICE_NAMESPACE_MISSING: "an entry does not say what it is: no namespace, or an empty one",
    SERVICE_NAMESPACE_BAD: "a namespace is neither an absolute URI nor a URN",
    LASTMOD_COMPACT: "a date is of the proposal's twelve-digit form; the text is the W3C spelling",
    LASTMOD_INVALID: "a date is no W3C date, nor of the twelve-digit form",
    FIELD_REPEATED: "something that stands once in an entry stands more often; the first counts",
    ELEMENT_UNKNOWN: "an element that robots.xml does not have; it was passed over",
    SERVICE_REPEATED: "an entry has the loc and the namespace of an earlier one",
    TOO_MANY_ELEMENTS: "more elements than are read; reading ended there",
    TOO_MANY_PIECES: "more elements inside one entry than are kept",
    TOO_MANY_SERVICES: "more entries than are kept; the rest were counted only",
}
"""Every kind of note the reader makes beside those on the XML as such, with its meaning in a line."""

_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)", re.ASCII)
_NAMESPACE_NAME = re.compile(r"(?!urn:)[A-Za-z][A-Za-z0-9+.-]*:[!-~]+|urn:[A-Za-z0-9][A-Za-z0-9-]*:[!-~]+", re.ASCII)
_FIELDS = ("loc", "namespace", "lastmod")


class Service(NamedTuple):
    """One thing a site offers; values as written, None is absent, "" is empty."""

    loc: str | None
    namespace: str | None = None
    lastmod: Lastmod = None
    """As written when it was read; a writer also takes what it takes for a sitemap."""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Xmlmap:
    """One robots.xml as it was read. Nothing in it is judged."""

    services: tuple[Service, ...] = ()
    notes: tuple[Note, ...] = ()
    counts: Mapping[str, int] | None = None
    complete: bool = True
    service_count: int = 0
    """All entries, also those that were too many to keep."""
    encoding: str = "utf-8"
    bytes: int = 0
    url: str | None = None
    root: str = ""
    """The root element, "namespace name"; empty where there is none."""
    schema_location: str = ""
    xml: XmlOutcome | None = None

    @property
    def is_xmlmap(self) -> bool:
        """Whether it is a robots.xml at all."""
        return self.root.rpartition(" ")[2] == "xmlmap"


def read_lastmod(text: str) -> DateReading:
    """Read the date of a service: a W3C date, or the proposal's twelve digits, in UTC and tolerated.

    >>> read_lastmod("200910111110").why
    'write 2009-10-11T11:10:00Z'
    """
    reading = read_w3c(text)
    compact = _COMPACT.fullmatch(text)
    if reading.form is DateForm.INVALID and compact:
        year, month, day, hour, minute = compact.groups()
        longer = read_w3c(f"{year}-{month}-{day}T{hour}:{minute}Z")
        if longer.timestamp is not None:
            return DateReading(DateForm.TOLERATED, longer.timestamp, f"write {write_w3c(longer.timestamp)}")
    return reading


def is_namespace(text: str) -> bool:
    """Whether a text is an absolute URI or a URN, as a namespace has to be."""
    return _NAMESPACE_NAME.fullmatch(text) is not None


class XmlmapReader:
    """The streaming reader: bytes in any chunks, an `Xmlmap` at the end."""

    def __init__(self, *, url: str | None = None, limits: Bounds = DEFAULT) -> None:
        self._notes = Notes()
        self._url = url
        self._services: list[Service] = []
        self._seen: set[tuple[str | None, str | None]] = set()
        self._count = 0
        self._services_max = limits.urls_max
        self._root = Element("", {}, 0, 0)
        tree = TreeReader(lambda _outer, _element: False, self._opened, self._taken, self._notes, url)
        self._feeder = XmlFeeder(tree, notes=self._notes, bounds=limits)

    def feed(self, data: bytes) -> None:
        """Take the next bytes, any number of them."""
        self._feeder.feed(data)

    def close(self) -> Xmlmap:
        """The end of the bytes: the map as far as it could be read."""
        outcome = self._feeder.close()
        return Xmlmap(
            services=tuple(self._services),
            notes=self._notes.freeze(),
            counts=dict(self._notes.counts),
            complete=outcome.complete and not outcome.cut,
            service_count=self._count,
            encoding=outcome.encoding,
            bytes=outcome.bytes,
            url=self._url,
            root=outcome.root,
            schema_location=self._root.get(f"{_XSI} schemaLocation") or "",
            xml=outcome,
        )

    def _opened(self, root: Element) -> None:
        self._root = root
        if root.local != "xmlmap":
            self._note(ROOT_UNKNOWN, root, root.name)
            return
        if root.namespace != SITEMAP_NAMESPACE:
            self._note(NAMESPACE_UNUSUAL, root, root.namespace)
        if SCHEMA not in (root.get(f"{_XSI} schemaLocation") or "").split():
            self._note(SCHEMA_LOCATION_MISSING, root, SCHEMA)

    def _note(self, kind: str, element: Element, text: str, entry: int = 0) -> None:
        self._notes.add(kind, element.line, text, element.column, entry)

    def _taken(self, root: Element, child: Element) -> None:
        if root.local != "xmlmap":
            return
        if child.local != "url" or not self._is_ours(child):
            if self._is_ours(child):
                self._note(ELEMENT_UNKNOWN, child, child.local)
            return
        self._count += 1
        service = self._service(child, self._fields(child))
        if self._count <= self._services_max:
            self._services.append(service)
        elif self._count == self._services_max + 1:
            self._note(TOO_MANY_SERVICES, child, f"more than {self._services_max:,} entries")

    def _is_ours(self, element: Element) -> bool:
        return element.namespace in (SITEMAP_NAMESPACE, self._root.namespace)

    def _fields(self, url: Element) -> dict[str, Element]:
        fields: dict[str, Element] = {}
        for child in url.children:
            if not self._is_ours(child):
                continue
            if child.local not in _FIELDS:
                self._note(ELEMENT_UNKNOWN, child, child.local, self._count)
            elif child.local in fields:
                self._note(FIELD_REPEATED, child, child.local, self._count)
            else:
                fields[child.local] = child
        return fields

    def _service(self, url: Element, fields: dict[str, Element]) -> Service:
        texts = {name: element.text for name, element in fields.items()}
        loc, namespace, lastmod = (texts.get(name) for name in _FIELDS)
        at = self._count
        if not loc:
            self._note(LOC_MISSING, url, "no loc", at)
        elif not is_absolute(loc):
            self._note(LOC_RELATIVE, fields["loc"], loc, at)
        if not namespace:
            self._note(SERVICE_NAMESPACE_MISSING, url, "no namespace", at)
        elif not is_namespace(namespace):
            self._note(SERVICE_NAMESPACE_BAD, fields["namespace"], namespace, at)
        if lastmod is not None:
            self._date(lastmod, fields["lastmod"])
        if loc and (loc, namespace) in self._seen:
            self._note(SERVICE_REPEATED, url, loc, at)
        elif self._count <= self._services_max:
            self._seen.add((loc, namespace))
        return Service(loc, namespace, lastmod, url.line, url.column)

    def _date(self, text: str, element: Element) -> None:
        reading = read_lastmod(text)
        if _COMPACT.fullmatch(text) and reading.timestamp is not None:
            self._note(LASTMOD_COMPACT, element, write_w3c(reading.timestamp), self._count)
        elif reading.form is not DateForm.EXACT:
            self._note(LASTMOD_INVALID, element, f"{text}: {reading.why}", self._count)


def read_xmlmap(data: Octets, *, url: str | None = None, limits: Bounds = DEFAULT) -> Xmlmap:
    """Read a robots.xml from bytes of any kind; what is wrong with them is noted, never raised."""
    reader = XmlmapReader(url=url, limits=limits)
    reader.feed(octets(data))
    return reader.close()


def write_xmlmap(services: Iterable[Service]) -> bytes:
    """A robots.xml; a service given twice is written once.

    >>> b"<loc>https://example.com/sitemap.xml</loc>" in write_xmlmap([
    ...     Service("https://example.com/sitemap.xml", "http://www.sitemaps.org/schemas/sitemap/0.9")])
    True
    """
    out = XmlWriter()
    location = [("xmlns:xsi", _XSI), ("xsi:schemaLocation", f"{SITEMAP_NAMESPACE} {SCHEMA}")]
    out.open("xmlmap", [("xmlns", SITEMAP_NAMESPACE), *location])
    kept: dict[tuple[str | None, str | None], tuple[int, Service]] = {}
    for number, service in enumerate(services, 1):
        kept.setdefault((service.loc, service.namespace), (number, service))
    if len(kept) > SITEMAP_URLS_MAX:
        raise WriteError(f"a robots.xml lists {SITEMAP_URLS_MAX:,} services at most")
    for number, service in kept.values():
        _write_service(out, service, f"of service {number}")
    out.close()
    return out.document()


def _write_service(out: XmlWriter, service: Service, of: str) -> None:
    loc, namespace, lastmod = service.loc or "", service.namespace or "", service.lastmod
    require_url(loc, f"loc {of}")
    if not is_namespace(namespace):
        raise WriteError(f"namespace {of} {shown(namespace)} is neither an absolute URI nor a URN")
    out.open("url")
    out.leaf("loc", loc)
    out.leaf("namespace", namespace)
    if lastmod is not None and lastmod != "":
        if isinstance(lastmod, str) and _COMPACT.fullmatch(lastmod):
            timestamp = read_lastmod(lastmod).timestamp
            lastmod = lastmod if timestamp is None else timestamp
        out.leaf("lastmod", date_text(lastmod, f"lastmod {of}"))
    out.close()
