"""`waypost demo`: a site is served, checked, broken in three instructive ways, and each break is found."""

import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from typing import NamedTuple

import typer

from waypost.check.drive import check
from waypost.check.rule import Severity
from waypost.cli.console import fail, printable
from waypost.cli.emit import columns, is_terminal
from waypost.cli.exit_codes import ExitCode
from waypost.cli.outputs import Output, Outputs
from waypost.errors import WaypostError
from waypost.report.formats import format_named
from waypost.site.starter import write_starter

__all__ = ["BREAKS", "app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_START_S = 30.0
_SHELL = b"<!doctype html><html><head><title>App</title></head><body><div id=root></div></body></html>"
_MARKS = {"pass": "+", "warn": "~", "fail": "x"}
_PASSED_ON = ("content-type", "location", "etag")
_NEXT = (
    ("check example.com", "any site you like"),
    ("init site", "a site of your own, to look into and change"),
    ("serve site", "the same, live from the folder"),
)


class Answer(NamedTuple):
    """What the healthy site says to one request, before a break changes it."""

    status: int
    headers: dict[str, str]
    body: bytes


class Break(NamedTuple):
    """One way a site breaks: what happened to it, and how its answers change."""

    name: str
    story: str
    change: Callable[[str, Answer], Answer]


def _spa_shell(path: str, answer: Answer) -> Answer:
    if path == "/robots.txt" or not path.startswith("/sitemap"):
        return answer
    return Answer(200, {"content-type": "text/html"}, _SHELL)


def _staging(path: str, answer: Answer) -> Answer:
    if path != "/robots.txt":
        return answer
    return answer._replace(body=b"User-agent: *\nDisallow: /\n")


def _foreign_host(path: str, answer: Answer) -> Answer:
    if not path.startswith("/sitemap"):
        return answer
    # An address and no name: nobody's name server, and no stranger, is asked for the sake of a demo.
    return answer._replace(body=answer.body.replace(b"<loc>http://127.0.0.1", b"<loc>http://127.0.0.2"))


BREAKS: tuple[Break, ...] = (
    Break("an app shell", "a single-page app answers every unknown path with its HTML, /sitemap.xml too", _spa_shell),
    Break("a staging robots.txt", "the robots.txt that closed the staging server went live", _staging),
    Break("another host's URLs", "the sitemap was built on another machine, and names that one", _foreign_host),
)
"""What the demo breaks, in order."""


@app.command()
def demo(
    report: Path = typer.Option(Path("waypost-demo.html"), help="Where the report of the last break goes."),
) -> None:
    """Serve a small site, check it, break it in three ways, and find each."""
    try:
        with tempfile.TemporaryDirectory(prefix="waypost-demo-") as folder:
            write_starter(Path(folder) / "site")
            _play(Path(folder) / "site", report)
    except WaypostError as error:
        fail(str(error))
    _farewell(report)


def _play(site: Path, report: Path) -> None:
    with _served(site) as port:
        origin = f"http://127.0.0.1:{port}"
        typer.echo(f"A small site is served at {origin}\n$ waypost check {origin}")
        _show(origin)
        for number, broken in enumerate(BREAKS, 1):
            with _broken(port, broken) as address:
                typer.echo()
                _say(f"Break {number} of {len(BREAKS)}: {broken.name}. Say {broken.story}.")
                typer.echo(f"$ waypost check {address}")
                _show(address, *([report] if number == len(BREAKS) else []))


def _farewell(report: Path) -> None:
    typer.echo(f"\nThe last report, with pictures: {printable(str(report))}  (open it in a browser)\nNow try")
    for words, reason in _NEXT:
        typer.echo(f"  {_typed()} {words:<20} {reason}")


def _typed() -> str:
    """What this command is called by who runs it: installed, or out of a clone."""
    if which("waypost"):
        return "waypost"
    front_door = Path(__file__).resolve().parents[3] / "run.py"
    return f"python3 {printable(os.path.relpath(front_door))}" if front_door.exists() else "python3 -m waypost"


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "waypost", *words]


def _show(origin: str, *reports: Path) -> None:
    """Check an origin, and show the verdict, the scored steps, and the findings above info."""
    result = check(origin)
    typer.echo(f"  sitemap check: {result.status.value}, score {result.score:.2f} of 1.00")
    for step in (step for one in result.checks if one.spec.id == "sitemap" for step in one.steps):
        typer.echo(f"    {_MARKS.get(step.status.value, '-')} {step.id:<14} {step.status.value}")
    for _, finding in result.findings():
        if finding.severity is not Severity.INFO:
            _say(f"  {finding.severity.value:<5} {finding.code} {finding.message}")
            _say(f"        fix: {finding.fix}")
    written = Outputs([Output(format_named("html"), str(path)) for path in reports])
    written.add(result)
    written.finish()


def _say(line: str) -> None:
    """A line, folded where somebody looks at it."""
    line = printable(line)
    folded = textwrap.wrap(line, columns(), subsequent_indent=" " * 8, break_on_hyphens=False, break_long_words=False)
    typer.echo("\n".join(folded) if is_terminal() else line)


@contextmanager
def _served(site: Path) -> Iterator[int]:
    port = _free_port()
    environment = os.environ | {"NO_COLOR": "1"}
    server = subprocess.Popen(  # noqa: S603 - our own command
        _command("serve", str(site), "--port", str(port)),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _await(server, port)
        yield port
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.communicate(timeout=10)
        server.kill()
        server.communicate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await(server: "subprocess.Popen[str]", port: int) -> None:
    """Wait until the server listens; one that ends instead has said why."""
    end = time.monotonic() + _START_S
    while time.monotonic() < end:
        if server.poll() is not None:
            said = server.stderr.read().strip() if server.stderr else ""
            fail(f"the demo's server ended: {said}", ExitCode.INTERNAL)
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    fail("the demo's server did not start in time", ExitCode.INTERNAL)


@contextmanager
def _broken(port: int, broken: Break) -> Iterator[str]:
    """A server in front of the healthy one that changes its answers."""

    class Front(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = broken.change(self.path, _asked(port, self.path, self.headers["Host"] or ""))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Say nothing: the terminal is for the findings."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Front) as front:
        threading.Thread(target=front.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{front.server_address[1]}"
        finally:
            front.shutdown()


def _asked(port: int, path: str, host: str) -> Answer:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        headers = {name: value for name in _PASSED_ON if (value := answer.headers.get(name))}
        return Answer(answer.status, headers, answer.read())
    finally:
        connection.close()
