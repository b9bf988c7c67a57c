"""Whatever a client sends, the next good request is answered, and memory stays within limits.

`FUZZ_SECONDS` says how long all of it may take; another `FUZZ_SEED` gives other messages.
"""

from __future__ import annotations

import copy
import itertools
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from scaffold.yaml.source import parse
from tests.generated import Generated, listening
from tests.measured import memory_of
from tests.raw_client import LEGACY, MODERN, RawClient, StdioClient
from tests.raw_web_client import JSON_HEADERS, HttpClient

Json: TypeAlias = Any

SECONDS = float(os.environ.get("FUZZ_SECONDS", "12"))
SEED = os.environ.get("FUZZ_SEED", "steady")
GROWTH = 24 * 1024
"""KiB that the memory may grow after the first third: far less than what is sent in that time."""
KEPT = 100
"""KiB for each session of streamable HTTP and each stream of changes that a message may open."""
MOST_STREAMS = 1024
"""How many streams of changes a server keeps open."""

CALLS: Json = parse(Path(__file__).with_name("fuzz.yaml").read_text()).value
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}


class Fuzz:
    """Messages that are almost right, and lines that are nothing of the kind."""

    def __init__(self, version: str) -> None:
        self.random = random.Random(f"{SEED} {version}")
        self.version = version
        self.ids = itertools.count(10**6)
        self.kept = 0
        """How many of the messages the server has to remember for a while: sessions, streams."""

    def good(self) -> Json:
        method, params = copy.deepcopy(self.random.choice(CALLS))
        if self.version == MODERN:
            params.setdefault("_meta", {}).update(copy.deepcopy(ENVELOPE))
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith("notifications/"):
            message["id"] = self.random.choice([next(self.ids), -7, -7, "7", -1])
        elif method == "notifications/cancelled" and self.random.random() < 0.9:
            params["requestId"] = next(self.ids) - self.random.randrange(1, 5)
        return message

    def line(self) -> bytes:
        """One line without a line feed; about a third of them are JSON-RPC that is right."""
        line = self.any_line()
        self.kept += b'"initialize"' in line or b'"subscriptions/listen"' in line
        return line

    def any_line(self) -> bytes:
        kind = self.random.random()
        if kind < 0.35:
            return dumped(self.good())
        if kind < 0.75:
            return dumped(self.mutated(self.good()))
        text = dumped(self.good())
        if kind < 0.85:
            return text[: self.random.randrange(len(text))]
        if kind < 0.95:
            return self.random.randbytes(self.random.randrange(1, 200)).replace(b"\n", b"")
        if kind < 0.97:
            return b"[" * 50_000 + b"]" * self.random.choice([0, 50_000])
        if kind < 0.98:
            deep = b'{"a":' * 3_000 + b"1" + b"}" * 3_000
            return text.replace(b'"params":{', b'"params":{"x":' + deep + b",", 1)
        if kind < 0.99:
            return text.replace(b'"params":{', b'"params":{"x":"' + b"y" * 2_000_000 + b'",', 1)
        return dumped([self.good(), self.good()])

    def mutated(self, message: Json) -> Json:
        """The message with one of its values, wherever it is, replaced, removed or doubled."""
        places = list(positions(message))
        for _ in range(self.random.choice([1, 1, 1, 2, 4])):
            parent, key = self.random.choice(places)
            if key in parent if isinstance(parent, dict) else key < len(parent):
                if self.random.random() < 0.2:
                    del parent[key]
                else:
                    parent[key] = self.anything()
        return message

    def anything(self, depth: int = 0) -> Json:
        choices: list[Callable[[], Json]] = [
            lambda: None,
            lambda: self.random.choice([True, False]),
            lambda: self.random.choice([0, -1, 2**31, 2**63, 10**400, 0.5, -1e308]),
            lambda: self.random.choice(
                ["", "\0", "\ud800", "é" * 300, "tools/call", "{", "test://static-text"]
            ),
        ]
        if depth < 3:
            choices += [
                lambda: [self.anything(depth + 1) for _ in range(self.random.randrange(3))],
                lambda: {"a": self.anything(depth + 1), "type": self.anything(depth + 1)},
            ]
        return self.random.choice(choices)()


def positions(value: Json) -> Iterator[tuple[Json, Json]]:
    """Each place in a JSON value, as what holds it and the key there."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from positions(value[key])


def dumped(message: Json) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


def check_wire(text: bytes) -> None:
    assert b"Traceback" not in text, text[:500]
    assert b'.py"' not in text, text[:500]


Send: TypeAlias = Callable[[bytes], None]


@contextmanager
def over_stdio(project: Generated, version: str) -> Iterator[tuple[RawClient, int, Send]]:
    with StdioClient(project, version, lambda *_: [], "--log-level", "error") as client:
        yield client, client.process.pid, client.send_line
        assert client.garbage == []
        while not client.unclaimed.empty():
            check_wire(dumped(client.unclaimed.get()))
    assert client.process.returncode == 0


@contextmanager
def over_http(project: Generated, version: str, log: Path) -> Iterator[tuple[RawClient, int, Send]]:
    with (
        listening(project, "streamable-http", log) as server,
        HttpClient(server, version, lambda *_: []) as client,
    ):

        def send(line: bytes) -> None:
            headers = client.headers
            with suppress(ValueError, AttributeError, RecursionError):
                headers = client.headers_of(json.loads(line))
            connection = HTTPConnection("127.0.0.1", server.port, timeout=0.3)
            # A stream has no end, and a request may be refused before it was read.
            with closing(connection), suppress(OSError):
                connection.request("POST", "/mcp", line, {**JSON_HEADERS, **headers})
                response = connection.getresponse()
                assert response.status < 500, line[:900]
                check_wire(response.read())

        yield client, server.process.pid, send
        assert server.is_up()


@pytest.mark.slow
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
def test_a_valid_message_is_answered_whatever_came_before(
    fixtures: Generated, transport: str, version: str, tmp_path: Path
) -> None:
    fuzz = Fuzz(version)
    connected = (
        over_stdio(fixtures, version)
        if transport == "stdio"
        else over_http(fixtures, version, tmp_path / "log.txt")
    )
    with connected as (client, pid, send):
        client.request("tools/list")  # What comes first decides the era of the connection.
        start, settled = time.monotonic(), None
        while True:
            for _ in range(20):
                send(fuzz.line())
            answer = client.call("test_simple_text")
            assert "This is a simple text" in json.dumps(answer), (answer, f"FUZZ_SEED={SEED}")
            spent = time.monotonic() - start
            if settled is None and spent > SECONDS / 12:
                settled = memory_of(pid), fuzz.kept
            if settled and spent > SECONDS / 4:
                break
        kept = min(MOST_STREAMS, fuzz.kept - settled[1])
        assert memory_of(pid) - settled[0] < GROWTH + KEPT * kept, f"FUZZ_SEED={SEED}"
