"""Behaviours of redirects: circles, chains, inside addresses in every spelling, other schemes, broken Locations."""

import asyncio

from tests.hostile.kit import Behaviour, Exchange, redirects, repeats, sends, urlset

FOLLOWS = frozenset({"follows"})
INSIDE = {
    "loopback": "127.0.0.1",
    "loopback_other": "127.9.9.9",
    "loopback_dot": "127.0.0.1.",
    "decimal": "2130706433",
    "octal": "0177.0.0.1",
    "hex": "0x7f000001",
    "hex_parts": "0x7f.0x0.0x0.0x1",
    "short": "127.1",
    "wide": "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1",
    "wide_raw": "\uff11\uff12\uff17.0.0.1",
    "circled_raw": "\u2460\u2461\u2466.\u24ea.\u24ea.\u2460",
    "ideographic_stop_raw": "127\u30020\u30020\u30021",
    "percent": "%31%32%37.0.0.1",
    "v6_loopback": "[::1]",
    "mapped": "[::ffff:127.0.0.1]",
    "mapped_hex": "[::ffff:7f00:1]",
    "compatible": "[::127.0.0.1]",
    "translated": "[::ffff:0:127.0.0.1]",
    "nat64": "[64:ff9b::7f00:1]",
    "nat64_local": "[64:ff9b:1::7f00:1]",
    "sixtofour": "[2002:7f00:1::]",
    "teredo": "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
    "isatap": "[2a00::5efe:7f00:1]",
    "name": "localhost",
    "subname": "a.localhost",
    "unspecified": "0.0.0.0",
    "zero": "0",
    "v6_unspecified": "[::]",
    "private_10": "10.0.0.1",
    "private_172": "172.16.0.1",
    "private_192": "192.168.0.1",
    "shared": "100.64.0.1",
    "unique_local": "[fd00::1]",
    "site_local": "[fec0::1]",
    "link_local": "169.254.1.1",
    "v6_link_local": "[fe80::1]",
    "v6_link_local_zone": "[fe80::1%25lo]",
    "metadata": "169.254.169.254",
    "metadata_decimal": "2852039166",
    "metadata_mapped": "[::ffff:a9fe:a9fe]",
    "metadata_v6": "[fd00:ec2::254]",
    "multicast": "224.0.0.1",
    "v6_multicast": "[ff02::1]",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "documentation": "192.0.2.1",
}


def _to_inside(host: str):
    def location(exchange: Exchange) -> str:
        return f"http://{host}:{exchange.canary_port}/latest".encode().decode("latin-1")

    return redirects(location)


INSIDE_ROWS = tuple(
    Behaviour(f"to_{name}", _to_inside(host), ("address-inside", "redirect-invalid", "url-invalid", "dns-no-name"))
    for name, host in INSIDE.items()
)


async def _ping_pong(exchange: Exchange) -> None:
    await redirects("/b" if exchange.path == "/sitemap.xml" else "/sitemap.xml")(exchange)


async def _hops(exchange: Exchange, count: int) -> None:
    at = int(exchange.path.rpartition("hop=")[2] or 0) if "hop=" in exchange.path else 0
    if at < count:
        await redirects(f"{exchange.path.split('?')[0]}?hop={at + 1}")(exchange)
    else:
        await exchange.answer(urlset(exchange.base))


async def _five(exchange: Exchange) -> None:
    await _hops(exchange, 5)


async def _six(exchange: Exchange) -> None:
    await _hops(exchange, 6)


async def _without_end(exchange: Exchange) -> None:
    await _hops(exchange, 1 << 60)


async def _slow_hops(exchange: Exchange) -> None:
    await asyncio.sleep(0.4)
    await _hops(exchange, 1 << 60)


async def _to_port(exchange: Exchange, port: str) -> None:
    await redirects(f"http://127.0.0.1:{port}/")(exchange)


def _fixed(name: str, location: str, *want: str, status: str = "302 Found") -> Behaviour:
    return Behaviour(name, redirects(location, status), want)


CHAINS = (
    Behaviour("loop_to_itself", redirects(lambda x: x.path), ("redirect-loop",)),
    Behaviour("loop_by_fragment", redirects(lambda x: f"{x.path}#again"), ("redirect-loop",)),
    Behaviour("loop_absolute", redirects(lambda x: x.base + x.path), ("redirect-loop",)),
    Behaviour(
        "loop_by_case_and_dots", redirects(lambda x: f"HTTP://127.0.0.1:{x.port}/x/..{x.path}"), ("redirect-loop",)
    ),
    Behaviour("ping_pong", _ping_pong, ("redirect-loop",)),
    Behaviour("five_hops", _five, (200,)),
    Behaviour("six_hops", _six, ("redirect-count",)),
    Behaviour("hops_without_end", _without_end, ("redirect-count",)),
    Behaviour("slow_hops", _slow_hops, ("request-timeout", "redirect-count", "site-timeout")),
    Behaviour("redirect_301", redirects(lambda x: x.path, "301 Moved"), ("redirect-loop",)),
    Behaviour("redirect_303", redirects(lambda x: x.path, "303 Other"), ("redirect-loop",)),
    Behaviour("redirect_307", redirects(lambda x: x.path, "307 Temporary"), ("redirect-loop",)),
    Behaviour("redirect_308", redirects(lambda x: x.path, "308 Permanent"), ("redirect-loop",)),
    Behaviour("redirect_300", redirects("/b", "300 Choices"), (300,)),
    Behaviour("redirect_305", redirects("/b", "305 Use Proxy"), (305,)),
    Behaviour("refresh_header", redirects("", "200 OK", headers="Refresh: 0; url=http://169.254.169.254/\r\n"), (200,)),
    Behaviour(
        "endless_redirect_body",
        repeats(b"HTTP/1.1 302 Found\r\nLocation: /sitemap.xml\r\n\r\n", b"x" * 9_999),
        ("redirect-loop", "redirect-count"),
    ),
)

SCHEMES = (
    _fixed("to_file", "file:///etc/passwd", "redirect-scheme"),
    _fixed("to_ftp", "ftp://127.0.0.1/", "redirect-scheme"),
    _fixed("to_gopher", "gopher://127.0.0.1:70/_x", "redirect-scheme"),
    _fixed("to_javascript", "javascript:alert(1)", "redirect-scheme"),
    _fixed("to_data", "data:application/xml,<urlset/>", "redirect-scheme"),
    _fixed("to_unix", "unix:/var/run/docker.sock", "redirect-scheme"),
    _fixed("to_ws", "ws://127.0.0.1/", "redirect-scheme"),
    _fixed("to_no_authority", "http:///x", "redirect-invalid"),
    _fixed("to_one_slash", "http:/x", "redirect-invalid"),
    _fixed("to_no_slash", "http:x", "redirect-invalid"),
    _fixed("to_many_slashes", "http://///127.0.0.1/x", "redirect-invalid"),
    _fixed("to_relative_no_host", "///x", "redirect-invalid"),
)

LOCATIONS = (
    Behaviour("location_missing", sends(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"), ("redirect-nowhere",)),
    _fixed("location_empty", "", "redirect-nowhere"),
    _fixed("location_huge", "/" + "a" * 2_048, "redirect-long"),
    _fixed("location_20k", "/" + "a" * 20_000, "redirect-long"),
    Behaviour("location_100k", redirects("/" + "a" * 100_000), ("head-too-large",)),
    _fixed("location_userinfo", "http://user:secret@127.0.0.1/", "redirect-credentials"),
    _fixed("location_at_trick", "http://example.com@127.0.0.1/", "redirect-credentials"),
    _fixed("location_backslash_at", "http://127.0.0.1\\@example.com/", "address-inside"),
    _fixed("location_backslashes", "\\\\127.0.0.1\\x", "redirect-loop", "redirect-count", "redirect-invalid"),
    _fixed("location_bad_port", "http://127.0.0.1:99999/", "redirect-invalid"),
    _fixed("location_port_0", "http://127.0.0.1:0/", "redirect-invalid"),
    _fixed("location_port_text", "http://127.0.0.1:http/", "redirect-invalid"),
    _fixed("location_port_ssh", "http://8.8.8.8:22/", "port-foreign"),
    _fixed("location_port_smtp", "http://8.8.8.8:25/", "port-foreign"),
    _fixed("location_tab", "/a\tb", "redirect-invalid", "not-http"),
    _fixed("location_escape_sequence", "/\x1b[2J", "redirect-invalid", "not-http"),
    _fixed("location_host_blank", "http://a b/", "redirect-invalid"),
    _fixed("location_host_control", "http://a%00b/", "redirect-invalid"),
    _fixed("location_host_long", f"http://{'a' * 300}.example/", "redirect-invalid"),
    _fixed("location_label_long", f"http://{'a' * 64}.example/", "redirect-invalid"),
    _fixed("location_brackets", "http://[not-an-address]/", "redirect-invalid"),
    _fixed("location_bracket_open", "http://[::1/", "redirect-invalid"),
    Behaviour("location_to_canary", redirects(lambda x: f"{x.canary}/x"), ("address-inside",)),
    Behaviour(
        "location_to_canary_relative", redirects(lambda x: f"//127.0.0.1:{x.canary_port}/x"), ("address-inside",)
    ),
    Behaviour("location_utf8", redirects("/\u00fc".encode().decode("latin-1")), ("redirect-loop", "redirect-count")),
    Behaviour("location_latin1", redirects("/\xfc"), ("redirect-loop", "redirect-count")),
    Behaviour(
        "location_two",
        sends(
            lambda x: (
                f"HTTP/1.1 302 F\r\nLocation: {x.path}\r\nLocation: {x.canary}\r\nContent-Length: 0\r\n\r\n".encode()
            )
        ),
        ("redirect-loop", "not-http"),
    ),
)

BEHAVIOURS = CHAINS + INSIDE_ROWS + SCHEMES + LOCATIONS
