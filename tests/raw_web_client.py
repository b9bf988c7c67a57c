"""Raw JSON-RPC spoken to a server that listens, over streamable HTTP and over SSE."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage, HTTPResponse
from typing import Any

from mcp.shared.inbound import encode_header_value

from tests.generated import WebServer
from tests.raw_client import LEGACY, Message, RawClient, WireCheck, events
from tests.waiting import WITHIN

JSON_HEADERS: Mapping[str, str] = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@dataclass(frozen=True)
class Answer:
    """What came back over HTTP for one message."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def messages(self) -> list[Message]:
        """The JSON of the body, or of each event of a stream."""
        if self.headers.get("Content-Type", "").startswith("text/event-stream"):
            return [json.loads(data) for event, data in events(iter(self.body.splitlines()))]
        return [json.loads(self.body)] if self.body.startswith(b"{") else []


class WebClient(RawClient):
    """A client of a server that listens; `headers` go with each of its requests."""

    def __init__(
        self,
        server: WebServer,
        version: str,
        check: WireCheck,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(version, check)
        self.server = server
        self.headers = dict(headers or {})
        self.open()

    def open(self) -> None:
        """Prepare what messages are sent by."""

    @property
    def log(self) -> str:
        return self.server.log.read_text()


class HttpClient(WebClient):
    """A client of streamable HTTP: each message is a POST of its own.

    `statuses` are the HTTP statuses of the answers, by the id of the request.
    """

    def open(self) -> None:
        self.statuses: dict[Any, int] = {}
        self._threads = ThreadPoolExecutor(160)

    def handshake(self) -> None:
        super().handshake()
        if self.version >= "2025-06-18":  # The header is no older.
            self.headers["MCP-Protocol-Version"] = self.version

    def send(self, message: Message) -> None:
        if "id" in message:
            self._threads.submit(self._deliver, message)
        else:
            self._deliver(message)

    def _deliver(self, message: Message) -> None:
        try:
            answer = self.post(json.dumps(message).encode(), self.headers_of(message))
            self.statuses[message.get("id")] = answer.status
            if session := answer.headers.get("Mcp-Session-Id"):
                self.headers["Mcp-Session-Id"] = session
            for received in answer.messages:
                self.receive(received)
            if message.get("id") in self._pending:
                raise ConnectionError(f"no answer: HTTP {answer.status} {answer.body[:200]!r}")
        except Exception as error:
            if (waiting := self._pending.pop(message.get("id"), None)) is None:
                raise
            waiting[1].set_exception(error)

    def headers_of(self, message: Message) -> dict[str, str]:
        """The headers that say again what the message says (MCP 2026-07-28, streamable HTTP)."""
        if self.version in LEGACY:
            return self.headers
        params = message.get("params") or {}
        name = params.get("name", params.get("uri"))
        return {
            **self.headers,
            "MCP-Protocol-Version": self.version,
            "Mcp-Method": encode_header_value(str(message.get("method"))),
            **({"Mcp-Name": encode_header_value(name)} if isinstance(name, str) else {}),
        }

    def post(self, body: bytes, headers: Mapping[str, str], path: str = "/mcp") -> Answer:
        return post(self.server.port, path, body, headers)

    def close(self) -> None:
        self._threads.shutdown()


class SseClient(WebClient):
    """A client of the transport from before 2025-03-26: one stream of answers, POSTs beside it."""

    def open(self) -> None:
        self._connection = HTTPConnection("127.0.0.1", self.server.port, timeout=WITHIN)
        self._connection.request("GET", "/sse", headers=self.headers)
        self._socket: socket.socket | None = self._connection.sock
        response = self._connection.getresponse()
        assert response.status == 200, (response.status, response.read())
        stream = events(iter(response.readline, b""))
        event, self.endpoint = next(stream)
        assert event == "endpoint"
        self._thread = threading.Thread(target=self._read, args=(response, stream), daemon=True)
        self._thread.start()

    def _read(self, response: HTTPResponse, stream: Iterator[tuple[str, str]]) -> None:
        with closing(response), suppress(OSError, ValueError):
            for _, data in stream:
                self.receive(json.loads(data))
        self.hung_up("the server closed the stream")

    def send(self, message: Message) -> None:
        answer = post(self.server.port, self.endpoint, json.dumps(message).encode(), self.headers)
        if answer.status != 202 and (waiting := self._pending.pop(message.get("id"), None)):
            waiting[1].set_exception(ConnectionError(f"HTTP {answer.status} {answer.body!r}"))

    def close(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(timeout=WITHIN)
        self._connection.close()


def post(port: int, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """POST a body of JSON to a server of this machine."""
    connection = HTTPConnection("127.0.0.1", port, timeout=WITHIN)
    with closing(connection):
        connection.request("POST", path, body, {**JSON_HEADERS, **headers})
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
