"""Whatever handlers raise and URIs, names and headers hold, other clients are answered.

`FUZZ_SECONDS` says how long all of it may take, `FUZZ_SEED` repeats a run.
"""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.memory import memory_of
from tests.conformance.test_fuzz import ANSWER_WITHIN, GROWTH, SECONDS, SEED, check_wire
from tests.generated import Generated, WebServer, generate, listening
from tests.raw_client import Message, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient
from tests.server.conftest import CRASHING, KINDS
from tests.server.test_crashing import FORGOTTEN, PLAIN, TASKS
from tests.server.test_log import RECORD
from tests.server.test_paths import TEMPLATES, assert_inside

HOW = [*PLAIN, *TASKS, *FORGOTTEN]
PARTS = ["..", ".", "", "etc", "C:", "a.txt", "\0", "~", "$HOME", "é", "\ud7ff", "%", "x" * 3000]
SEPARATORS = ["/", "\\", "//", "%2f", "%5c", ",", ";", "&", "="]
CONTROL = [*map(chr, [*range(32), *range(127, 160)]), "\u2028", "\u2029", "\u202e", "\ufeff"]
FORGED = "\nERROR root: forged"
HEADERS = ["Host", "Origin", "X-Forwarded-For", "Mcp-Session-Id", "MCP-Protocol-Version"]
HOSTS = ["localhost", "127.0.0.1", "[::1]", "evil.example", "a" * 300, "localhost@evil", "", ":"]
SETTLED = {"threads": 140, "descriptors": 64}
"""More threads and descriptors than that would be a leak."""


class HostileCalls:
    """Calls for handlers that fail, hostile URIs and control characters, at random."""

    def __init__(self, kind: str) -> None:
        self.random = random.Random(f"{SEED} {kind}")
        self.kinds: list[Callable[[], tuple[str, Message]]] = [
            self.crash,
            self.uri,
            self.control_characters,
        ]

    def __call__(self) -> tuple[str, Message]:
        """A method and its parameters."""
        return self.random.choice(self.kinds)()

    def crash(self) -> tuple[str, Message]:
        how = self.random.choice(HOW)
        argument = {"name": "how", "value": how}
        calls: list[tuple[str, Message]] = [
            ("tools/call", {"name": "crash", "arguments": {"how": how}}),
            ("tools/call", {"name": "crash_plainly", "arguments": {"how": how}}),
            ("resources/read", {"uri": f"crash://{how.replace(' ', '%20')}"}),
            ("prompts/get", {"name": "crash", "arguments": {"how": how}}),
            (
                "completion/complete",
                {"ref": {"type": "ref/prompt", "name": "crash"}, "argument": argument},
            ),
        ]
        return self.random.choice(calls)

    def uri(self) -> tuple[str, Message]:
        value = ""
        for _ in range(self.random.randrange(1, 6)):
            value += self.random.choice(PARTS) + self.random.choice(SEPARATORS)
        if self.random.random() < 0.5:
            value = "".join(f"%{byte:02X}" for byte in value.encode())
        template = self.random.choice(list(TEMPLATES.values()))
        return "resources/read", {"uri": template.format(value)}

    def text(self) -> str:
        """Text that would write a record of its own, or speak to a terminal."""
        signs = self.random.choices(CONTROL, k=self.random.randrange(1, 5))
        return "say" + "".join(signs) + FORGED

    def control_characters(self) -> tuple[str, Message]:
        text = self.text()
        calls: list[tuple[str, Message]] = [
            (text, {}),
            ("tools/call", {"name": text}),
            ("tools/call", {"name": "crash", "arguments": {"how": text}}),
            ("tools/call", {"name": "crash_plainly", "arguments": {"how": text}}),
            ("tools/call", {"name": "greet", "arguments": {text: text}}),
            ("resources/read", {"uri": f"crash://{text}"}),
            ("resources/read", {"uri": f"reserved:///../{text}"}),
            ("prompts/get", {"name": "crash", "arguments": {"how": text}}),
            ("prompts/get", {"name": text}),
            ("tools/list", {"cursor": text}),
            ("logging/setLevel", {"level": text}),
        ]
        return self.random.choice(calls)

    def head(self, path: str) -> bytes:
        """The head of a request with a hostile header or path."""
        name = self.random.choice(HEADERS)
        value = self.random.choice([*HOSTS, self.text(), self.text().replace("\n", "")])
        path = self.random.choice([path, path, f"/{self.text()}", "/%0aERROR%20root:%20forged%1b"])
        host = "" if name == "Host" else "Host: 127.0.0.1\r\n"
        length = "Content-Length: 0\r\n\r\n"
        return f"POST {path} HTTP/1.1\r\n{host}{name}: {value}\r\n{length}".encode(
            "latin-1", "replace"
        )


def knock(server: WebServer, head: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=ANSWER_WITHIN) as line:
        line.sendall(head)
        line.settimeout(0.2)
        with suppress(OSError):
            check_wire(line.recv(65536))


@pytest.fixture(scope="module")
def crashing(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("crashing") / "project"
    return generate(CRASHING / "mcp.yaml", folder, overlay=CRASHING / "project")


def usage(pid: int) -> dict[str, int]:
    """How many threads and descriptors a process has."""
    return {
        "threads": len(list(Path(f"/proc/{pid}/task").iterdir())),
        "descriptors": len(list(Path(f"/proc/{pid}/fd").iterdir())),
    }


def assert_served(client: RawClient) -> None:
    future: Future[Message] = client.start_call("greet")
    answer = future.result(timeout=ANSWER_WITHIN)
    assert answer["result"]["content"][0]["text"] == "Hello!", f"FUZZ_SEED={SEED}"


def assert_healthy(server: WebServer) -> None:
    status, _, body = server.request("GET", "/health")
    assert (status, json.loads(body)) == (200, {"status": "ok"}), f"FUZZ_SEED={SEED}"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_next_good_call_of_another_client_is_answered(
    crashing: Generated, check: WireCheck, tmp_path: Path, kind: str
) -> None:
    transport, version = kind.split()
    calls = HostileCalls(kind)
    log = tmp_path / "log.txt"
    server: WebServer | None = None
    with ExitStack() as stack:
        if transport == "stdio":
            stdio = stack.enter_context(StdioClient(crashing, version, check))
            client: RawClient = stdio
            other: RawClient = stdio
            pid = stdio.process.pid
        else:
            server = stack.enter_context(listening(crashing, transport, log))
            kind_of_client = HttpClient if transport == "streamable-http" else SseClient
            client = stack.enter_context(kind_of_client(server, version, check))
            other = stack.enter_context(kind_of_client(server, version, check))
            pid = server.process.pid
        start, settled = time.monotonic(), 0
        while (spent := time.monotonic() - start) < SECONDS / len(KINDS) or not settled:
            method, params = calls()
            answer = client.start(method, params, valid=False).result(timeout=ANSWER_WITHIN)
            assert_harmless(answer)
            assert_served(other)
            if server:
                knock(server, calls.head("/sse" if transport == "sse" else "/mcp"))
                assert_healthy(server)
            if not settled and spent > SECONDS / len(KINDS) / 3:
                settled = memory_of(pid)
        assert memory_of(pid) - settled < GROWTH, f"FUZZ_SEED={SEED}"
        assert all(number < SETTLED[name] for name, number in usage(pid).items()), usage(pid)
        assert client.faults == other.faults == []
    assert_clean(log.read_bytes().decode() if server else client.log)


def assert_harmless(answer: dict[str, Any]) -> None:
    """A path that a handler was given leads nowhere, and no traceback is in any answer."""
    check_wire(json.dumps(answer).encode())
    contents = answer.get("result", {}).get("contents", [])
    if contents and contents[0]["text"] != "did not fail":
        assert_inside(contents[0]["text"])


def assert_clean(log: str) -> None:
    """Each line is a record, or belongs to the one above it."""
    for line in log.removesuffix("\n").split("\n"):
        assert line.isprintable(), repr(line)
        assert RECORD.match(line) or line.startswith("  ") or line == "opening", repr(line)
        assert not line.startswith("ERROR root"), repr(line)
