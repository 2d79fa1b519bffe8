"""Several formats to several places, and the command that re-opens a report."""

import io
import json
import os
import re
import stat
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from tests.report import samples

from waypost.cli import writing
from waypost.cli.outputs import Output, Outputs, plan, terminal_view
from waypost.errors import ConfigError, StoreError
from waypost.report.formats import FORMATS, Format, format_for_file, format_named
from waypost.report.view import View


def rows(formats: list[str], files: list[str]) -> list[tuple[str, str]]:
    return [(row.format.name, row.place) for row in plan(formats, files)]


@pytest.mark.parametrize(
    ("formats", "files", "meant"),
    [
        ([], [], [("text", "-")]),
        (["json"], [], [("json", "-")]),
        ([], ["report.html"], [("html", "report.html")]),
        ([], ["a.sarif", "b.xml", "c.MD"], [("sarif", "a.sarif"), ("junit", "b.xml"), ("markdown", "c.MD")]),
        (["json"], ["out.txt"], [("json", "out.txt")]),
        (["json"], ["-"], [("json", "-")]),
        (["html", "sarif"], ["a.html", "b.sarif"], [("html", "a.html"), ("sarif", "b.sarif")]),
        (["html", "sarif"], ["b.sarif", "a.html"], [("sarif", "b.sarif"), ("html", "a.html")]),
        (["junit", "json"], ["x.out", "y.out"], [("junit", "x.out"), ("json", "y.out")]),
        (["text", "html"], ["r.html"], [("html", "r.html"), ("text", "-")]),
        (["github", "json"], ["r.json"], [("json", "r.json"), ("github", "-")]),
        (["text"], ["r.html", "s.sarif"], [("html", "r.html"), ("sarif", "s.sarif"), ("text", "-")]),
        (["github"], ["r.json"], [("json", "r.json"), ("github", "-")]),
        (["text"], ["r.log"], [("text", "r.log")]),
        (["text"], ["r.txt"], [("text", "r.txt")]),
        (["sarif"], ["r.json"], [("sarif", "r.json")]),
        (["json,html"], ["r.html"], [("html", "r.html"), ("json", "-")]),
        (["json"], ["a.json", "b.sarif.json"], [("json", "a.json"), ("sarif", "b.sarif.json")]),
        (["json", "json"], ["a.json", "b.json"], [("json", "a.json"), ("json", "b.json")]),
    ],
)
def test_formats_and_files_find_each_other(formats: list[str], files: list[str], meant: list[tuple[str, str]]) -> None:
    assert rows(formats, files) == meant


@pytest.mark.parametrize(
    ("formats", "files", "said"),
    [
        (["yaml"], [], "there is no format 'yaml'; there is text, json"),
        (["json\u202e"], [], "there is no format 'json\\u202e'"),
        (["json", "html"], [], "json and html cannot share the standard output"),
        (["json", "html", "csv"], ["a.json"], "html and csv cannot share the standard output"),
        (["json", "json"], [], "--format json is given twice"),
        ([], ["report"], "the name report does not say its format"),
        (["json"], ["a.json", "b"], "the name b does not say its format"),
        ([], ["a.json", "a.json"], "--output a.json is given twice"),
        (["json"], [""], "--output needs the name of a file"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_sentence(formats: list[str], files: list[str], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        plan(formats, files)
    assert said in str(caught.value)


def test_every_format_has_a_renderer_a_help_and_its_own_endings() -> None:
    endings = [ending for known in FORMATS for ending in known.endings]
    assert len(endings) == len(set(endings))
    for known in FORMATS:
        assert known.help
        assert known.render([samples.passing()], View())
        assert all(format_for_file(f"dir.x/report{ending}") is known for ending in known.endings)
    assert [known.name for known in FORMATS] == [
        "text",
        "json",
        "jsonl",
        "sarif",
        "junit",
        "github",
        "markdown",
        "csv",
        "html",
    ]


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_a_report_of_very_many_places_is_never_in_memory_as_a_whole(known: Format, tmp_path: Path) -> None:
    result = samples.crowded(30_000)
    file = tmp_path / "report"
    sink = Outputs([Output(known, str(file))])
    sink.add(result)
    tracemalloc.start()
    try:
        sink.finish()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4_000_000
    text = file.read_bytes().decode()
    assert text == known.render([result], View())
    if known.name in {"text", "json", "jsonl", "sarif", "markdown", "html"}:
        assert "the lastmod of entry 30000" in text


def test_streams_come_at_once_and_documents_at_the_end(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    sink = Outputs([Output(format_named("jsonl")), Output(format_named("json"), str(file))], View(is_list=True))
    sink.add(samples.passing())
    assert capfd.readouterr().out.count("\n") == 1
    sink.add(samples.failing())
    assert capfd.readouterr().out.count("\n") == 1
    assert not file.exists()
    assert sink.finish() == [str(file)]
    assert [report["status"] for report in json.loads(file.read_text())] == ["pass", "fail"]
    assert capfd.readouterr().out == ""


def test_files_are_replaced_whole_and_keep_their_mode(tmp_path: Path) -> None:
    file, link = tmp_path / "r.csv", tmp_path / "link.csv"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    sink = Outputs([Output(format_named("csv"), str(link))])
    sink.add(samples.hostile())
    sink.finish()
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.read_bytes().count(b"\r\n") == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.csv", "r.csv"]


@pytest.mark.parametrize(("name", "said"), [(".", "is a directory"), ("missing/r.json", "no such file")])
def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path, name: str, said: str) -> None:
    sink = Outputs([Output(format_named("json"), str(tmp_path / name))])
    sink.add(samples.passing())
    with pytest.raises(StoreError, match=said):
        sink.finish()


def test_nothing_is_left_behind_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "r.json").write_text("old")
    monkeypatch.setattr(writing.os, "fdopen", full)
    sink = Outputs([Output(format_named("json"), str(tmp_path / "r.json"))])
    sink.add(samples.passing())
    with pytest.raises(StoreError, match="no space left on device"):
        sink.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
    assert (tmp_path / "r.json").read_text() == "old"


def test_a_device_is_written_and_not_replaced() -> None:
    sink = Outputs([Output(format_named("json"), os.devnull)])
    sink.add(samples.passing())
    assert sink.finish() == [os.devnull]
    assert not Path(os.devnull).is_file()


class Screen:
    """A terminal, as far as a program can tell."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("environment", "colour"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colour: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", Screen())
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((132, 40)))
    assert terminal_view() == View(columns=132, has_colour=colour)


def waypost(*words: str, data: bytes = b"", encoding: str = "utf-8") -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "waypost", *words]
    return subprocess.run(command, input=data, capture_output=True, timeout=60, check=False, env=environment)


@pytest.mark.parametrize("origin", ["html", "json", "jsonl"])
def test_a_report_is_reopened_in_every_format(tmp_path: Path, origin: str) -> None:
    file = tmp_path / f"report.{origin}"
    result = samples.hostile()
    file.write_text(format_named(origin).render([result], View()), "utf-8")
    for known in FORMATS:
        done = waypost("report", str(file), "--format", known.name)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == known.render([result], View())


def test_a_report_goes_to_files_and_stdin_is_read(tmp_path: Path) -> None:
    data = format_named("json").render([samples.warning()], View()).encode()
    page, log = tmp_path / "r.html", tmp_path / "r.sarif"
    done = waypost("report", "-", "-o", str(page), "-o", str(log), data=data)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode().splitlines() == [f"wrote {page}", f"wrote {log}"]
    again = waypost("report", str(page), "--format", "json")
    assert json.loads(again.stdout) == samples.document(samples.warning())


@pytest.mark.parametrize(
    ("words", "data", "said"),
    [
        (["missing.json"], b"", "cannot read missing.json: no such file or directory"),
        ([], b"", "name the report to open"),
        (["-"], b"<p>hello</p>", "the file is no waypost report"),
        (["-"], b"[", "the file is no waypost report"),
        (["-", "--format", "pdf"], b"{}", "there is no format 'pdf'"),
        (["-", "--format", "json", "--format", "csv"], b"{}", "json and csv cannot share the standard output"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_2(words: list[str], data: bytes, said: str) -> None:
    done = waypost("report", *words, data=data)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"waypost: {said}")
    assert done.stderr.count(b"\n") == 1


def test_a_terminal_that_knows_ascii_only_gets_ascii() -> None:
    data = format_named("json").render([samples.hostile()], View()).encode()
    done = waypost("report", "-", data=data, encoding="ascii")
    assert done.stdout.isascii()
    assert b"! warn" in done.stdout
    as_csv = waypost("report", "-", "--format", "csv", data=data, encoding="ascii")
    assert (as_csv.returncode, as_csv.stdout.isascii()) == (0, True)


def test_the_schema_is_there_to_be_had() -> None:
    done = waypost("report", "--schema")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["$id"] == "urn:waypost:schema:report:1.0.0"


def test_a_screen_of_unknown_width_and_encoding_gets_the_plainest(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(Screen):
        encoding = "latin-1"

        def fileno(self) -> int:
            raise OSError("no descriptor")

    monkeypatch.setattr(sys, "stdout", Odd())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert terminal_view() == View(columns=80, has_colour=True, has_unicode=False)


def test_a_stdout_of_text_alone_is_written_too(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = io.StringIO()
    monkeypatch.setattr(sys, "stdout", sink)
    outputs_of = Outputs([Output(format_named("github"))])
    outputs_of.add(samples.passing())
    assert sink.getvalue().startswith("::notice title=waypost::")


def test_texts_of_several_targets_stand_apart(capfd: pytest.CaptureFixture[str]) -> None:
    sink = Outputs([Output(format_named("text"))])
    sink.add(samples.passing())
    sink.add(samples.failing())
    assert "\n\nhttps://example.com  ✗ fail" in capfd.readouterr().out


def test_the_page_about_reports_names_every_format_and_ending() -> None:
    page = (Path(__file__).parents[2] / "docs" / "do" / "reports.md").read_text("utf-8")
    for known in FORMATS:
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{known.name}` |")]
        assert re.findall(r"`(\.[a-z.]+)`", row) == list(known.endings)
