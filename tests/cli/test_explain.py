"""`waypost explain`: exit codes, both formats, and a replay of what was saved."""

import json
from contextlib import nullcontext

import pytest
from typer.testing import CliRunner

from waypost.check import means
from waypost.cli.explain import app

ORIGIN = "https://example.com"


@pytest.fixture
def site(monkeypatch):
    from tests.check.test_explain import Site

    made = Site()

    monkeypatch.setattr(means, "_fetcher", lambda asked, *_: nullcontext(asked.fetcher or made))
    return made


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_text_says_the_conclusion_and_what_it_rests_on(site):
    done = run(f"{ORIGIN}/a")
    assert done.exit_code == 0, done.output
    text = done.stdout
    assert text.startswith(f"{ORIGIN}/a: open\n  it may be read and indexed\n")
    for part in ("line 2: Allow: /", "is entry 1, line 2 of", "canonical: names none", "\ntrail\n"):
        assert part in text


def test_json_has_everything_that_decides(site):
    done = run(f"{ORIGIN}/a", "--agent", "GPTBot", "--format", "json")
    row = json.loads(done.stdout)
    assert row["conclusion"] == "open"
    assert row["robots"][0]["line"] == 2
    assert row["listing"]["entry"] == 1
    assert [hop["purpose"] for hop in row["trail"]] == ["page", "robots", "sitemap"]


@pytest.mark.parametrize(("answer", "code"), [(404, 1), (200, 0)])
def test_the_exit_code_is_the_conclusion(site, answer, code):
    if answer != 200:
        site.at(f"{ORIGIN}/a", answer)
    assert run(f"{ORIGIN}/a").exit_code == code


def test_a_host_that_does_not_answer_is_exit_3_and_json_all_the_same(site):
    from waypost.check.capture import ErrorKind

    site.at(f"{ORIGIN}/a", ErrorKind.DNS_NO_NAME)
    done = run(f"{ORIGIN}/a", "-f", "json")
    assert done.exit_code == 3
    assert json.loads(done.stdout)["conclusion"] == "unreachable"


def test_a_bare_name_is_its_home_page(site):
    site.at(f"{ORIGIN}/", "<html><title>Home</title>text</html>")
    done = run("example.com", "-f", "json")
    assert json.loads(done.stdout)["url"].rstrip("/") == ORIGIN


def test_what_is_no_target_is_a_usage_error(site):
    done = run("ftp://example.com/")
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_a_body_that_is_not_what_it_claims_shows_its_first_bytes(site):
    site.at(f"{ORIGIN}/sitemap.xml", ("<!doctype html><title>oops</title>", {"content-type": "application/xml"}))
    assert "begins <!doctype html>" in run(f"{ORIGIN}/a").stdout


def test_control_characters_of_a_server_are_never_raw(site):
    site.at(f"{ORIGIN}/a", ("<html></html>", {"content-type": "text/html", "X-Robots-Tag": "no\x1b[31mindex\u202e"}))
    assert "\x1b" not in run(f"{ORIGIN}/a").stdout
    assert "\u202e" not in run(f"{ORIGIN}/a", "-f", "json").stdout


def test_saved_exchanges_replay_to_the_same_explanation(site, tmp_path):
    folder = str(tmp_path / "kept")
    first = run(f"{ORIGIN}/a", "--save", folder, "-f", "json")
    again = run(f"{ORIGIN}/a", "--replay", folder, "-f", "json")
    assert first.exit_code == again.exit_code == 0
    assert json.loads(first.stdout)["listing"] == json.loads(again.stdout)["listing"]
