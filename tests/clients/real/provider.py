"""A provider of models that refuses every request, and keeps what it was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REFUSAL = b'{"error": {"code": 400, "message": "refused", "status": "INVALID_ARGUMENT"}}'
WITHIN = 15.0


class Provider(ThreadingHTTPServer):
    """The server; `bodies` are what it got since the start.

    It answers when `ready` says so: clients that start their servers in the background end with
    the answer.
    """

    bodies: list[str]
    ready: Callable[[], bool]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def start(self, ready: Callable[[], bool]) -> None:
        """Forget the bodies, and wait with answers until `ready`."""
        self.bodies, self.ready = [], ready


class _Refusing(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        self.server.bodies.append(self._body().decode(errors="replace"))
        deadline = time.monotonic() + WITHIN
        while not self.server.ready() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(REFUSAL)))
        self.end_headers()
        self.wfile.write(REFUSAL)

    do_GET = do_POST  # noqa: N815 - the name is that of the standard library

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while length := int(self.rfile.readline(), 16):
            body += self.rfile.read(length)
            self.rfile.readline()
        return body

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def provider() -> Iterator[Provider]:
    """Yield a running provider."""
    with Provider(("127.0.0.1", 0), _Refusing) as server:
        server.start(lambda: True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
