"""Behaviours of Content-Encoding and of gzip files."""

import gzip
import zlib
from functools import cache

from tests.hostile.kit import Behaviour, Exchange, document, repeats, sends, urlset

GZIP = "Content-Encoding: gzip\r\n"
DEFLATE = "Content-Encoding: deflate\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Encoding: gzip\r\n\r\n"
MEMBER = gzip.compress(b"", mtime=0)


def zipped(exchange: Exchange) -> bytes:
    return gzip.compress(urlset(exchange.base), mtime=0)


@cache
def bomb(window: int, mebibytes: int) -> bytes:
    """Blanks that unpack to many MiB: about a thousandth of it."""
    packer = zlib.compressobj(6, zlib.DEFLATED, window)
    blank = b" " * (1 << 20)
    return b"".join([packer.compress(b"<urlset>"), *(packer.compress(blank) for _ in range(mebibytes)), packer.flush()])


@cache
def bomb_in_bomb() -> bytes:
    return gzip.compress(bomb(31, 120), mtime=0)


def warm_up() -> None:
    """Make the bombs before anybody waits for them."""
    bomb(15, 120)
    bomb_in_bomb()


def _bad_sum(exchange: Exchange) -> bytes:
    data = zipped(exchange)
    return data[:-8] + bytes(8)


def _bent(exchange: Exchange) -> bytes:
    data = bytearray(zipped(exchange))
    data[20] ^= 0xFF
    data[21] ^= 0xFF
    return bytes(data)


def _raw_deflate(exchange: Exchange) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(urlset(exchange.base)) + packer.flush()


def _members(exchange: Exchange) -> bytes:
    data = urlset(exchange.base)
    return b"".join(gzip.compress(data[at : at + 7], mtime=0) for at in range(0, len(data), 7))


def _named(length: int) -> bytes:
    return b"\x1f\x8b\x08\x08\0\0\0\0\0\x03" + b"n" * length


WHERE = "/sitemap.xml"
BEHAVIOURS = (
    Behaviour("gzip_fine", document(zipped, GZIP), (200,), WHERE),
    Behaviour("gzip_old_name", document(zipped, "Content-Encoding: x-GZip\r\n"), (200,), WHERE),
    Behaviour("gzip_bomb", document(lambda _: bomb(31, 120), GZIP), (200,), WHERE),
    Behaviour("gzip_bomb_as_file", document(lambda _: bomb(31, 120), kind="application/gzip"), (200,), WHERE),
    Behaviour("gzip_bomb_in_bomb", document(lambda _: bomb_in_bomb(), GZIP), (200,), WHERE),
    Behaviour("gzip_bomb_everywhere", document(lambda _: bomb(31, 120), GZIP), (200,)),
    Behaviour("deflate_bomb", document(lambda _: bomb(15, 120), DEFLATE), (200,), WHERE),
    Behaviour("gzip_truncated", document(lambda x: zipped(x)[:-20], GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_head_only", document(b"\x1f\x8b\x08\0", GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_one_byte", document(b"\x1f", GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_bad_checksum", document(_bad_sum, GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_bent", document(_bent, GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_bent_file", document(_bent, kind="application/gzip"), (200,), WHERE),
    Behaviour("gzip_plain_body", document(lambda x: urlset(x.base), GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_html_body", document(b"<!doctype html><p>no", GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_empty_body", document(b"", GZIP), (200,), WHERE),
    Behaviour("gzip_members", document(_members, GZIP), (200,), WHERE),
    Behaviour("gzip_members_empty", document(MEMBER * 50_000, GZIP), (200,), WHERE),
    Behaviour("gzip_members_endless", repeats(HEAD, MEMBER * 3_000), (200, "request-timeout"), WHERE),
    Behaviour("gzip_trailing_zeros", document(lambda x: zipped(x) + bytes(5_000), GZIP), (200,), WHERE),
    Behaviour("gzip_trailing_junk", document(lambda x: zipped(x) + b"junk" * 500, GZIP), (200,), WHERE),
    Behaviour("gzip_trailing_file", document(lambda x: zipped(x) + b"junk" * 9), (200,), WHERE),
    Behaviour("gzip_name_long", document(_named(1 << 20), GZIP), ("encoding-broken",), WHERE),
    Behaviour("gzip_name_endless", repeats(HEAD + _named(9), b"n" * 262_144), (200, "request-timeout"), WHERE),
    Behaviour(
        "gzip_twice_said",
        document(lambda x: gzip.compress(zipped(x)), "Content-Encoding: gzip, gzip\r\n"),
        ("encoding-unsupported",),
        WHERE,
    ),
    Behaviour(
        "gzip_twice_in_two_fields",
        document(lambda x: gzip.compress(zipped(x)), GZIP + GZIP),
        ("encoding-unsupported",),
        WHERE,
    ),
    Behaviour("gzip_twice_unsaid", document(lambda x: gzip.compress(zipped(x)), GZIP), (200,), WHERE),
    Behaviour("gzip_stalls", sends(HEAD + MEMBER[:12], then="stall"), ("silence",), WHERE),
    Behaviour("gzip_body_short", sends(HEAD[:-2] + b"Content-Length: 999\r\n\r\n" + MEMBER), ("body-short",), WHERE),
    Behaviour("deflate_fine", document(lambda x: zlib.compress(urlset(x.base)), DEFLATE), (200,), WHERE),
    Behaviour("deflate_raw", document(_raw_deflate, DEFLATE), (200,), WHERE),
    Behaviour("deflate_garbage", document(b"\xff" * 5_000, DEFLATE), ("encoding-broken",), WHERE),
    Behaviour(
        "deflate_truncated",
        document(lambda x: zlib.compress(urlset(x.base))[:-9], DEFLATE),
        ("encoding-broken",),
        WHERE,
    ),
    Behaviour("brotli", document(b"\x1b\x03", "Content-Encoding: br\r\n"), ("encoding-unsupported",), WHERE),
    Behaviour("zstd", document(b"\x28\xb5\x2f\xfd", "Content-Encoding: zstd\r\n"), ("encoding-unsupported",), WHERE),
    Behaviour("compress", document(b"\x1f\x9d", "Content-Encoding: compress\r\n"), ("encoding-unsupported",), WHERE),
    Behaviour("coding_unknown", document(b"x", "Content-Encoding: x-evil\r\n"), ("encoding-unsupported",), WHERE),
    Behaviour(
        "coding_list_long",
        document(b"x", "Content-Encoding: " + "gzip, " * 3_000 + "gzip\r\n"),
        ("encoding-unsupported",),
        WHERE,
    ),
    Behaviour("coding_identity", document(lambda x: urlset(x.base), "Content-Encoding: identity\r\n"), (200,), WHERE),
    Behaviour("coding_empty", document(lambda x: urlset(x.base), "Content-Encoding: ,,\r\n"), (200,), WHERE),
    Behaviour("coding_unknown_404", document(b"x", "Content-Encoding: br\r\n", status="404 No"), (404,), WHERE),
    Behaviour(
        "coding_unknown_robots", document(b"x", "Content-Encoding: br\r\n"), ("encoding-unsupported",), "/robots.txt"
    ),
)
