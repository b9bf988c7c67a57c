"""A server over HTTP, in a thread, that answers as a test says and keeps what it was sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Answer = tuple[str, bytes]
"""A media type and a body."""


@dataclass
class Web:
    """A server at `url`; `heard` has the headers of each POST."""

    url: str
    heard: list[Mapping[str, str]] = field(default_factory=list)


@contextmanager
def web(
    get: Callable[[str], Answer] | None = None, post: Callable[[Any], Answer | None] | None = None
) -> Iterator[Web]:
    """Yield a server: `get` answers for its own URL, and `post` for a message."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(get(served.url) if get else None, 405)

        def do_POST(self) -> None:
            served.heard.append(dict(self.headers.items()))
            posted.set()
            message = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self._answer(post(message) if post else None, 202)

        def _answer(self, answer: Answer | None, otherwise: int) -> None:
            kind, body = answer or ("text/plain", b"")
            self.send_response(200 if answer else otherwise)
            self.send_header("content-type", kind)
            if kind != "text/event-stream":
                self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            if kind == "text/event-stream":
                posted.wait(1)  # the stream stays open until its client has sent something

        def log_message(self, format: str, *args: Any) -> None:
            pass

    posted = Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Web(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
