"""`waypost sitemap`: what it prints, where, and how it ends."""

import csv
import gzip
import io
import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from waypost.cli import emit, sitemap_stats
from waypost.cli.sitemap import app
from waypost.formats.sitemap import read_sitemap

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
MAP = f"""<urlset xmlns="{NS}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://e.org/</loc><lastmod>2026-01-20</lastmod><priority>0.5</priority></url>
<url><loc>https://e.org/a?b&amp;c</loc><image:image><image:loc>https://e.org/1.png</image:loc></image:image>
<image:image><image:loc>https://e.org/2.png</image:loc></image:image></url>
<url><loc>http://other.org/"x</loc><lastmod>2026-02-03T10:00:00Z</lastmod></url>
</urlset>"""


def run(*arguments: str | Path, stdin: bytes | str = b"", code: int = 0) -> tuple[str, str]:
    """What the command says on stdout and stderr; the exit status must be this one."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = CliRunner().invoke(app, [str(each) for each in arguments], input=data)
    assert done.exit_code == code, (done.output, done.exception)
    return done.stdout, done.stderr


def urlset(*entries: str) -> str:
    return f'<urlset xmlns="{NS}">' + "".join(f"<url>{entry}</url>" for entry in entries) + "</urlset>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sitemap.xml"
    path.write_text(MAP)
    return path


def test_read_prints_an_aligned_table_and_the_sum_beside_it(file):
    out, err = run("read", file)
    assert out.splitlines() == [
        "LINE  LASTMOD               PRIORITY  WITH     LOC",
        "   2  2026-01-20            0.5                https://e.org/",
        "   3                                  image×2  https://e.org/a?b&c",
        '   5  2026-02-03T10:00:00Z                     http://other.org/"x',
    ]
    assert err == f"{file}: urlset, 3 URLs, {len(MAP)} bytes, utf-8, complete\n"


def test_read_prints_csv_that_reads_back(file):
    out, err = run("read", file, "--format", "csv")
    assert list(csv.reader(io.StringIO(out))) == [
        ["loc", "lastmod", "changefreq", "priority", "line"],
        ["https://e.org/", "2026-01-20", "", "0.5", "2"],
        ["https://e.org/a?b&c", "", "", "", "3"],
        ['http://other.org/"x', "2026-02-03T10:00:00Z", "", "", "5"],
    ]
    assert err == ""


def test_read_prints_json_lines_with_the_extensions(file):
    out, _ = run("read", file, "-f", "jsonl")
    first, second, _third = map(json.loads, out.splitlines())
    assert first == {"loc": "https://e.org/", "lastmod": "2026-01-20", "changefreq": None, "priority": "0.5", "line": 2}
    assert second["image"] == [{"loc": "https://e.org/1.png"}, {"loc": "https://e.org/2.png"}]


def test_read_json_lines_list_what_repeats():
    text = urlset(
        '<loc>https://e.org/</loc><v:video xmlns:v="http://www.google.com/schemas/sitemap-video/1.1"><v:tag>a</v:tag>'
        '<v:tag>b</v:tag><v:tag>c</v:tag></v:video><x:link xmlns:x="http://www.w3.org/1999/xhtml" hreflang="de"/>'
    )
    out, _ = run("read", "-", "-f", "jsonl", stdin=text)
    assert json.loads(out)["video"] == [{"tag": ["a", "b", "c"]}]
    assert json.loads(out)["alternate"] == [{"hreflang": "de"}]


@pytest.mark.parametrize("form", ["table", "csv", "jsonl"])
def test_read_takes_gzip_and_standard_input(form):
    plain, _ = run("read", "-", "-f", form, stdin=MAP)
    packed, err = run("read", "-", "-f", form, stdin=gzip.compress(MAP.encode()))
    assert plain == packed
    assert ("packed" in err) == (form == "table")


def test_read_lets_no_control_or_direction_character_through():
    text = "https://e.org/\x1b[31m\u202e\u200b\n"
    out, _ = run("read", "-", stdin=text)
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert r"https://e.org/\x1b[31m\u202e\u200b" in out
    out, _ = run("read", "-", "-f", "jsonl", stdin=text)
    assert out.isascii()
    assert out.strip().isprintable()


def test_read_csv_guards_cells_a_spreadsheet_would_compute(tmp_path):
    text = urlset(
        "<loc>=1+1</loc>", "<loc>@x</loc><lastmod>-1</lastmod>", "<loc>https://e.org/</loc><lastmod>+2</lastmod>"
    )
    out, _ = run("read", "-", "-f", "csv", stdin=text)
    cells = list(csv.reader(io.StringIO(out)))
    assert [row[0] for row in cells[1:]] == ["'=1+1", "'@x", "https://e.org/"]
    assert [row[1] for row in cells[1:]] == ["", "'-1", "'+2"]
    _, err = run("write", "-", "-o", tmp_path, stdin=out, code=2)
    assert "'=1+1' is relative" in err


def test_a_broken_sitemap_is_listed_and_exits_1():
    for command in ("read", "stats"):
        out, err = run(command, "-", stdin=MAP[:-20], code=1)
        assert "https://e.org" in out
        assert err.startswith("waypost: standard input is broken, what was read is shown: line ")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "standard input is empty"),
        (b"\x00\x01\x02\x80" * 50, "standard input is a binary file, not a sitemap"),
        (b"<html><body>x</body></html>", "standard input is an HTML page, not a sitemap"),
        (b"User-agent: *\nDisallow: /\n", "standard input is a robots.txt, not a sitemap"),
        (b"<x:a xmlns:x='urn:x'/>", "standard input is no sitemap"),
        (b'{"version": "https://jsonfeed.org/version/1.1", "items": []}', "standard input is a JSON Feed"),
        (b"<urlset", "standard input is no sitemap"),
        (
            b'<!DOCTYPE urlset [<!ENTITY x "y">]><urlset/>',
            "standard input is no sitemap: line 1, column 30: entities are refused: x",
        ),
        (
            b'<?xml version="1.0" encoding="Shift_JIS"?><urlset/>',
            "standard input is no sitemap: line 1, column 1: the encoding Shift_JIS cannot be read",
        ),
    ],
)
def test_what_is_no_sitemap_is_one_sentence_and_exit_2(data, why):
    for command in ("read", "stats"):
        out, err = run(command, "-", stdin=data, code=2)
        assert out == ""
        assert err.startswith(f"waypost: {why}")
        assert err.count("\n") == 1


def test_a_file_that_cannot_be_read_is_one_sentence_and_exit_2(tmp_path):
    locked = tmp_path / "locked.xml"
    locked.write_text(MAP)
    locked.chmod(0)
    cases = [(tmp_path, "is a directory"), (tmp_path / "none.xml", "no such file")]
    if os.geteuid():
        cases.append((locked, "permission denied"))
    for path, why in cases:
        for arguments in (
            ["read", path],
            ["stats", path],
            ["diff", path, path],
            ["write", path, "-o", tmp_path / "out"],
        ):
            out, err = run(*arguments, code=2)
            assert out == ""
            assert why in err
            assert err.count("\n") == 1


def test_stats_counts_hosts_and_draws_dates(file):
    out, err = run("stats", file)
    assert err == ""
    assert out.splitlines() == [
        f"{file}: urlset, 3 URLs, {len(MAP)} bytes, utf-8, complete",
        "",
        "  3  distinct URLs",
        "  2  with lastmod",
        "  1  with priority",
        "  2  images",
        "",
        "hosts",
        "  2  https://e.org",
        "  1  http://other.org",
        "",
        "last changed",
        "  2026-01-20  1  " + "█" * 63,
        *(f"  2026-01-{day}  0" for day in range(21, 32)),
        "  2026-02-01  0",
        "  2026-02-02  0",
        "  2026-02-03  1  " + "█" * 63,
    ]


def test_stats_of_an_index_and_of_a_feed():
    index = f'<sitemapindex xmlns="{NS}"><sitemap><loc>https://e.org/s.xml</loc></sitemap></sitemapindex>'
    out, _ = run("stats", "-", stdin=index)
    assert "index, 1 child sitemap" in out
    assert "last changed" not in out
    feed = "<rss version='2.0'><channel><item><link>https://e.org/1</link><pubDate>Tue, 20 Jan 2026 10:00:00 GMT</pubDate></item>"
    out, _ = run("stats", "-", stdin=feed + "<item><link>/2</link></item></channel></rss>")
    assert "2026-01-20  1" in out
    assert "no absolute URL" in out


def test_stats_says_what_repeats_and_what_is_no_date():
    entries = ["<loc>https://e.org/</loc><lastmod>soon</lastmod>"] * 3
    out, _ = run("stats", "-", stdin=urlset(*entries))
    assert "2  repeated" in out
    assert "3 of 3 dates cannot be read" in out
    assert "noted while reading" not in out
    out, _ = run("stats", "-", stdin=urlset("<loc>https://e.org/</loc><x/>"))
    assert "noted while reading" in out


def test_stats_stays_within_80_columns_and_the_ten_largest_hosts():
    entries = [f"<loc>https://{'long-' * 20}{n}.example.org/{i}</loc>" for n in range(14) for i in range(14 - n)]
    out, _ = run("stats", "-", stdin=urlset(*entries))
    assert max(map(len, out.splitlines())) <= 80
    assert "on 4 more" in out


def dates(*texts: str) -> list[str]:
    days, invalid = sitemap_stats.dated(texts)
    assert not invalid
    return [line.split()[0] for line in sitemap_stats.histogram(days)]


def test_a_histogram_has_two_dozen_bars_at_most():
    assert dates() == []
    assert dates("2026-01-20") == ["2026-01-20"]
    assert dates("2026-01-01", "2026-01-24")[::23] == ["2026-01-01", "2026-01-24"]
    assert dates("2026-01-01", "2026-01-25") == ["2026-01"]
    assert dates("2024-02-01", "2026-01-25")[::23] == ["2024-02", "2026-01"]
    assert dates("2024-01-01", "2026-01-25") == ["2024", "2026"]
    many = dates(*(f"{year}-01-01" for year in range(1990, 2026)))
    assert (len(many), many[0], many[1], many[-1]) == (24, "earlier", "2003", "2025")
    ends = dates("0001-01-01T14:00:00+14:00", "9999-12-31T09:59:59-14:00", "1969-12-31")
    assert ends == ["0001", "1969", "9999"]


def test_bars_without_blocks_are_drawn_in_ascii(monkeypatch):
    monkeypatch.setattr(sitemap_stats, "has_blocks", lambda: False)
    days, _ = sitemap_stats.dated(["2026-01-20"] * 100 + ["2026-01-21"])
    lines = list(sitemap_stats.histogram(days))
    assert lines[0].endswith("#" * 61)
    assert lines[1].endswith("  1  #")


def test_a_small_bar_is_still_seen():
    days, _ = sitemap_stats.dated(["2026-01-20"] * 10_000 + ["2026-01-21"])
    assert list(sitemap_stats.histogram(days))[1].endswith("▏")


def test_diff_exits_1_when_anything_differs(file, tmp_path):
    other = tmp_path / "other.xml"
    other.write_text(MAP.replace("2026-02-03T10:00:00Z", "2026-02-04").replace("https://e.org/a?", "https://e.org/b?"))
    out, err = run("diff", file, other, code=1)
    assert out.splitlines() == [
        "- https://e.org/a?b&c",
        "+ https://e.org/b?b&c",
        '~ http://other.org/"x  2026-02-03T10:00:00Z → 2026-02-04',
        "1 added, 1 removed, 1 with another lastmod, 1 the same",
    ]
    assert err == ""
    found = json.loads(run("diff", file, other, "--json", code=1)[0])
    assert found == {
        "added": ["https://e.org/b?b&c"],
        "removed": ["https://e.org/a?b&c"],
        "moved": [{"loc": 'http://other.org/"x', "before": "2026-02-03T10:00:00Z", "after": "2026-02-04"}],
        "same": 1,
    }


def test_diff_exits_0_when_nothing_does(file):
    assert run("diff", file, file)[0] == "0 added, 0 removed, 0 with another lastmod, 3 the same\n"
    same = MAP.replace("2026-02-03T10:00:00Z", "2026-02-03T11:00:00+01:00").replace("<url>", "<url> ")
    assert run("diff", file, "-", stdin=same)[0].endswith("3 the same\n")


def test_diff_of_dates_that_come_and_go(file, tmp_path):
    out, _ = run("diff", file, "-", stdin=MAP.replace("<lastmod>2026-01-20</lastmod>", ""), code=1)
    assert "~ https://e.org/  2026-01-20 → none" in out
    out, _ = run("diff", "-", file, stdin=MAP.replace("2026-01-20", ""), code=1)
    assert "~ https://e.org/  empty → 2026-01-20" in out


def test_diff_of_a_broken_sitemap_is_never_clean(file):
    _, err = run("diff", file, "-", stdin=MAP[:-2], code=1)
    assert "is broken" in err


def test_diff_reads_standard_input_only_once():
    assert "only once" in run("diff", "-", "-", code=2)[1]


LIST = "loc,lastmod\nhttps://e.org/,2026-01-20\n\nhttps://e.org/a?b&c,\nhttps://e.org/,2026-01-21\n"


def test_write_makes_one_file_where_it_fits(tmp_path):
    out, err = run("write", "-", "-o", tmp_path / "new" / "folder", stdin=LIST)
    assert out == "sitemap.xml  2 URLs\n"
    assert err == ""
    (path,) = (tmp_path / "new" / "folder").iterdir()
    document = read_sitemap(path.read_bytes())
    assert document.locs == ["https://e.org/", "https://e.org/a?b&c"]
    assert document.lastmods == ["2026-01-20", None]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_write_makes_parts_and_an_index(tmp_path):
    text = "\n".join(["url;last_modified", *(f"https://e.org/{n};2026-01-{n:02}" for n in range(1, 6))])
    out, _ = run("write", "-", "-o", tmp_path, "--per-file", "2", "--base", "https://e.org/maps", "--gzip", stdin=text)
    assert out.splitlines() == [
        "sitemap-0001.xml.gz  2 URLs",
        "sitemap-0002.xml.gz  2 URLs",
        "sitemap-0003.xml.gz  1 URL",
        "sitemap.xml.gz  3 sitemaps",
    ]
    index = read_sitemap((tmp_path / "sitemap.xml.gz").read_bytes())
    assert index.locs[2] == "https://e.org/maps/sitemap-0003.xml.gz"
    assert index.lastmods == ["2026-01-02", "2026-01-04", "2026-01-05"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(line.split()[0] for line in out.splitlines())


def test_write_takes_the_host_of_the_first_url_for_the_index(tmp_path):
    run("write", "-", "-o", tmp_path, "--per-file", "1", stdin="https://e.org:8443/a/1\nhttps://e.org:8443/a/2\n")
    assert read_sitemap((tmp_path / "sitemap.xml").read_bytes()).locs[0] == "https://e.org:8443/sitemap-0001.xml"


def test_write_tells_of_parts_that_no_index_names_any_more(tmp_path):
    urls = "".join(f"https://e.org/{n}\n" for n in range(3))
    run("write", "-", "-o", tmp_path, "--per-file", "1", stdin=urls)
    _, err = run("write", "-", "-o", tmp_path, stdin=urls)
    assert err.count("is left from an earlier run") == 3
    assert "sitemap-0002.xml" in err


@pytest.mark.parametrize(
    ("text", "locs"),
    [
        ("https://e.org/a\nhttps://e.org/b\n", ["https://e.org/a", "https://e.org/b"]),
        ("https://e.org/a,2026-01-20\n", ["https://e.org/a"]),
        ("\ufeffLOC\tLastmod\r\nhttps://e.org/a\t2026-01-20\r\n", ["https://e.org/a"]),
        ("lastmod,priority,loc,line\n,0.5,https://e.org/a,7\n", ["https://e.org/a"]),
        ('loc\n"https://e.org/a,b"\n', ["https://e.org/a,b"]),
        ("loc,\nhttps://e.org/a,\n", ["https://e.org/a"]),
    ],
)
def test_write_understands_lists(tmp_path, text, locs):
    _, err = run("write", "-", "-o", tmp_path, stdin=text)
    assert read_sitemap((tmp_path / "sitemap.xml").read_bytes()).locs == locs
    assert err == ""


def test_write_says_which_columns_it_leaves_out(tmp_path):
    _, err = run("write", "-", "-o", tmp_path, stdin="loc,title,\x1bx\nhttps://e.org/a,A,\n")
    assert err == "waypost: left out, for a sitemap has no such field: title, \\x1bx\n"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the list has no URLs"),
        (b"loc,lastmod\n\n", "the list has no URLs"),
        (b"title\nx\n", "standard input has no column loc"),
        (b"loc\nhttps://e.org/a\n\nb\n", "line 4: loc of entry 2 'b' is relative"),
        (b"loc\nb\n", "line 2: loc of entry 1 'b' is relative"),
        (b"loc,lastmod\nhttps://e.org/a,soon\n", "line 2: lastmod of entry 1 'soon' is not a W3C date"),
        (b"loc,priority\nhttps://e.org/a,9\n", "line 2: priority of entry 1"),
        (b"loc,lastmod\n,2026-01-20\n", "line 2: loc of entry 1 '' is empty"),
        (b"loc\nhttps://e.org/\xff\n", "standard input, line 2: not UTF-8 text"),
        (b"loc\n\x00\n", "standard input is a binary file"),
        (b'loc\n"https://e.org/a\n', "standard input, line 2: unexpected end of data"),
        (b"loc\nhttps://e.org/" + b"a" * 200_000, "standard input, line 2: field larger"),
    ],
)
def test_write_refuses_in_one_sentence_and_changes_nothing(tmp_path, data, why):
    before = tmp_path / "sitemap.xml"
    before.write_text("old")
    out, err = run("write", "-", "-o", tmp_path, stdin=data, code=2)
    assert out == ""
    assert err.splitlines()[-1].startswith(f"waypost: {why}")
    assert [path.name for path in tmp_path.iterdir()] == ["sitemap.xml"]
    assert before.read_text() == "old"


def test_write_changes_nothing_when_a_late_row_is_bad(tmp_path):
    urls = "".join(f"https://e.org/{n}\n" for n in range(5))
    run("write", "-", "-o", tmp_path, "--per-file", "2", stdin=urls)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    run("write", "-", "-o", tmp_path, "--per-file", "2", stdin=urls.replace("/1", "/new") + "bad\n", code=2)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_write_says_where_it_cannot_write(tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot write into" in run("write", "-", "-o", tmp_path / "file", stdin=LIST, code=2)[1]
    assert "cannot write into" in run("write", "-", "-o", tmp_path / "file" / "x", stdin=LIST, code=2)[1]
    assert "relative" in run("write", "-", "-o", tmp_path, "--base", "/maps", stdin=LIST, code=2)[1]
    for name in ("../x", "", "a/b", ".x", "a b"):
        assert "cannot name files" in run("write", "-", "-o", tmp_path, "--name", name, stdin=LIST, code=2)[1]


def test_what_read_prints_write_takes_back(file, tmp_path):
    out, _ = run("read", file, "-f", "csv")
    run("write", "-", "-o", tmp_path / "new", stdin=out)
    assert run("diff", file, tmp_path / "new" / "sitemap.xml")[0].endswith("3 the same\n")


def waypost(*arguments: str, **more) -> subprocess.Popen:
    command = [sys.executable, "-m", "waypost", "sitemap", *arguments]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)


def test_a_broken_pipe_ends_quietly(tmp_path):
    file = tmp_path / "large.xml"
    file.write_text(urlset(*(f"<loc>https://e.org/{'x' * 90}{n}</loc>" for n in range(20_000))))
    process = waypost("read", str(file), stdout=subprocess.PIPE)
    assert process.stdout.readline().startswith(b"LINE")
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_only_on_a_terminal_that_wants_them(file, no_color, coloured):
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm", "PYTHONUTF8": "1"}
    process = waypost("stats", str(file), stdout=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65_536):
            shown += piece
    except OSError:  # the terminal is gone with its last writer
        pass
    process.communicate()
    os.close(ours)
    assert process.returncode == 0
    assert "█".encode() in shown
    assert (b"\x1b[36m" in shown) == coloured


def test_a_terminal_is_used_up_to_120_columns(monkeypatch):
    monkeypatch.setattr(emit, "is_terminal", lambda: True)
    for width, used in (("200", 120), ("100", 100), ("10", 40)):
        monkeypatch.setenv("COLUMNS", width)
        assert emit.columns() == used
