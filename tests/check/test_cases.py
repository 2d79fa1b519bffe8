"""Known answers of the sitemap check 1.0.0: whole sites as data, each with the outcome of every step.

The transport is not asked here: bodies come as a client would hand them over, decoded or failed.
"""

import asyncio
import base64
import gzip
import json
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.check.samples import NOW

from waypost.check.capture import Body, ErrorKind, answered, unanswered
from waypost.check.drive import drive
from waypost.check.options import Options
from waypost.check.scan import Scan
from waypost.limits import REDIRECTS_MAX
from waypost.urls import absolute

ORIGIN, OTHER, HOST = "http://127.0.0.1:8000", "http://127.0.0.2:8000", "127.0.0.1:8000"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
CASES = json.loads((Path(__file__).parent.parent / "cases" / "check_cases.json").read_text("utf-8"))
NAMES = {
    "{{O}}": ORIGIN, "{{H}}": HOST, "{{HN}}": "127.0.0.1", "{{X}}": OTHER, "{{W}}": f"http://www.{HOST}",
    "{{S}}": f"https://{HOST}", "{{P}}": "http://127.0.0.1:8001", "{{U}}": ORIGIN, "{{UI}}": f"http://user:pw@{HOST}",
    "{{DOT}}": ORIGIN, "HTTP{{O4}}": f"HTTP://{HOST}", "{{O4}}": f"://{HOST}",
}  # fmt: skip


def named(text):
    for key, value in NAMES.items():
        text = text.replace(key, value)
    return text


def entries(made):
    root, element = ("sitemapindex", "sitemap") if made["gen"] == "index" else ("urlset", "url")
    rows = []
    for n in range(1, made["n"] + 1):
        loc = f"{ORIGIN}/p/{'same' if made.get('same') else n}{'.xml' if element == 'sitemap' else ''}"
        date = "not a date" if n == made.get("bad_lastmod_at") else "2024-05-01"
        rows.append(f"<{element}><loc>{loc}</loc><lastmod>{date}</lastmod></{element}>\n")
    text, tail = f"{HEAD}<{root} {NS}>\n{''.join(rows)}", f"</{root}>\n"
    room = made.get("pad_to", 0) - len(text) - len(tail)
    return text + (f"<!--{'x' * (room - 8)}-->\n" if room > 0 else "") + tail


def generated(made):
    match made["gen"]:
        case "robots_many":
            return "".join(f"Sitemap: {ORIGIN}/dead/{n}.xml\n" for n in range(made["n"]))
        case "robots_pad":
            return "User-agent: *\nDisallow:\n" + "# pad\n" * (made["kib"] * 1024 // 6 + 1) + named(made["tail"])
        case "quadratic":
            entity = f'<!DOCTYPE urlset [<!ENTITY a "{"x" * made["kib"] * 1024}">]>'
            return f"{HEAD}{entity}<urlset {NS}><url><loc>{ORIGIN}/{'&a;' * made['refs']}</loc></url></urlset>"
        case "longurl":
            return f"{HEAD}<urlset {NS}><url><loc>{(ORIGIN + '/').ljust(made['total'], 'a')}</loc></url></urlset>"
        case "deep":
            nested = "<m:d>" * made["n"] + "</m:d>" * made["n"]
            return f'{HEAD}<urlset {NS}><url><loc>{ORIGIN}/a</loc><m:r xmlns:m="urn:m">{nested}</m:r></url></urlset>'
        case "endless":
            return f"{HEAD}<urlset {NS}>" + "".join(f"<url><loc>{ORIGIN}/e/{n}</loc></url>\n" for n in range(1_300_000))
    return entries(made)


def content(body):
    if "gen" in body:
        data = generated(body).encode()
    elif "latin1" in body:
        data = named(body["latin1"]).encode("latin-1")
    elif "b64" in body:
        data = base64.b64decode(body["b64"])
    else:
        data = named(body.get("text", "")).encode(body.get("encode", "utf-8"))
    if body.get("gzip"):
        data = gzip.compress(data)
    if body.get("deflate"):
        data = zlib.compress(data)
    return data[: body["cut"]] if body.get("cut") else data


class CaseFetcher:
    """Answers as the case's servers would, through a client that decodes."""

    def __init__(self, case):
        self.routes = {f"{ORIGIN}{path}": route for path, route in case["routes"].items()}
        self.routes |= {f"{OTHER}{path}": route for path, route in case["other_routes"].items()}

    async def fetch(self, request):
        hops, url = [], request.url
        while True:
            route = self.routes.get(url, {"status": 404, "headers": {}, "body": {"text": "not found"}})
            if route["body"].get("stall_s"):
                return unanswered(request, ErrorKind.ANSWER_TIMEOUT)
            headers = {key: named(value) for key, value in route["headers"].items()}
            one = answered(url, b"", status=route["status"], headers=headers)
            hops.append(one.hops[0])
            location = absolute(url, headers.get("location", "")) if 300 <= route["status"] < 400 else None
            if location is None:
                break
            if not location.startswith((ORIGIN, OTHER)):
                return unanswered(request, ErrorKind.ADDRESS_INSIDE, hops=tuple(hops))
            if len(hops) > request.redirects_max:
                is_ours = request.redirects_max < REDIRECTS_MAX
                return unanswered(request, ErrorKind.BUDGET if is_ours else ErrorKind.REDIRECT_COUNT, hops=tuple(hops))
            url = location
        data, coding = content(route["body"]), headers.get("content-encoding", "")
        if coding == "gzip" and data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
        elif coding == "deflate":
            data = zlib.decompress(data)
        elif coding not in {"", "gzip"}:
            return unanswered(request, ErrorKind.ENCODING_UNSUPPORTED, coding, hops=tuple(hops))
        return replace(answered(request, Body(data[: request.bytes_max + 1])), hops=tuple(hops), coding=coding)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_spec_1_0_0_known_answers(case):
    if "needs-name-host" in case["tags"]:
        pytest.skip("an address has no final dot")
    result = asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), CaseFetcher(case)))
    check = result.check("sitemap")
    assert not result.crashes
    assert {step.id: step.status.value for step in check.steps} | {"status": check.status.value} == case["expect"]
    shown = " ".join(f"{f.message} {f.where.line} {f.where.entry}" for _, f in result.findings())
    assert all(word in shown for word in case.get("must", {}).get("finding_mentions", ()))
    asked = {hop.url for hop in result.trail}
    assert not {f"{ORIGIN}{path}" for path in case.get("must", {}).get("never_request", ())} & asked
    assert result.requests <= 16
