"""`--wait`: a server that starts late is waited for, and the wait is not the site's time."""

import asyncio
import socket
import threading
import time

from waypost.check.drive import Means, acheck
from waypost.check.means import opened
from waypost.check.options import Options
from waypost.check.settings import ClientSettings

SITEMAP = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://127.0.0.1:%d/</loc></url></urlset>'
)


def serve(sock, times):
    for _ in range(times):
        try:
            connection, _ = sock.accept()
        except OSError:  # the test is over
            return
        with connection:
            head = connection.recv(9_000)
            body = SITEMAP % sock.getsockname()[1]
            status = b"200 OK" if b"/sitemap.xml " in head else b"404 No"
            connection.sendall(
                b"HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)
            )


def test_a_server_that_starts_late_is_waited_for():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))

        def later():
            time.sleep(0.7)
            sock.listen(50)
            serve(sock, 40)

        threading.Thread(target=later, daemon=True).start()
        target = f"http://127.0.0.1:{sock.getsockname()[1]}"
        means = Means(ClientSettings(site_s=5.0), wait_s=20.0)
        result = asyncio.run(acheck(target, Options(now=0.0), means))
    assert result.is_reached
    assert result.score == 1.0


def test_a_server_that_never_starts_is_given_up():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        target = f"http://127.0.0.1:{sock.getsockname()[1]}"
        started = time.monotonic()
        result = asyncio.run(acheck(target, Options(now=0.0), Means(wait_s=0.6)))
    assert not result.is_reached
    assert 0.6 <= time.monotonic() - started < 5


def test_a_server_that_takes_connections_and_says_nothing_is_waited_for_no_longer():
    async def run(target):
        async with opened(target, Means(wait_s=0.6)):
            return time.monotonic()

    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen(5)
        started = time.monotonic()
        ended = asyncio.run(run(f"http://127.0.0.1:{sock.getsockname()[1]}"))
    assert 0.6 <= ended - started < 5
