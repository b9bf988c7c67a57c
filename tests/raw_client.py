"""Raw JSON-RPC spoken to a server: every message checked, none interpreted."""

from __future__ import annotations

import itertools
import json
import subprocess
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self, TypeAlias

from tests.generated import Generated
from tests.waiting import WITHIN

Message: TypeAlias = dict[str, Any]
WireCheck: TypeAlias = Callable[[str, Message, str | None], list[str]]
"""What is wrong with a message of a protocol version, in answer to a method."""

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
VERSIONS = (*LEGACY, MODERN)

NEWER = {"resultType", "ttlMs", "cacheScope"}
"""What results have since 2026-07-28, and the older schemas let through."""

CLIENT_INFO = {"name": "raw", "version": "1"}


class RawClient(ABC):
    """A client of one protocol version at the far end of one transport.

    `faults` tells what was wrong with the messages that came and went, by the protocol's own
    schemas; `unclaimed` holds what came and answers no request, notifications included. `opening`
    is the answer to the handshake, where the version has one.
    """

    def __init__(self, version: str, check: WireCheck) -> None:
        self.version = version
        self.faults: list[str] = []
        self.unclaimed = SimpleQueue[Message]()
        self.opening: Message = {}
        self._check = check
        self._ids = itertools.count(1)
        self._pending: dict[Any, tuple[str, Future[Message]]] = {}

    def __enter__(self) -> Self:
        if self.version in LEGACY:
            self.handshake()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def handshake(self) -> None:
        """Initialize, and say that it is done."""
        self.opening = self.request(
            "initialize",
            {"protocolVersion": self.version, "capabilities": {}, "clientInfo": CLIENT_INFO},
        )
        self.notify("notifications/initialized")

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> Message:
        """Send a request, and wait for the answer."""
        return self.start(method, params).result(timeout=WITHIN)

    def call(self, tool: str, **arguments: Any) -> Message:
        """Call a tool, and wait for the answer."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def start_call(self, tool: str, **arguments: Any) -> Future[Message]:
        return self.start("tools/call", {"name": tool, "arguments": arguments})

    def start(
        self, method: str, params: Mapping[str, Any] | None = None, *, valid: bool = True
    ) -> Future[Message]:
        """Send a request; `valid=False` where it is meant to break the protocol's schema."""
        id_ = next(self._ids)
        return self.start_message(
            {"jsonrpc": "2.0", "id": id_, "method": method, **self._params(params)}, valid=valid
        )

    def start_message(self, message: Message, *, valid: bool = True) -> Future[Message]:
        """Send a request as it is, and get what its id is answered with."""
        if valid:
            self._verify("sent", message, None)
        future = Future[Message]()
        self._pending[message["id"]] = (str(message.get("method")), future)
        self.send(message)
        return future

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, **self._params(params)}
        self._verify("sent", message, None)
        self.send(message)

    def _params(self, params: Mapping[str, Any] | None) -> Message:
        if self.version in LEGACY:
            return {} if params is None else {"params": dict(params)}
        return {"params": {**(params or {}), "_meta": self.envelope()}}

    def envelope(self) -> Message:
        """What each request of the stateless protocol says about its client."""
        return {
            "io.modelcontextprotocol/protocolVersion": self.version,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
        }

    def _verify(self, direction: str, message: Message, method: str | None) -> None:
        faults = self._check(self.version, message, method)
        if self.version in LEGACY and isinstance(result := message.get("result"), dict):
            faults = [*faults, *(f"{key} is newer" for key in NEWER.intersection(result))]
        self.faults += [f"{direction}: {fault}: {json.dumps(message)[:300]}" for fault in faults]

    def receive(self, message: Message) -> None:
        """Check what came, and hand it to whom it answers."""
        method, future = None, None
        if "method" not in message:
            method, future = self._pending.pop(message.get("id"), (None, None))
        self._verify("received", message, method)
        if future is None:
            self.unclaimed.put(message)
        else:
            future.set_result(message)

    def hung_up(self, reason: str) -> None:
        """Tell all who wait that no answer will come."""
        while self._pending:
            _, (_, future) = self._pending.popitem()
            with suppress(Exception):
                future.set_exception(ConnectionError(reason))

    @property
    @abstractmethod
    def log(self) -> str:
        """What the server has written to standard error."""

    @abstractmethod
    def send(self, message: Message) -> None: ...

    @abstractmethod
    def close(self) -> None: ...


class StdioClient(RawClient):
    """A server of its own, spoken to in lines.

    `garbage` holds the lines that are not JSON objects; there must never be one.
    """

    def __init__(
        self, project: Generated, version: str, check: WireCheck, *arguments: str, **env: str
    ) -> None:
        super().__init__(version, check)
        self.garbage: list[bytes] = []
        self.process = project.spawn("--transport", "stdio", *arguments, **env)
        self._errors: list[bytes] = []
        self._threads = [
            threading.Thread(target=target, daemon=True) for target in (self._read, self._read_log)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            try:
                message = json.loads(line)
                assert isinstance(message, dict)
            except (ValueError, AssertionError):
                self.garbage.append(line)
            else:
                self.receive(message)
        self.hung_up("the server closed its output")

    def _read_log(self) -> None:
        assert self.process.stderr
        self._errors.extend(self.process.stderr)

    @property
    def log(self) -> str:
        return b"".join(self._errors).decode()

    def send(self, message: Message) -> None:
        self.send_line(json.dumps(message).encode())

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """End the input, and wait for the end of the server."""
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=WITHIN)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            for thread in self._threads:
                thread.join(timeout=WITHIN)
            self.process.stdout.close()
            self.process.stderr.close()


def events(lines: Iterator[bytes]) -> Iterator[tuple[str, str]]:
    """The events of a stream, as pairs of type and data, those without data left out."""
    event, data = "message", list[str]()
    for line in lines:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        if name == "event":
            event = value.strip()
        elif name == "data":
            data.append(value.removeprefix(" "))
        elif not name and not value:
            if data and data != [""]:
                yield event, "\n".join(data)
            event, data = "message", []
