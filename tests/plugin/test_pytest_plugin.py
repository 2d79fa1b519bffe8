"""The pytest plugin in a real pytest run: found by its entry point, with every kind of client it knows, and a URL."""

import os
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}/a</loc></url></urlset>'
SITE = """
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}/a</loc></url></urlset>'
def answer(origin, path):
    if path == "/robots.txt":
        return 200, "text/plain", f"User-agent: *\\nAllow: /\\nSitemap: {origin}/map\\n"
    if path == "/map":
        return 200, "application/xml", URLSET.format(origin)
    return (200 if path in {"/", "/a"} else 404), "text/html", "<!doctype html><title>t</title>"
"""
FLASK = """
import gzip
import pytest
from flask import Flask, redirect, request
from site_under_test import answer

app = Flask("site")

@app.get("/<path:path>")
def page(path):
    if path == "sitemap.xml":
        return redirect("/map")
    status, kind, text = answer(request.host_url.rstrip("/"), f"/{path}")
    return gzip.compress(text.encode()), status, {"Content-Type": kind, "Content-Encoding": "gzip"}

def test_flask(assert_crawlable):
    result = assert_crawlable(app.test_client(), fail_on="warn")
    assert (result.target, result.score) == ("http://localhost", 1.0)

def test_flask_as_another_origin(assert_crawlable):
    for base in ("https://www.example.com/", "https://WWW.Example.com:443"):
        assert assert_crawlable(app.test_client(), base=base).target == "https://www.example.com"
"""
DJANGO = """
import django
import pytest
from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import re_path
from site_under_test import answer

def page(request):
    status, kind, text = answer(request.build_absolute_uri("/").rstrip("/"), request.path)
    return StreamingHttpResponse([text.encode()], status=status, content_type=kind)

urls = type("urls", (), {"urlpatterns": [re_path(".*", page)]})
settings.configure(ALLOWED_HOSTS=["testserver", "example.com"], ROOT_URLCONF=urls, SECRET_KEY="x")
django.setup()

def test_django(assert_crawlable):
    from django.test import Client
    assert assert_crawlable(Client()).target == "http://testserver"
    assert assert_crawlable(Client(), base="https://example.com").score == 1.0
"""
STARLETTE = """
import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from site_under_test import answer

async def page(request):
    status, kind, text = answer(f"{request.url.scheme}://{request.url.netloc}", request.url.path)
    return Response(text, status, media_type=kind)

app = Starlette(routes=[Route("/{path:path}", page)])

def test_starlette(assert_crawlable):
    assert assert_crawlable(TestClient(app), probe=1).target == "http://testserver"
    assert assert_crawlable(TestClient(app, base_url="https://example.com")).score == 1.0
"""
BROKEN = """
from flask import Flask
app = Flask("site")

@app.get("/sitemap.xml")
def sitemap():
    return "<urlset"

def test_broken(assert_crawlable):
    assert_crawlable(app.test_client())

def test_elsewhere(assert_crawlable):
    assert_crawlable(app.test_client(), fail_on="sometimes")

def test_something_else(assert_crawlable):
    assert_crawlable(object())

def test_settings_of_the_network(assert_crawlable):
    assert_crawlable(app.test_client(), allow_private=["10.0.0.1"])
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A folder of tests, and waypost as it is when it is installed: with the entry points of its pyproject."""
    info = tmp_path / "installed" / "waypost-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: waypost\nVersion: 0\n")
    rows = "".join(f"{name} = {home}\n" for name, home in PROJECT["entry-points"]["pytest11"].items())
    (info / "entry_points.txt").write_text(f"[pytest11]\n{rows}")
    (tmp_path / "site_under_test.py").write_text(SITE)
    return tmp_path


def run(suite: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT / "src"), str(suite / "installed"), str(suite)])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", *words]
    environment = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=suite, capture_output=True, text=True, env=environment, check=False, timeout=100)


def test_a_crawlable_application_passes_with_every_client(suite: Path) -> None:
    for name, text in (("flask", FLASK), ("django", DJANGO), ("starlette", STARLETTE)):
        (suite / f"test_{name}.py").write_text(text)
    done = run(suite)
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


def test_one_that_is_not_fails_with_the_report(suite: Path) -> None:
    (suite / "test_broken.py").write_text(BROKEN)
    done = run(suite)
    assert "4 failed" in done.stdout
    assert "not crawlable" in done.stdout
    assert "SMP201" in done.stdout
    assert "fail_on='sometimes': it is one of error, warn, info, never" in done.stdout
    assert "object is no test client" in done.stdout
    assert "a test client takes no allow_private" in done.stdout
    assert "testing.py" not in done.stdout.partition("test_elsewhere")[0]


@pytest.fixture
def served() -> Iterator[str]:
    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = URLSET.format(f"http://{self.headers['Host']}") if self.path == "/sitemap.xml" else "no"
            self.send_response(200 if self.path == "/sitemap.xml" else 404)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_running_site_is_judged_by_its_url_and_with_the_projects_own_severities(suite: Path, served: str) -> None:
    (suite / "test_url.py").write_text(
        f"def test_plain(assert_crawlable): assert_crawlable('{served}', site_s=20.0)\n"
        f"def test_strict(assert_crawlable): assert_crawlable('{served}', fail_on='warn')\n"
        "def test_gone(assert_crawlable): assert_crawlable('http://127.0.0.1:1')\n"
    )
    (suite / "pyproject.toml").write_text("[tool.waypost.severity]\nSMF110 = 'off'\n")
    done = run(suite)
    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout
    assert "test_gone" in done.stdout


def test_loading_the_plugin_loads_nothing_else_of_ours() -> None:
    code = "import sys, waypost.pytest_plugin; print([m for m in sys.modules if m.startswith('waypost.')])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert done.stdout == "['waypost.pytest_plugin']\n"
