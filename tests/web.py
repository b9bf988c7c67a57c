"""A server over HTTP in a thread, which answers as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

METHODS = ("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS")


class Call(BaseHTTPRequestHandler):
    """A request, which is to be answered."""

    protocol_version = "HTTP/1.1"

    def read(self) -> bytes:
        """Return the whole body."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while length := int(self.rfile.readline(), 16):
            body += self.rfile.read(length)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def reply(
        self, status: int, body: bytes = b"", kind: str = "application/json", **headers: str
    ) -> None:
        """Answer with a status, a body where it may have one, and its media type."""
        has_body = self.command != "HEAD" and status not in (204, 304)
        if has_body:
            headers |= {"Content-Type": kind, "Content-Length": str(len(body))}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if has_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(answer: Callable[[Call], None]) -> Iterator[str]:
    """Answer requests on this machine until the block ends; yield the address."""

    class Handler(Call):
        pass

    for method in METHODS:
        setattr(Handler, f"do_{method}", lambda call: answer(call))
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
