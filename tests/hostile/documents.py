"""Behaviours of what is in the answer: XML, encodings, robots.txt, index cycles. Sent well, meant badly."""

from tests.hostile.kit import NS, XML, Behaviour, Exchange, Text, document, urlset

WHERE = "/sitemap.xml"
LOC = f"<urlset {NS}><url><loc>%s</loc></url></urlset>"


def _xml(name: str, body: Text, kind: str = "application/xml") -> Behaviour:
    return Behaviour(f"xml_{name}", document(body, kind=kind), (200,), WHERE)


def _dtd(declarations: str, value: str = "&a;") -> bytes:
    return f"{XML}<!DOCTYPE urlset [{declarations}]>{LOC % value}".encode()


def _laughs() -> bytes:
    rows = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    return _dtd(f'<!ENTITY a0 "ha">{rows}', "&a11;")


def _system(exchange: Exchange) -> bytes:
    return _dtd(f'<!ENTITY a SYSTEM "{exchange.canary}/entity">')


def _external_subset(exchange: Exchange) -> bytes:
    return f'{XML}<!DOCTYPE urlset SYSTEM "{exchange.canary}/dtd">{LOC % "https://example.com/"}'.encode()


def _parameter(exchange: Exchange) -> bytes:
    return _dtd(f'<!ENTITY % p SYSTEM "{exchange.canary}/p"> %p;', "x")


def _stylesheet(exchange: Exchange) -> bytes:
    return f'{XML}<?xml-stylesheet href="{exchange.canary}/s.xsl"?>{LOC % exchange.base}'.encode()


def _include(exchange: Exchange) -> bytes:
    include = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{exchange.canary}/x"/>'
    return urlset(exchange.base, include)


def _schema(exchange: Exchange) -> bytes:
    where = f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a {exchange.canary}/x.xsd"'
    return f"{XML}<urlset {NS} {where}><url><loc>{exchange.base}/</loc></url></urlset>".encode()


def _big(inside: str) -> Text:
    return lambda exchange: urlset(exchange.base, inside)


XML_ROWS = (
    _xml("billion_laughs", _laughs()),
    _xml("quadratic", _dtd(f'<!ENTITY a "{"x" * 100_000}">', "&a;" * 5_000)),
    _xml("external_file", _dtd('<!ENTITY a SYSTEM "file:///etc/passwd">')),
    _xml("external_http", _system),
    _xml("external_subset", _external_subset),
    _xml("parameter_entity", _parameter),
    _xml("entity_loop", _dtd('<!ENTITY a "&b;"><!ENTITY b "&a;">')),
    _xml("default_attributes", _dtd("<!ATTLIST url " + " ".join(f'a{n} CDATA "x"' for n in range(20_000)) + ">", "x")),
    _xml("stylesheet", _stylesheet),
    _xml("xinclude", _include),
    _xml("schema_location", _schema),
    _xml("deep", _big("<a>" * 100_000 + "</a>" * 100_000)),
    _xml("open_only", _big("<a>" * 1_000_000)),
    _xml("names_500000", _big("".join(f"<n{n}/>" for n in range(500_000)))),
    _xml("attributes_100000", _big("<x " + " ".join(f'a{n}="1"' for n in range(100_000)) + "/>")),
    _xml("namespaces_50000", _big("".join(f'<x xmlns="urn:{n}"/>' for n in range(50_000)))),
    _xml("comment_40m", _big("<!--" + "x" * 40_000_000 + "-->")),
    _xml("attribute_40m", _big('<x a="' + "x" * 40_000_000 + '"/>')),
    _xml("text_40m", _big("x" * 40_000_000)),
    _xml("name_20m", _big("<" + "x" * 20_000_000 + "/>")),
    _xml("instruction_20m", _big("<?x " + "x" * 20_000_000 + "?>")),
    _xml("cdata_20m", _big("<![CDATA[" + "x" * 20_000_000 + "]]>")),
    _xml("comments_1000000", _big("<!---->" * 1_000_000)),
    _xml("urls_empty_1000000", _big("<url/>" * 1_000_000)),
    _xml("loc_30m", lambda x: f"{XML}<urlset {NS}><url><loc>{x.base}/{'a' * 30_000_000}</loc></url></urlset>".encode()),
    _xml("unclosed", f"{XML}<urlset {NS}><url><loc>".encode()),
    _xml("control_characters", urlset("http://a/\x01\x1b[31m")),
    _xml("bidi_and_markup", urlset("http://a/\u202egpj.exe\u2066&lt;script&gt;alert(1)&lt;/script&gt;")),
    _xml("html", b"<!doctype html><meta http-equiv=refresh content='0;url=http://169.254.169.254/'>", "text/html"),
    _xml("xhtml_shell", b"<html><body>" + b"<div>" * 200_000, "application/xhtml+xml"),
    _xml("svg", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "image/svg+xml"),
    _xml("json", b"[" * 200_000, "application/json"),
    _xml("zip", b"PK\x03\x04" + bytes(5_000), "application/zip"),
    _xml(
        "locs_inside",
        lambda x: urlset(
            x.canary, "<url><loc>http://169.254.169.254/</loc></url><url><loc>file:///etc/passwd</loc></url>"
        ),
    ),
)

_SAMPLE = LOC % "https://example.com/\u00fc"
ENCODINGS = tuple(
    Behaviour(f"encoding_{name}", document(body), (200,), WHERE)
    for name, body in {
        "utf16": _SAMPLE.encode("utf-16"),
        "utf16_no_mark": _SAMPLE.encode("utf-16-le"),
        "utf16_odd": _SAMPLE.encode("utf-16") + b"x",
        "utf32": _SAMPLE.encode("utf-32"),
        "utf7": b'<?xml version="1.0" encoding="UTF-7"?>' + _SAMPLE.encode("utf-7"),
        "ebcdic": b'<?xml version="1.0" encoding="cp037"?>' + _SAMPLE.encode("cp037"),
        "unknown": f'<?xml version="1.0" encoding="x-none"?>{_SAMPLE}'.encode(),
        "lies_utf16": f'<?xml version="1.0" encoding="UTF-16"?>{_SAMPLE}'.encode(),
        "latin1_unsaid": _SAMPLE.encode("latin-1"),
        "bad_bytes": XML.encode() + _SAMPLE.encode().replace(b"\xc3\xbc", b"\xff\xfe\xc0\xaf"),
        "nul_bytes": b"\0" * 100_000,
        "surrogates": LOC.encode() % b"\xed\xa0\x80",
        "mark_only": b"\xef\xbb\xbf",
        "name_huge": b'<?xml version="1.0" encoding="' + b"x" * 1_000_000 + b'"?><urlset/>',
    }.items()
)


def _robots(name: str, body: Text, kind: str = "text/plain", status: str = "200 OK") -> Behaviour:
    want = int(status[:3])
    return Behaviour(f"robots_{name}", document(body, kind=kind, status=status), (want,), "/robots.txt")


def _inside_lines(exchange: Exchange) -> bytes:
    places = [
        f"{exchange.canary}/a.xml",
        "http://169.254.169.254/",
        "http://[::1]/",
        "file:///etc/passwd",
        "//10.0.0.1/",
    ]
    places += ["javascript:alert(1)", "http:///x", "ftp://a/", "http://user:pw@127.0.0.1/", "\x1b]0;title\x07"]
    return "".join(f"Sitemap: {place}\n" for place in places).encode()


ROBOTS = (
    _robots("huge", b"User-agent: *\nDisallow:\n" + b"# filler\n" * 400_000),
    _robots("one_line", b"User-agent: *\nDisallow: /" + b"a" * 2_000_000),
    _robots("agents_100000", b"User-agent: a\n" * 40_000 + b"Disallow: /"),
    _robots("wildcards", b"User-agent: *\nDisallow: /" + b"*a" * 100_000 + b"$\n"),
    _robots("wildcards_many", b"User-agent: *\n" + b"Disallow: /*a*b*c*d*e*f*g*h$\n" * 15_000),
    _robots("binary", bytes(range(256)) * 1_000),
    _robots("html", b"<!doctype html><html><body>User-agent: *", "text/html"),
    _robots("utf16", "User-agent: *\nDisallow: /".encode("utf-16")),
    _robots("nul", b"User-agent: *\0\nDisallow: /\0\n" * 10_000),
    _robots("sitemaps_10000", lambda x: "".join(f"Sitemap: {x.base}/s{n}.xml\n" for n in range(10_000)).encode()),
    _robots("sitemaps_same", lambda x: f"Sitemap: {x.base}/s.xml\n".encode() * 10_000),
    _robots("sitemaps_inside", _inside_lines),
    _robots("sitemap_itself", lambda x: f"Sitemap: {x.base}/robots.txt\n".encode()),
    _robots("escapes", b"User-agent: \x1b[2J\x1b]0;x\x07\nDisallow: /\xe2\x80\xae\n"),
    _robots("status_503", b"", status="503 No"),
    _robots("status_429", b"", status="429 No"),
    _robots("status_403", b"", status="403 No"),
)


def _index(*locs: str) -> bytes:
    rows = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f"{XML}<sitemapindex {NS}>{rows}</sitemapindex>".encode()


INDEXES = (
    Behaviour("index_of_itself", document(lambda x: _index(f"{x.base}/sitemap.xml")), (200,), WHERE),
    Behaviour(
        "index_cycle",
        document(lambda x: _index(f"{x.base}/a.xml", f"{x.base}/sitemap.xml")),
        (200,),
        WHERE,
        marks=frozenset({"follows"}),
    ),
    Behaviour(
        "index_deeper_and_deeper",
        document(lambda x: _index(f"{x.base}{x.path}x")),
        (200,),
        WHERE,
        marks=frozenset({"follows"}),
    ),
    Behaviour(
        "index_of_50000", document(lambda x: _index(*(f"{x.base}/{n}.xml" for n in range(50_000)))), (200,), WHERE
    ),
    Behaviour(
        "index_inside",
        document(lambda x: _index(f"{x.canary}/a.xml", "http://169.254.169.254/", "http://localhost/")),
        (200,),
        WHERE,
    ),
)

BEHAVIOURS = XML_ROWS + ENCODINGS + ROBOTS + INDEXES
