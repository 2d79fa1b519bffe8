"""What the publisher must survive, spec/safety.md section 3, by number, asked of real servers over sockets."""

import contextlib
import http.client
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import psutil
import pytest
from tests.web import roots
from tests.web.client import Server, waypost
from tests.web.survival import DOCUMENTS, traversals
from tests.web.test_wire import request

READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


def may_mount() -> bool:
    done = subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False)
    return done.returncode == 0


def documents(server: Server) -> dict[str, tuple[int, str, bytes]]:
    answers = {path: server.ask(path) for path in (*DOCUMENTS, "/", "/docs/intro", "/nope")}
    return {path: (answer.status, answer.headers.get("etag", ""), answer.body) for path, answer in answers.items()}


def test_safety_2_a_server_that_was_killed_comes_back_with_the_same_answers(tmp_path):
    root = roots.many(roots.starter(tmp_path / "root"), 300, shards=16)
    roots.age(root, 60)
    with waypost(str(root), log=tmp_path / "log") as server:
        before = documents(server)
        family = [server.process.pid, *(child.pid for child in psutil.Process(server.process.pid).children())]
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                psutil.Process(pid).send_signal(signal.SIGKILL)
        server.process.wait(10)
    with waypost(str(root), log=tmp_path / "log2") as server:
        assert documents(server) == before


@pytest.mark.parametrize("kind", ["page", "file"])
def test_safety_7_what_is_replaced_while_it_is_served_comes_wholly_old_or_wholly_new(tmp_path, kind):
    root = roots.starter(tmp_path / "root")
    name, path = ("swap.md", "/swap.md") if kind == "page" else ("swap.txt", "/swap.txt")
    states = {(letter * (3_000 * (number + 1))).encode() for number, letter in enumerate("abcd")}
    roots.write(root / "content" / name, "a" * 3_000)
    stop = threading.Event()

    def replace() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            roots.write(root / "content" / name, "abcd"[number % 4] * (3_000 * (number % 4 + 1)))

    with waypost(str(root), log=tmp_path / "log") as server:
        writer = threading.Thread(target=replace)
        writer.start()
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        try:
            seen = set()
            for _ in range(1_500):
                connection.request("GET", path, headers={"Host": "example.com"})
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == 200
                assert int(answer.headers["content-length"]) == len(body)
                seen.add(body)
        finally:
            stop.set()
            writer.join()
            connection.close()
    assert seen <= states
    assert len(seen) > 1


def test_safety_12_a_server_out_of_descriptors_recovers_at_once(tmp_path):
    root = roots.starter(tmp_path / "root")
    within = ("sh", "-c", 'ulimit -n 256; exec "$@"', "sh")
    with waypost(str(root), log=tmp_path / "log", within=within) as server:
        for _ in range(2):
            held = [server.connect() for _ in range(400)]
            for connection in held:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: exam")
            time.sleep(0.3)
            for connection in held:
                connection.close()
            assert server.ask("/sitemap.xml").status == 200
            assert server.ask("/docs/intro").status == 200
            roots.write(root / "content/fresh.md", "# Fresh\n")
            assert "Fresh" in server.ask("/fresh").text
        assert server.process.poll() is None
        assert len(server.log.read_text()) < 20_000


@pytest.mark.skipif(not may_mount(), reason="no user namespaces here")
def test_safety_15_a_read_only_file_system_is_served_whole(tmp_path):
    root = roots.starter(tmp_path / "root")
    with waypost(str(root), log=tmp_path / "log") as server:
        before = documents(server)
    within = ("unshare", "-rm", "sh", "-c", READ_ONLY, str(tmp_path))
    with (tmp_path / "log2").open("wb"):
        pass
    with waypost(str(root), log=Path(f"/tmp/{tmp_path.name}.log"), within=within) as server:
        assert documents(server) == before
        roots.write(root / "content/outside.md", "# Written on the other side of the mount\n")
        assert server.ask("/outside").status == 200
    Path(f"/tmp/{tmp_path.name}.log").unlink()


def test_safety_20_no_line_of_the_log_is_longer_than_a_kilobyte(tmp_path):
    root = roots.starter(tmp_path / "root")
    roots.write(root / f"content/{'long-' * 40}.md.toml", "alias = [\n" + "x" * 10_000)
    roots.write(root / f"content/{'long-' * 40}.md", "# x\n")
    roots.write(root / "content/bidi.md", "---\nalias: '" + "\u202e" * 3_000 + "'\n---\n")
    with waypost(str(root), "--access-log", log=tmp_path / "log") as server:
        for data in (
            request("/" + "a" * 3_900),
            request("/" + "a" * 8_192),
            request("/", "X-Forwarded-Host: " + "a" * 20_000, "X-Forwarded-For: " + "1" * 5_000),
            request("/", "Referer: " + "b" * 20_000, "User-Agent: " + "c" * 8_000),
            request("/robots.txt", host="h" * 250),
        ):
            server.raw(data, quiet=2)
        server.stop()
        lines = server.log.read_text().splitlines()
    assert any("ignored" in line for line in lines)
    assert any('"GET /aaaa' in line for line in lines)
    assert max(map(len, lines)) <= 1_024


def test_safety_22_http_2_is_off(server):
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
    for data in (preface, preface + b"\0\0\4\3\0\0\0\0\1\0\0\0\0" * 500):
        answer = server.raw(data, quiet=2)
        assert not answer or answer.startswith(b"HTTP/1.1 4"), answer[:40]
    upgrade = request("/robots.txt", "Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c", "HTTP2-Settings: AA")
    answer = server.raw(upgrade, quiet=2)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"101 Switching" not in answer


def test_safety_34_no_path_leads_out_of_the_root_over_a_socket(server):
    for path in traversals()[::3]:
        if " " not in path and path.isascii():
            data = server.raw(request(path, "Connection: close"), quiet=5)
            assert data[9:12] in {b"308", b"400", b"404"}, (path, data[:60])
            assert b"root:" not in data
            assert b"[admin]" not in data


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@pytest.mark.skipif(_own_address().startswith("127."), reason="no address but the loopback")
def test_operators_are_on_the_loopback_and_everybody_else_finds_nothing_there(tmp_path):
    root = roots.starter(tmp_path / "root")
    with waypost(str(root), "--host", "0.0.0.0", log=tmp_path / "log") as server:
        for path in ("/healthz", "/readyz", "/metrics"):
            assert server.ask(path).status == 200
            with socket.create_connection((_own_address(), server.port), 10) as outside:
                outside.sendall(request(path, "Connection: close"))
                assert outside.recv(65_536).startswith(b"HTTP/1.1 404 ")
