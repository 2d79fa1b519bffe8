"""An IndexNow endpoint on the loopback that behaves as it is told."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = int | tuple[int, dict[str, str]] | Callable[[], int]


class Endpoint:
    """What it was told, and how it answers: the next answer of the list, the last one again and again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.calls: list[dict[str, Any]] = []
        self.types: list[str] = []
        self.answers: list[Answer] = [200]

    @property
    def urls(self) -> list[str]:
        return [url for call in self.calls for url in call["urlList"]]

    def next_answer(self) -> tuple[int, dict[str, str]]:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if callable(answer):
            answer = answer()
        return answer if isinstance(answer, tuple) else (answer, {})


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            here.calls.append(json.loads(body))
            here.types.append(self.headers["Content-Type"])
            status, headers = here.next_answer()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here = Endpoint(f"http://127.0.0.1:{server.server_port}/indexnow")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
