"""`waypost check` as a command: what it asks, what it says where, and the exit status of every outcome."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from waypost.check import seen
from waypost.check.rule import Rule, Severity, Step
from waypost.check.rules import RULES
from waypost.cli.check import app, worst
from waypost.cli.exit_codes import ExitCode
from waypost.formats.robots import Robots

BASE = "https://example.com"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DEAD = "http://127.0.0.1:1"


def urlset(*rows: str) -> str:
    return f"<urlset {NS}>{''.join(f'<url>{row}</url>' for row in rows)}</urlset>"


GOOD = urlset(f"<loc>{BASE}/a</loc>")
WARNING = urlset(f"<loc>{BASE}/a</loc><lastmod>yesterday</lastmod>")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built site with one good sitemap, beside an empty root that might be served."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "site"
    folder.mkdir()
    (tmp_path / "root" / "content").mkdir(parents=True)
    (folder / "sitemap.xml").write_text(GOOD)
    (folder / "robots.txt").write_text(f"User-agent: *\nDisallow: /cart\nSitemap: {BASE}/sitemap.xml\n")
    return folder


def run(*words: str, given: str = "") -> Any:
    done = CliRunner().invoke(app, list(words), input=given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def check(site: Path, *words: str) -> Any:
    return run(str(site), "--base", BASE, *words)


def report(site: Path, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(check(site, "--format", "json", *words).stdout)
    return found


def findings(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["code"]: one for row in document["checks"] for one in row["findings"]}


def test_a_clean_site_is_0(site: Path) -> None:
    assert check(site, "--fail-on", "warn").exit_code == 0


@pytest.mark.parametrize(
    ("sitemap", "words", "code"),
    [
        (WARNING, (), 0),
        (WARNING, ("--fail-on", "warn"), 1),
        (WARNING, ("--fail-on", "warn", "--min-score", "0.5"), 1),
        (WARNING, ("--min-score", "0.95"), 0),
        (WARNING, ("--min-score", "0.96", "--fail-on", "never"), 1),
        (GOOD, ("--fail-on", "info"), 1),
        ("<urlset", ("--fail-on", "never"), 1),
        (urlset("<loc>/a</loc>"), ("--fail-on", "never"), 1),
        (urlset(f"<loc>{BASE}/a</loc>", "<loc>/a</loc>"), (), 1),
        (urlset(f"<loc>{BASE}/a</loc>", "<loc>/a</loc>"), ("--fail-on", "never"), 0),
    ],
)
def test_the_gate(site: Path, sitemap: str, words: tuple[str, ...], code: int) -> None:
    (site / "sitemap.xml").write_text(sitemap)
    assert check(site, *words).exit_code == code


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a site to check"),
        (("site",), "say with --base URL where it is served"),
        (("nowhere", "--base", BASE), "not a folder"),
        (("--base", BASE), "--base https://example.com says where a folder is served: name the folder"),
        (("-", "--base", BASE), "--base https://example.com says where a folder is served: name the folder"),
        (("--base", BASE, "--replay", "site"), "says where a folder is served"),
        (("root",), "waypost doctor root looks into it, or serve it and check its URL"),
        (("site", "--base", f"{BASE}/blog/"), "into an empty folder as blog"),
        (("site/sitemap.xml",), "is one document: waypost sitemap check"),
        (("site/robots.txt",), "is one document: waypost robots check"),
        (("ftp://example.com",), "only http and https"),
        (("https://user:pw@example.com",), "user name or password"),
        ((BASE, "--suite", "2020.01.01"), "there is no suite 2020.01.01; there is 2026.06.10"),
        ((BASE, "--fail-on", "some"), "one of error, warn, info, never"),
        ((BASE, "--probe", "some"), "a number up to 50,000, or all"),
        ((BASE, "--probe", "1" * 5_000), "a number up to 50,000, or all"),
        ((BASE, "--delay", "soon"), "write a time such as 30s or 500ms"),
        ((BASE, "--format", "word"), "word"),
        ((BASE, "--output", "no/such/place.json"), "its directory does not exist"),
        ((BASE, "--baseline", "none.json"), "no such file"),
        ((BASE, "--baseline", "site/robots.txt"), "no JSON or HTML report of waypost"),
        ((BASE, "--replay", "site"), "site"),
        ((BASE, "--allow-private", "169.254.169.254"), "a cloud metadata address is never asked"),
        ((BASE, "--allow-private", "224.0.0.0/4"), "a multicast address is never asked"),
        ((BASE, "--config", "none.toml"), "cannot read none.toml"),
        (("-",), "names no target"),
    ],
)
def test_a_mistake_is_one_sentence_and_2(site: Path, words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_a_host_that_does_not_resolve_is_one_sentence_and_3_and_the_json_is_printed(site: Path) -> None:
    done = run("https://nosuch.invalid", "--format", "json")
    assert done.exit_code == 3
    assert done.stderr == "waypost: https://nosuch.invalid: the host name does not resolve (nosuch.invalid)\n"
    document = json.loads(done.stdout)
    assert (document["reached"], document["status"]) == (False, "fail")
    done = run("https://nosuch.invalid")
    assert (done.exit_code, done.stderr) == (3, "")
    assert done.stdout.splitlines()[1] == "  https://nosuch.invalid: the host name does not resolve (nosuch.invalid)"
    assert "of 1.00\n" not in done.stdout.partition("next")[2]


def test_a_crashed_rule_is_4_and_never_a_pass(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(robots: Robots) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(seen, "RULES", (*RULES, Rule("XXX001", Step.ROBOTS, Severity.INFO, RULES[0].fix, broken)))
    done = check(site)
    assert done.exit_code == 4
    assert "XXX001" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_the_worst_of_a_list_is_4_2_1_3_0() -> None:
    order = [ExitCode.INTERNAL, ExitCode.USAGE, ExitCode.FINDINGS, ExitCode.UNREACHABLE, ExitCode.CLEAN]
    assert [int(code) for code in order] == [4, 2, 1, 3, 0]
    for place in range(len(order)):
        assert worst(order[place:]) is worst(order[place:][::-1]) is order[place]
    assert worst([]) is ExitCode.CLEAN


@pytest.fixture
def web() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A good site on loopback, and the header fields it was asked with."""
    asked: list[dict[str, str]] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append({"path": self.path, **dict(self.headers)})
            text = urlset(f"<loc>http://{self.headers['Host']}/a</loc>") if self.path == "/sitemap.xml" else "no"
            self.send_response(200 if self.path == "/sitemap.xml" else 404)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def test_a_list_is_judged_in_its_order_and_each_target_once(
    web: tuple[str, list[dict[str, str]]], tmp_path: Path
) -> None:
    origin, _ = web
    given = f"# ours\n{DEAD}\n\n{origin}\n{origin}\nftp://x\n"
    done = run("-", "--format", "jsonl", "--save", str(tmp_path / "kept"), given=given)
    assert [json.loads(line)["target"] for line in done.stdout.splitlines()] == [DEAD, origin]
    assert done.exit_code == 2
    assert "only http and https" in done.stderr
    assert len(list((tmp_path / "kept").iterdir())) == 2
    assert run("-", "--format", "jsonl", given=f"{DEAD}\n{origin}\n").exit_code == 3
    assert isinstance(json.loads(run("-", "--format", "json", given=f"{origin}\n").stdout), list)


def test_who_asks_is_said(web: tuple[str, list[dict[str, str]]]) -> None:
    origin, asked = web
    assert run(origin, "--user-agent", "me/1.0").exit_code == 0
    assert {row["User-Agent"] for row in asked} == {"me/1.0"}
    assert asked[0]["path"] == "/robots.txt"


def test_several_outputs_at_once(site: Path) -> None:
    done = check(site, "--format", "text", "-o", "a.html", "-o", "b.sarif", "-o", "c.json")
    assert done.stdout.startswith(BASE)
    assert [Path(name).stat().st_size > 500 for name in ("a.html", "b.sarif", "c.json")] == [True] * 3
    assert done.stderr.splitlines() == ["wrote a.html", "wrote b.sarif", "wrote c.json"]


def test_what_is_saved_is_judged_alike_without_asking(site: Path) -> None:
    (site / "sitemap.xml").write_text(WARNING)
    first = check(site, "--save", "kept", "--format", "json").stdout
    (site / "sitemap.xml").unlink()
    assert run("--replay", "kept", "--format", "json").stdout == first
    assert run("--replay", "kept", "--save", "again", "--format", "json").stdout == first
    assert run("--replay", "again", "--format", "json").stdout == first


@pytest.mark.parametrize("form", ["text", "json", "html", "sarif", "junit", "csv", "markdown", "github"])
def test_half_a_character_in_a_url_of_a_capture_is_shown_like_any_other(site: Path, form: str) -> None:
    (site / "robots.txt").write_text("User-agent: *\nDisalow: /cart\n")
    check(site, "--save", "kept")
    path = Path("kept/0001-robots.capture")
    path.write_bytes(path.read_bytes().replace(b'/robots.txt"', b'/\\ud800.txt"', 1))
    done = run("--replay", "kept", "--format", form)
    assert done.exit_code == 0
    assert "RBT306" in done.stdout


def test_captures_of_a_stranger_say_nothing_to_the_terminal_itself(site: Path) -> None:
    check(site, "--save", "kept")
    index = Path("kept/index.json")
    whole = index.read_text()
    for change in (
        {"version": "\x1b]0;x\x07"},
        {"about": {"target": "ftp\x1b]0;x\x07://a"}},
        {"about": {"target": "\x9b2J"}},
    ):
        index.write_text(json.dumps(json.loads(whole) | change))
        done = run("--replay", "kept")
        assert done.exit_code == ExitCode.USAGE
        assert done.stderr.removesuffix("\n").isprintable()


def test_captures_are_never_saved_over_while_they_are_replayed(site: Path) -> None:
    check(site, "--save", "kept")
    before = {path.name: path.read_bytes() for path in Path("kept").iterdir()}
    done = run("--replay", "kept", "--save", "site/../kept")
    assert done.exit_code == ExitCode.USAGE
    assert "--save" in done.stderr
    assert {path.name: path.read_bytes() for path in Path("kept").iterdir()} == before


def test_fingerprints_stay_and_a_baseline_lets_known_findings_pass(site: Path) -> None:
    (site / "sitemap.xml").write_text(urlset(f"<loc>{BASE}/a</loc>", "<loc>/a</loc>"))
    check(site, "-o", "before.json")
    assert check(site, "--baseline", "before.json").exit_code == 0
    (site / "sitemap.xml").write_text(urlset(f"<loc>{BASE}/a</loc>", "<loc>/a</loc>", "<loc>/b</loc>"))
    before, after = findings(json.loads(Path("before.json").read_text())), findings(report(site))
    assert before["SMP215"]["fingerprint"] == after["SMP215"]["fingerprint"]
    assert (before["SMP215"]["count"], after["SMP215"]["count"]) == (1, 2)
    (site / "sitemap.xml").write_text(
        urlset(f"<loc>{BASE}/a</loc>", "<loc>/a</loc>", "<loc>mailto:a@example.com</loc>")
    )
    done = check(site, "--baseline", "before.json", "--format", "json")
    assert done.exit_code == 1
    found = findings(json.loads(done.stdout))
    assert (found["SMP215"]["new"], found["SMP216"]["new"]) == (False, True)
    assert found["TRD001"]["severity"] == "warn"


@pytest.mark.parametrize("name", ["before.json", "before.jsonl", "before.html"])
def test_a_baseline_may_be_any_report_that_holds_its_json(site: Path, name: str) -> None:
    (site / "sitemap.xml").write_text(urlset(f"<loc>{BASE}/a</loc>", "<loc>/a</loc>"))
    assert check(site, "-o", name).exit_code == 1
    assert check(site, "--baseline", name).exit_code == 0


@pytest.mark.parametrize(
    "odd",
    [
        f'{{"score": {10**400}, "checks": []}}',
        '{"checks": [{"id": "sitemap", "steps": [{"id": "parse", "evidence": {"best": {"entries": 1e999}}}]}]}',
        '{"checks": [{"id": "sitemap", "steps": [{"id": "parse", "evidence": {"best": {"newest": 1e999}}}]}]}',
        '{"checks": [], "given": []}\n{"checks": [], "target": {}}',
    ],
)
def test_a_baseline_of_any_hand_breaks_nothing(site: Path, odd: str) -> None:
    Path("odd.json").write_text(odd)
    assert check(site, "--baseline", "odd.json").exit_code == 0


def test_in_a_list_each_target_is_measured_by_its_own_earlier_result(
    web: tuple[str, list[dict[str, str]]], tmp_path: Path
) -> None:
    origin, _ = web
    other, kept, before = (
        origin.replace("127.0.0.1", "localhost"),
        str(tmp_path / "kept"),
        str(tmp_path / "before.json"),
    )
    lines = f"{origin}\n{other}\n"
    done = run("-", "--format", "json", "--fail-on", "info", "--save", kept, given=lines)
    first = json.loads(done.stdout)
    assert done.exit_code == 1
    assert json.loads(run("-", "--format", "json", "--replay", kept, given=lines).stdout) == first
    Path(before).write_text(json.dumps(first))
    assert run("-", "--fail-on", "info", "--replay", kept, "--baseline", before, given=lines).exit_code == 0
    Path(before).write_text(json.dumps(first[:1]))
    done = run("-", "--fail-on", "info", "--replay", kept, "--baseline", before, "--format", "json", given=lines)
    news = [
        [one["new"] for row in document["checks"] for one in row["findings"]] for document in json.loads(done.stdout)
    ]
    assert done.exit_code == 1
    assert (any(news[0]), all(news[1])) == (False, True)


def test_a_projects_opinion_counts_until_it_expires(site: Path) -> None:
    (site / "sitemap.xml").write_text(
        urlset(f"<loc>{BASE}/a</loc><lastmod>x</lastmod><priority>2</priority>", "<loc>/a</loc>")
    )
    Path("pyproject.toml").write_text(
        '[tool.waypost.severity]\nSMQ301 = "info"\ninvalid-priority = "off"\n'
        '[tool.waypost.ignore]\nSMP215 = { until = "2999-12-31", reason = "later" }\nRBT320 = 2020-01-01\n'
    )  # fmt: skip
    done = check(site, "--format", "json")
    found = findings(json.loads(done.stdout))
    assert done.exit_code == 0
    assert found["SMQ301"]["severity"] == "info"
    assert not {"SMP215", "SMQ312"} & set(found)
    assert "RBT320" in found
    Path("waypost.toml").write_text('ignore = ["SMQ301", { rule = "SMP215", until = 2020-01-01 }]\n')
    done = check(site, "--format", "json")
    assert (done.exit_code, "SMQ301" in findings(json.loads(done.stdout))) == (1, False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ignore]\nXXX999 = true\n", "there is no such rule"),
        ('[severity]\nSMQ301 = "loud"\n', "one of error, warn, info, off"),
        ("severity = 3\n", "severity is a table"),
        ('[ignore]\nSMQ301 = "soon"\n', "a day such as 2026-12-31"),
        ("ignore = [3]\n", 'needs rule = "CODE"'),
        ('[severity]\nSMQ301 = ["warn"]\n', "one of error, warn, info, off"),
        ("[ignore\n", "is no TOML"),
        (f"a = {'1' * 5_000}\n", "is no TOML"),
        (f"a = {'[' * 5_000}\n", "is no TOML"),
    ],
)
def test_an_opinion_that_means_nothing_is_2(site: Path, text: str, said: str) -> None:
    Path("waypost.toml").write_text(text)
    done = check(site)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_a_project_file_whose_part_of_ours_is_no_table_is_2(site: Path) -> None:
    Path("pyproject.toml").write_text("[tool]\nwaypost = 3\n")
    done = check(site)
    assert (done.exit_code, done.stderr) == (2, "waypost: pyproject.toml: tool.waypost is a table\n")


def test_the_last_day_of_the_calendar_is_a_day_to_ignore_until(site: Path) -> None:
    (site / "sitemap.xml").write_text(WARNING)
    Path("waypost.toml").write_text("[ignore]\nSMQ301 = 9999-12-31\n")
    assert "SMQ301" not in findings(report(site))


def test_a_broken_project_file_that_nobody_named_is_not_our_business(site: Path) -> None:
    Path("pyproject.toml").write_text("[tool\n")
    assert check(site).exit_code == 0
    assert check(site, "--config", "pyproject.toml").exit_code == 2


def test_every_place_where_it_is_asked_for(site: Path) -> None:
    rows = [f"<loc>{BASE}/{n}</loc><lastmod>x</lastmod>" for n in range(12)]
    (site / "sitemap.xml").write_text(urlset(*rows))
    few, all_of_them = (findings(report(site, *words))["SMQ301"] for words in ((), ("--all-findings",)))
    assert (few["count"], len(few["places"])) == (12, 5)
    assert (all_of_them["count"], len(all_of_them["places"])) == (12, 12)


def test_the_suite_is_pinned_and_named(site: Path) -> None:
    assert report(site, "--suite", "2026.06.10")["suite"] == "2026.06.10"


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "junit", "github", "markdown", "html", "csv"])
def test_nothing_a_server_wrote_reaches_a_screen_raw(site: Path, form: str) -> None:
    hostile = "\x1b[31mred\u202e\u200b\u0085"
    (site / "robots.txt").write_text(f"User-agent: *\nDisallow: /{hostile}\nDisalow: {hostile}\n{hostile}\n")
    done = check(site, "--format", form, "--fail-on", "never", "--all-findings")
    assert done.exit_code == 0
    assert not {"\x1b", "\u202e", "\u200b", "\u0085"} & set(done.stdout)
