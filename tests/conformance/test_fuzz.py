"""Whatever a client sends, and wherever it hangs up, the next good request is answered.

`FUZZ_SECONDS` says how long all of it may take, `FUZZ_SEED` repeats a run.
"""

from __future__ import annotations

import copy
import itertools
import json
import os
import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

import pytest

from tests.conformance.memory import memory_of
from tests.generated import Generated, WebServer, listening
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN

Json: TypeAlias = Any

SECONDS = float(os.environ.get("FUZZ_SECONDS", "12"))
SEED = os.environ.get("FUZZ_SEED", str(time.time_ns()))
ANSWER_WITHIN = 20.0
GROWTH = 24 * 1024
"""KiB that the memory may grow after the first third: far less than what is sent in that time."""
KEPT = 100
"""KiB for each session of streamable HTTP and each stream of changes that a message may open."""
MOST_STREAMS = 1024
"""How many streams of changes a server keeps open."""

URI = "test://static-text"
CALLS: list[tuple[str, Json]] = [
    (
        "initialize",
        {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT_INFO},
    ),
    ("ping", {}),
    ("server/discover", {}),
    ("tools/list", {"cursor": "x"}),
    ("tools/list", {}),
    ("tools/call", {"name": "test_simple_text", "arguments": {}}),
    ("tools/call", {"name": "test_x_mcp_header", "arguments": {"region": "north"}}),
    ("tools/call", {"name": "test_tool_with_progress", "_meta": {"progressToken": 1}}),
    ("tools/call", {"name": "test_input_required_result_multi_round", "requestState": "v1.AAAA"}),
    (
        "tools/call",
        {
            "name": "test_input_required_result_multi_round",
            "inputResponses": {"step1": {"action": "accept", "content": {"name": "Ada"}}},
        },
    ),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": URI}),
    ("resources/read", {"uri": "test://template/1/data"}),
    ("resources/subscribe", {"uri": URI}),
    ("resources/unsubscribe", {"uri": URI}),
    ("subscriptions/listen", {"notifications": {"toolsListChanged": True}}),
    ("prompts/list", {}),
    (
        "prompts/get",
        {"name": "test_prompt_with_arguments", "arguments": {"arg1": "1", "arg2": "2"}},
    ),
    (
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
            "argument": {"name": "arg1", "value": "p"},
        },
    ),
    ("logging/setLevel", {"level": "info"}),
    ("notifications/initialized", {}),
    ("notifications/cancelled", {"requestId": 7}),
    ("notifications/progress", {"progressToken": 1, "progress": 0.5}),
]
MODERN_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}


class Fuzz:
    """Messages that are almost right, and lines that are nothing of the kind."""

    def __init__(self, version: str) -> None:
        self.random = random.Random(f"{SEED} {version}")
        self.version = version
        self.ids = itertools.count(1000)
        self.kept = 0
        """How many of the messages the server has to remember for a while: sessions, streams."""

    def good(self) -> Json:
        method, params = copy.deepcopy(self.random.choice(CALLS))
        if self.version == MODERN:
            params.setdefault("_meta", {}).update(copy.deepcopy(MODERN_ENVELOPE))
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith("notifications/"):
            message["id"] = self.random.choice([next(self.ids), 7, 7, "7", -1])
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
            lambda: self.random.choice(["", "\0", "\ud800", "é" * 300, "tools/call", "{", URI]),
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


class Stdio:
    """A server at the other end of a pipe; what it writes is read all the time."""

    def __init__(self, project: Generated, log: Path) -> None:
        self.process = project.spawn("--transport", "stdio", "--log-level", "error")
        self.received = SimpleQueue[bytes]()
        self.log = log
        self.threads = [Thread(target=read) for read in (self._read, self._keep_log)]
        for thread in self.threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                self.received.put(line)

    def _keep_log(self) -> None:
        assert self.process.stderr
        with self.process.stderr as lines:
            self.log.write_bytes(lines.read())

    def send(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def end(self) -> int:
        """Close the input; the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(timeout=10)
        for thread in self.threads:
            thread.join(timeout=10)
        return code

    def ask(self, message: Json) -> Json:
        """The answer to a good message; all that comes before it must be JSON-RPC too."""
        self.send(dumped(message))
        deadline = time.monotonic() + ANSWER_WITHIN
        while True:
            try:
                line = self.received.get(timeout=max(0, deadline - time.monotonic()))
            except Empty:
                pytest.fail(f"no answer to {message} (FUZZ_SEED={SEED})")
            check_wire(line)
            answer = json.loads(line)
            assert answer["jsonrpc"] == "2.0"
            assert answer.get("id", 0) is not None
            if answer.get("id") == message["id"] and "method" not in answer:
                return answer


@pytest.mark.slow
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_the_next_good_line_is_answered_whatever_came_before(
    fixtures: Generated, version: str, tmp_path: Path
) -> None:
    fuzz = Fuzz(version)
    server = Stdio(fixtures, tmp_path / "log.txt")
    meta = {"_meta": MODERN_ENVELOPE} if version == MODERN else {}
    # What comes first decides the era of the connection.
    method, params = ("tools/list", meta) if version == MODERN else CALLS[0]
    server.ask({"jsonrpc": "2.0", "id": "first", "method": method, "params": params})
    if version != MODERN:
        server.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    start, settled = time.monotonic(), None
    for number in itertools.count():
        for _ in range(50):
            server.send(fuzz.line())
        call = {"name": "test_simple_text", "arguments": {}, **meta}
        message = {"jsonrpc": "2.0", "id": f"good-{number}", "method": "tools/call", "params": call}
        answer = server.ask(message)
        assert "This is a simple text" in json.dumps(answer), (answer, f"FUZZ_SEED={SEED}")
        spent = time.monotonic() - start
        if settled is None and spent > SECONDS / 12:
            settled = memory_of(server.process.pid), fuzz.kept
        if spent > SECONDS / 4 and settled:
            break
    assert settled is not None
    grown = memory_of(server.process.pid) - settled[0]
    assert grown < GROWTH + KEPT * min(MOST_STREAMS, fuzz.kept - settled[1]), f"FUZZ_SEED={SEED}"
    assert server.end() == 0


class Web:
    """A client of streamable HTTP that has no manners."""

    def __init__(self, server: WebServer, fuzz: Fuzz) -> None:
        self.server = server
        self.fuzz = fuzz
        self.random = fuzz.random
        self.sessions: list[str] = []

    def request(self, body: bytes, good: bool = False) -> bytes:
        """The bytes of a POST, the headers mostly as they should be."""
        headers = {
            "Host": f"127.0.0.1:{self.server.port}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
        }
        if self.fuzz.version == MODERN:
            headers["MCP-Protocol-Version"] = MODERN
            with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
                message = json.loads(body)
                headers["Mcp-Method"] = message["method"]
                params = message["params"]
                headers["Mcp-Name"] = params.get("name", params.get("uri", ""))
        elif self.sessions:
            headers["Mcp-Session-Id"] = self.sessions[0]
        if not good and self.random.random() < 0.2:
            name = self.random.choice([*headers, "Mcp-Param-Region", "Origin"])
            headers[name] = self.random.choice(["", "x", "9" * 30, "=?base64?!?=", "\xff", MODERN])
        verb = "POST" if good else self.random.choice([*["POST"] * 20, "GET", "DELETE", "PUT"])
        head = "".join(f"{k}: {v}\r\n" for k, v in headers.items() if isinstance(v, str))
        head = head.replace("\0", "")
        return f"{verb} /mcp HTTP/1.1\r\n{head}\r\n".encode("utf-8", "replace") + body

    def is_served(self) -> bool:
        """Whether a good call is answered; if not, the session is given up."""
        is_modern = self.fuzz.version == MODERN
        if not is_modern and not self.sessions:
            method, params = CALLS[0]
            hello = {"jsonrpc": "2.0", "id": 0, "method": method, "params": params}
            answer = self.exchange(self.request(dumped(hello), good=True), False, ANSWER_WITHIN)
            head = answer.decode().lower().split("mcp-session-id: ")
            self.sessions = [head[1].split("\r\n")[0]]
        call = {"name": "test_simple_text", **({"_meta": MODERN_ENVELOPE} if is_modern else {})}
        message = {"jsonrpc": "2.0", "id": "good", "method": "tools/call", "params": call}
        answer = self.exchange(self.request(dumped(message), good=True), False, ANSWER_WITHIN)
        if b"This is a simple text" not in answer:
            self.sessions.clear()
            return False
        return True

    def exchange(self, data: bytes, drop: bool, patience: float) -> bytes:
        """What comes back; with `drop`, hang up anywhere before that."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=patience) as line:
            if drop:
                line.sendall(data[: self.random.randrange(len(data) + 1)])
                if self.random.random() < 0.5:
                    line.settimeout(0.02)
                    with suppress(OSError):
                        line.recv(self.random.randrange(1, 400))
                return b""
            received = b""
            with suppress(TimeoutError, ConnectionError):  # A stream; refused before it was read.
                line.sendall(data)
                while b"\r\n0\r\n\r\n" not in received and not whole(received):
                    if not (part := line.recv(65536)):
                        break
                    received += part
            return received


def whole(received: bytes) -> bool:
    """Whether this is an answer with as many bytes of body as it says."""
    head, gap, body = received.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return bool(gap) and len(body) >= int(line.split(b":")[1])
    return bool(gap) and head.split(b" ")[1] in (b"204", b"304")


@pytest.mark.slow
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_the_next_good_post_is_answered_whatever_came_before(
    fixtures: Generated, version: str, tmp_path: Path
) -> None:
    with listening(fixtures, "streamable-http", tmp_path / "log.txt") as server:
        pester(server, version)
        assert server.is_up()


def pester(server: WebServer, version: str) -> None:
    """Send what is wrong, hang up anywhere, and see that what is right is answered."""
    fuzz = Fuzz(version)
    client = Web(server, fuzz)
    start, settled = time.monotonic(), None
    while True:
        for _ in range(20):
            data = client.request(fuzz.line())
            received = client.exchange(data, fuzz.random.random() < 0.3, 0.3)
            check_wire(received)
            assert not received.startswith(b"HTTP/1.1 5"), (data[:900], received[:500])
        if not client.is_served():  # A DELETE has met its session.
            assert client.is_served(), f"FUZZ_SEED={SEED}"
        spent = time.monotonic() - start
        if settled is None and spent > SECONDS / 12:
            settled = memory_of(server.process.pid), fuzz.kept
        if spent > SECONDS / 4 and settled:
            break
    grown = memory_of(server.process.pid) - settled[0]
    assert grown < GROWTH + KEPT * (fuzz.kept - settled[1]), f"FUZZ_SEED={SEED}"
