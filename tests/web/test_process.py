"""The process `waypost serve` runs: signals, workers, slow peers, what it keeps, what it says."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import psutil
import pytest
from tests.web import roots
from tests.web.client import environment, parse, read_all, uvicorn, waypost

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
DOCUMENTS = (
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap.txt",
    "/robots.xml",
    "/feeds.opml",
    "/feed.atom",
    "/feed.rss",
    "/feed.json",
    "/docs/intro",
)


def locs(body: bytes) -> list[str]:
    return [element.text or "" for element in ET.fromstring(body).iter(LOC)]


@pytest.fixture(scope="module")
def big(tmp_path_factory) -> Path:
    return roots.many(tmp_path_factory.mktemp("big"), 50_001)


def get(path: str, *lines: str, host: str = "example.com") -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *lines, "", ""]).encode()


@pytest.mark.slow
def test_spec_50_001_pages_are_an_index_with_parts_that_hold_each_page_once(big, tmp_path):
    with waypost(str(big), log=tmp_path / "log") as server:
        index = server.ask("/sitemap.xml")
        parts = locs(index.body)
        assert len(parts) == 11
        assert parts[0] == "http://example.com/sitemaps/sitemap-0001.xml"
        assert server.ask("/sitemap_index.xml").body == index.body
        assert server.ask("/sitemap.txt").status == 404
        found = [loc for part in parts for loc in locs(server.ask(part.removeprefix("http://example.com")).body)]
        assert sorted(found) == [f"http://example.com/page-{number:06}" for number in range(50_001)]
        tags = {part: server.ask(part.removeprefix("http://example.com")).headers["etag"] for part in parts}
        victim = next((big / "content").glob("00/*.json"))
        (victim.with_suffix("")).unlink()
        after = {part: server.ask(part.removeprefix("http://example.com")) for part in parts[:-1]}
        assert server.ask("/sitemap.xml").headers["etag"] != index.headers["etag"]
        assert server.ask("/sitemap.xml").body.startswith(b"<?xml")
        # 50,000 are left: one file again.
        assert all(answer.status == 404 for answer in after.values())
        assert len(locs(server.ask("/sitemap.xml").body)) == 50_000
        assert len(tags) == 11
        (victim.with_suffix("")).write_text("# Back\n")
        assert {part: server.ask(part.removeprefix("http://example.com")).headers["etag"] for part in parts} != {}
        assert "objects" in server.ask("/readyz", host="127.0.0.1").text


@pytest.mark.slow
def test_validators_are_the_same_in_every_worker_and_after_a_restart(tmp_path):
    root = roots.starter(tmp_path / "root")
    time.sleep(3)  # what changed in this moment has no Last-Modified yet
    seen: dict[str, set[tuple[str, str]]] = {path: set() for path in DOCUMENTS}
    for run in range(2):
        with waypost(str(root), "--workers", "4", log=tmp_path / f"log{run}") as server:
            for _ in range(12):
                for path in DOCUMENTS:
                    answer = server.ask(path)
                    seen[path].add((answer.headers["etag"], answer.headers.get("last-modified", "")))
    for path, validators in seen.items():
        assert len(validators) == 1, (path, validators)


@pytest.mark.slow
def test_every_worker_is_true_to_the_disk_on_every_request(tmp_path):
    root = roots.starter(tmp_path / "root")
    with waypost(str(root), "--workers", "4", log=tmp_path / "log") as server:
        for number in range(300):
            if number % 3 == 2:
                (root / "content/fresh.md").unlink()
                assert server.ask("/fresh").status == 404
                assert b"/fresh<" not in server.ask("/sitemap.xml").body
            else:
                roots.write(root / "content/fresh.md", f"# Fresh {number}\n")
                assert f"Fresh {number}" in server.ask("/fresh").text
                assert b"/fresh<" in server.ask("/sitemap.xml").body


def test_a_nopressure_root_is_served_unchanged(tmp_path):
    root = roots.nopressure(tmp_path / "root")
    before = sorted(str(path) for path in root.rglob("*"))
    with waypost(str(root), log=tmp_path / "log") as server:
        assert locs(server.ask("/sitemap.xml").body) == [
            "http://example.com/id/00000000000003bb",
            "http://example.com/welcome",
        ]
        assert server.ask("/welcome").status == 200
        assert server.ask("/team/internal").status == 404
        assert server.ask("/id/00000000000002aa").body == server.ask("/id/0000000000000fff").body
    assert sorted(str(path) for path in root.rglob("*")) == before


@pytest.mark.slow
def test_spec_1_000_labels_each_with_its_own_documents(tmp_path):
    directory = roots.tenants(tmp_path / "sites", 1_000)
    with waypost("--sites", str(directory), log=tmp_path / "log") as server:
        for number in range(1_000):
            host = f"t{number}.blog.example.com"
            assert locs(server.ask("/sitemap.xml", host=host).body) == [
                f"http://{host}/",
                f"http://{host}/only-{number}",
            ]
        assert server.ask("/", host="t1000.blog.example.com").status == 421
        roots.write(directory / "tenants/t3/later.md", "# Later\n")
        assert "http://t3.blog.example.com/later" in locs(server.ask("/sitemap.xml", host="t3.blog.example.com").body)


@pytest.mark.slow
def test_sigterm_lets_answers_under_way_end(big, tmp_path):
    """A slow reader has begun to read a long part when the server is told to stop: it gets the whole of it."""
    with waypost(str(big), log=tmp_path / "log") as server:
        whole = server.ask("/sitemaps/sitemap-0001.xml").body
        slow = []
        for _ in range(10):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            connection.connect(("127.0.0.1", server.port))
            connection.settimeout(20)
            connection.sendall(get("/sitemaps/sitemap-0001.xml"))
            slow.append((connection, connection.recv(1_000)))
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        for connection, start in slow:
            answer = parse(start + read_all(connection))
            assert answer.body == whole
            connection.close()
        began = time.monotonic()
        assert server.process.wait(12) == 0
        assert time.monotonic() - began < 10


@pytest.mark.slow
def test_sighup_reads_everything_anew_and_loses_no_request(tmp_path):
    root = roots.starter(tmp_path / "root")
    with waypost(str(root), "--workers", "2", log=tmp_path / "log") as server:
        failures: list[str] = []
        count = 0
        stop = threading.Event()

        def ask() -> None:
            nonlocal count
            while not stop.is_set():
                try:
                    if server.ask("/sitemap.xml").status != 200:
                        failures.append("status")
                except Exception as error:
                    failures.append(repr(error))
                count += 1

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(10):
            server.process.send_signal(signal.SIGHUP)
            time.sleep(0.2)
        stop.set()
        for thread in threads:
            thread.join()
        assert not failures
        assert count > 100
        rescans = [
            int(line.split()[-1])
            for line in server.ask("/metrics", host="127.0.0.1").text.splitlines()
            if line.startswith("waypost_rescans{")
        ]
        assert rescans[0] > 0


@pytest.mark.slow
def test_half_sent_heads_are_closed_and_keep_nobody_out(tmp_path):
    root = roots.starter(tmp_path / "root")
    with waypost(str(root), log=tmp_path / "log") as server:
        slow = [server.connect() for _ in range(1_500)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: exam")
        began = time.monotonic()
        waits = []
        for _ in range(50):
            asked = time.monotonic()
            assert server.ask("/robots.txt").status == 200
            waits.append(time.monotonic() - asked)
        assert sorted(waits)[-3] < 1.0
        for connection in slow:
            connection.settimeout(max(0.1, 12 - (time.monotonic() - began)))
            try:
                while connection.recv(4_096):
                    pass
            except ConnectionError:
                pass
            connection.close()
        assert time.monotonic() - began < 12


@pytest.mark.slow
def test_idle_readers_of_a_long_body_cost_little(tmp_path):
    """100 readers of a 5 MB body who stop reading: at most 60 MB over idle."""
    root = roots.many(tmp_path / "root", 50_000)
    with waypost(str(root), log=tmp_path / "log") as server:
        length = len(server.ask("/sitemap.xml").body)
        assert length > 3_000_000
        workers = psutil.Process(server.process.pid).children(recursive=True)
        before = sum(worker.memory_info().rss for worker in workers)
        readers = []
        for _ in range(100):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(get("/sitemap.xml"))
            readers.append(connection)
        time.sleep(2)
        grown = sum(worker.memory_info().rss for worker in workers) - before
        for connection in readers:
            connection.close()
        assert grown < 60 * 1_048_576, grown
        assert server.ask("/robots.txt").status == 200


def test_a_file_replaced_while_it_is_served_comes_whole(tmp_path):
    root = roots.starter(tmp_path / "root")
    states = [bytes([65 + number]) * (1_500_000 + number) for number in range(4)]
    (root / "content/big.txt").write_bytes(states[0])
    stop = threading.Event()

    def replace() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            draft = root / "content/.draft"
            draft.write_bytes(states[number % 4])
            draft.replace(root / "content/big.txt")

    with waypost(str(root), log=tmp_path / "log") as server:
        thread = threading.Thread(target=replace)
        thread.start()
        try:
            for _ in range(150):
                assert server.ask("/big.txt").body in states
        finally:
            stop.set()
            thread.join()


WALK = """
import asyncio, gc, sys
sys.path.insert(0, {tests!r})
from tests.web.client import InProcess
from waypost.web.app import create

client = InProcess(create({root!r}, environment={{}}))
name = [chr(code) for code in {codes!r}]
for path in {paths!r}:
    for encoding in ("", "gzip"):
        client.ask(path, host="".join(name), accept_encoding=encoding)
client.ask("/sitemap.xml", host="".join(name), method="HEAD")
needle = "".join(name).encode()
gc.collect()  # what only a circle of garbage still refers to is not kept by anybody
found, seen = [], set()
todo = [one for one in gc.get_objects()]
skip = {{id(needle), id(name)}}
while todo:
    one = todo.pop()
    if id(one) in seen or id(one) in skip:
        continue
    seen.add(id(one))
    if isinstance(one, (bytes, str, bytearray, memoryview)):
        data = one.encode("utf-8", "replace") if isinstance(one, str) else bytes(one)
        if data.count(b"<loc>") > 1 and b"# the source" not in data:
            found.append(data[:200])
        if needle in data:
            found.append(data[:200])
        continue
    todo.extend(gc.get_referents(one))
    if len(seen) % 50_000 == 0:
        todo = [one for one in todo if id(one) not in seen]
print(len(seen), found)
sys.exit(bool(found))
"""


@pytest.mark.parametrize("split", [False, True])
def test_spec_no_retained_object_holds_a_document_or_a_host(tmp_path, split):
    """After requests for everything, every object the process can reach is looked at."""
    root = roots.starter(tmp_path / "root")
    if split:
        roots.write(root / "waypost.toml", "[sitemap]\nsplit_at = 2\npart_size = 3\n")
    codes = [ord(character) for character in "w4lk-the-heap.example"]
    paths = [
        *DOCUMENTS,
        "/sitemap_index.xml",
        "/sitemaps/sitemap-0001.xml",
        "/sitemaps/sitemap-0002.xml",
        "/nope",
        "/old-place",
        "/",
        "/style.css",
        "/docs/intro.md",
    ]
    code = WALK.format(tests=str(Path(__file__).parents[2]), root=str(root), codes=codes, paths=paths)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) > 20_000


def test_uvicorn_serves_a_directory_of_sites(tmp_path):
    directory = roots.tenants(tmp_path / "sites", 3)
    with uvicorn(tmp_path / "log", WAYPOST_SITES=str(directory)) as server:
        assert locs(server.ask("/sitemap.xml", host="t1.blog.example.com").body)[0] == "http://t1.blog.example.com/"


def serve(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "waypost", "serve", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment(**more), check=False)


def test_what_cannot_be_served_is_said_in_one_sentence_and_exit_2(tmp_path):
    (tmp_path / "file").write_text("")
    roots.write(tmp_path / "bad/waypost.toml", "tilte = 3\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, word in (
            ((), "say what to serve"),
            ((str(tmp_path), "--sites", str(tmp_path)), "say what to serve"),
            ((str(tmp_path / "missing"),), "not there"),
            ((str(tmp_path / "file"),), "a file"),
            ((str(tmp_path / "bad"),), "waypost.toml:1"),
            ((str(tmp_path), "--port", port), "cannot listen"),
            (("--sites", str(tmp_path)), "sites"),
        ):
            done = serve(*arguments)
            assert done.returncode == 2, (arguments, done)
            assert word in done.stderr
            assert "Traceback" not in done.stderr
            assert done.stdout == ""


def test_it_says_where_to_look_and_nothing_else(tmp_path):
    root = roots.starter(tmp_path / "root")
    with waypost(str(root), log=tmp_path / "log") as server:
        for _ in range(3):
            server.ask("/robots.txt")
        assert server.stop() == 0
        text = server.log.read_text()
    assert f"http://127.0.0.1:{server.port}/sitemap.xml" in text
    assert f"{len(roots.STARTER_PAGES)} pages" in text
    assert "1 object is withheld" in text
    assert "GET" not in text
    assert "broken.md.toml" in text


def test_spec_what_is_wrong_with_a_root_is_said_once_however_many_workers_read_it(tmp_path):
    root = roots.starter(tmp_path / "root")
    roots.write(root / "state/sys/tags.yaml", "staff: [")
    with waypost(str(root), "--workers", "3", log=tmp_path / "log") as server:
        for _ in range(30):
            server.ask("/robots.txt")
        assert server.stop() == 0
        text = server.log.read_text()
    assert text.count("broken.md.toml") == 1
    assert text.count("state/sys/tags.yaml:") == 1
    assert "every tagged object is withheld" in text


def test_a_worker_that_dies_is_replaced(tmp_path):
    root = roots.starter(tmp_path / "root")
    with waypost(str(root), "--workers", "2", log=tmp_path / "log") as server:
        victim = psutil.Process(server.process.pid).children()[0]
        os.kill(victim.pid, signal.SIGKILL)
        victim.wait(20)  # until it is gone, the kernel may still hand it connections
        server.wait("/robots.txt")
        assert server.ask("/sitemap.xml").status == 200
