"""Servers of the pack python-stdlib that are given more than they can do, or whose clients do not read."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.memory import memory_of
from tests.generated import Generated, generate, listening
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, StdioClient, WireCheck
from tests.raw_web_client import post, unread

HANDLERS = {
    "tools/nap.py": """
import time


def nap(arguments, context):
    time.sleep(arguments.model_extra.get("seconds", 0))
    return "slept"
""",
    "tools/report.py": """
def report(arguments, context):
    for number in range(100_000):
        context.progress(number, message="x" * 1000)
    return "reported"
""",
    "tools/recite.py": """
def recite(arguments, context):
    for number in range(60_000):
        context.progress(number + 1, message="x" * 1000)
    return "recited"
""",
    "tools/change.py": """
from busy._generated.changes import resource_updated

URI = "busy://" + "x" * 2000


def change(arguments, context):
    for _ in range(arguments.model_extra["times"]):
        resource_updated(URI)
    return "changed"
""",
    # A system that runs no more threads than these.
    "lifespan.py": """
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

start = threading.Thread.start


def start_if_allowed(thread):
    if threading.active_count() > int(os.environ.get("MOST_THREADS", "1000")):
        raise RuntimeError("can't start new thread")
    start(thread)


threading.Thread.start = start_if_allowed


@dataclass(frozen=True)
class Shared:
    pass


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    yield Shared()
""",
}
SPEC: dict[str, Any] = {
    "name": "busy",
    "version": "1",
    "transports": ["stdio", "streamable-http"],
    "capabilities": {"resources": {"subscribe": True}},
    "resources": [{"uri": "busy://now", "name": "now", "text": "None."}],
    "tools": [
        {"name": name, "description": name, "timeout": timeout, "inputSchema": {"type": "object"}}
        for name, timeout in {"nap": 3, "report": 1, "recite": 60, "change": 60}.items()
    ],
}
URI = "busy://" + "x" * 2000


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server in which calls wait for a thread only for a moment."""
    folder = tmp_path_factory.mktemp("busy") / "busy"
    project = generate(SPEC, folder, handlers=HANDLERS, pack="python-stdlib")
    module = folder / "src/busy/_generated/threads.py"
    text = module.read_text()
    assert "PATIENCE = 10.0" in text
    module.write_text(text.replace("PATIENCE = 10.0", "PATIENCE = 0.2"))
    return project


@pytest.fixture
def port(busy: Generated, tmp_path: Path) -> Iterator[int]:
    with listening(busy, "streamable-http", tmp_path / "log.txt") as server:
        yield server.port


def test_calls_that_found_no_thread_harm_no_other(busy: Generated, check: WireCheck) -> None:
    """Python allows 1000 nested calls."""
    with StdioClient(busy, MODERN, check, "--limit-threads", "1") as client:
        slow = client.start_call("nap", seconds=2)
        time.sleep(0.1)
        refused = [client.start_call("nap") for _ in range(1200)]
        assert {text_of(one.result(timeout=20)) for one in refused} == {
            "The server is busy, try again later"
        }
        assert text_of(slow.result(timeout=20)) == "slept"
        assert text_of(client.call("nap")) == "slept"


def test_calls_wait_if_the_system_runs_no_more_threads(busy: Generated, check: WireCheck) -> None:
    with StdioClient(busy, MODERN, check, MOST_THREADS="10") as client:
        naps = [client.start_call("nap", seconds=0.3) for _ in range(30)]
        assert {text_of(one.result(timeout=20)) for one in naps} == {"slept"}
        assert text_of(client.call("nap")) == "slept"


def test_a_client_that_does_not_read_delays_no_other_timeout(port: int) -> None:
    with unread(port, "/mcp", *message("tools/call", {"name": "report", "arguments": {}})):
        time.sleep(1.5)  # By now, that call has timed out too.
        begin = time.monotonic()
        answer = post(port, "/mcp", *message("tools/call", nap(seconds=10)))
        assert "took longer than 3 seconds" in answer.body.decode()
        assert time.monotonic() - begin < 6


def test_a_client_that_does_not_read_delays_no_handler_that_tells_of_changes(port: int) -> None:
    asked = {"notifications": {"resourceSubscriptions": [URI]}}
    with unread(port, "/mcp", *message("subscriptions/listen", asked)):
        begin = time.monotonic()
        params = {"name": "change", "arguments": {"times": 5000}}
        answer = post(port, "/mcp", *message("tools/call", params))
        assert "changed" in answer.body.decode()
        assert time.monotonic() - begin < 10


def test_a_client_that_leaves_in_the_middle_of_a_call_leaves_the_log_short(
    busy: Generated, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with listening(busy, "streamable-http", log) as server:
        for _ in range(3):
            with unread(
                server.port, "/mcp", *message("tools/call", {"name": "recite", "arguments": {}})
            ) as line:
                time.sleep(0.2)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(0.2)
    assert len(log.read_text().splitlines()) < 10


def test_a_client_that_does_not_read_is_no_traceback_when_the_server_stops(
    busy: Generated, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    recite = {"name": "recite", "arguments": {}}
    with (
        listening(busy, "streamable-http", log, "--limit-grace-time", "0.1") as server,
        unread(server.port, "/mcp", *message("tools/call", recite)),
    ):
        time.sleep(1)
        server.process.terminate()
        assert server.process.wait(10) == 0
    assert "Traceback" not in log.read_text()


def test_progress_that_nobody_reads_takes_limited_memory_until_it_is_read(busy: Generated) -> None:
    with silent(busy) as process:
        assert process.stdout
        send(process, request(1, "tools/call", {"name": "nap", "arguments": {}} | envelope()))
        process.stdout.readline()
        before = memory_of(process.pid)
        send(process, request(2, "tools/call", {"name": "recite", "arguments": {}} | envelope()))
        time.sleep(2)
        assert memory_of(process.pid) - before < 30_000
        for _ in range(60_000):
            assert "method" in json.loads(process.stdout.readline())
        assert text_of(json.loads(process.stdout.readline())) == "recited"


def test_progress_that_the_event_loop_cannot_wait_to_send_takes_limited_memory(
    tmp_path: Path,
) -> None:
    recite = """
async def recite(arguments, context):
    for number in range(60_000):
        await context.progress(number + 1, message="x" * 1000)
    return "recited"
"""
    server = generate(
        SPEC | {"tools": [tool for tool in SPEC["tools"] if tool["name"] == "recite"]},
        tmp_path / "busy",
        handlers={"tools/recite.py": recite},
        pack="python-stdlib",
    )
    with silent(server) as process:
        assert process.stdout
        send(process, request(1, "ping", envelope()))
        process.stdout.readline()
        before = memory_of(process.pid)
        send(process, request(2, "tools/call", {"name": "recite", "arguments": {}} | envelope()))
        time.sleep(2)
        assert memory_of(process.pid) - before < 40_000
        while "method" in (line := json.loads(process.stdout.readline())):
            pass
        assert text_of(line) == "recited"


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_changes_that_nobody_reads_take_limited_memory(busy: Generated, version: str) -> None:
    with silent(busy) as process:
        if version == MODERN:
            params = {"notifications": {"resourceSubscriptions": [URI]}} | envelope()
            send(process, request(1, "subscriptions/listen", params))
        else:
            hello = {"protocolVersion": version, "clientInfo": CLIENT_INFO, "capabilities": {}}
            send(process, request(1, "initialize", hello))
            send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
            send(process, request(2, "resources/subscribe", {"uri": URI}))
        params = {"name": "change", "arguments": {"times": 20_000}}
        time.sleep(0.5)
        before = memory_of(process.pid)
        more = envelope() if version == MODERN else {}
        send(process, request(3, "tools/call", params | more))
        time.sleep(1.5)
        assert memory_of(process.pid) - before < 10_000


def test_a_client_that_is_initialized_again_and_again_takes_limited_memory(busy: Generated) -> None:
    with silent(busy) as process:
        hello = {"protocolVersion": LEGACY[-1], "clientInfo": CLIENT_INFO, "capabilities": {}}
        send(process, request(1, "initialize", hello))
        initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        send(process, initialized)
        time.sleep(0.5)
        before = memory_of(process.pid)
        for _ in range(100):
            send(process, *[initialized] * 1000)
        time.sleep(0.5)
        assert memory_of(process.pid) - before < 5_000


CANCELLED_AT_THE_START = """
from busy._generated import changes
from busy._generated.coroutines import proceed
from busy._generated.requests import Channel, Request, Session

class Ignored(Channel):
    def send(self, line): ...
    def answer(self, line, code=0): ...

class Cancelling(dict):
    def __setitem__(self, request, follower):
        super().__setitem__(request, follower)
        request.give_up()

async def listen():
    await changes.listen(request, None)
    ended.append(request)

changes.FOLLOWERS = Cancelling()
wanted = {"notifications": {"resourceSubscriptions": ["busy://now"]}}
session, ended = Session(print), []
request = Request(1, "subscriptions/listen", wanted, "2026-07-28", session, Ignored())
proceed(listen())
assert (ended, changes.FOLLOWERS) == ([request], {})
"""


WITHOUT_A_THREAD_AT_FIRST = """
import threading
from busy._generated.workers import WATCH

def start(thread):
    threading.Thread.start = whole
    raise RuntimeError("can't start new thread")

whole, threading.Thread.start = threading.Thread.start, start
called = threading.Semaphore(0)
for _ in range(2):
    WATCH.after(0.05, called.release)
assert all(called.acquire(timeout=5) for _ in range(2))
"""


@pytest.mark.parametrize(
    "program", [CANCELLED_AT_THE_START, WITHOUT_A_THREAD_AT_FIRST], ids=["cancelled", "no thread"]
)
def test_what_happens_at_a_bad_moment_is_no_fault(busy: Generated, program: str) -> None:
    """A subscription is cancelled at its very start, or no thread can watch the first timeout."""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=busy.folder, env=busy.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr


def text_of(answer: Any) -> str:
    return str(answer["result"]["content"][0]["text"])


def nap(seconds: float) -> dict[str, Any]:
    return {"name": "nap", "arguments": {"seconds": seconds}}


def request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def envelope() -> dict[str, Any]:
    key = "io.modelcontextprotocol/"
    meta = {
        f"{key}protocolVersion": MODERN,
        f"{key}clientInfo": CLIENT_INFO,
        f"{key}clientCapabilities": {},
        "progressToken": 1,
    }
    return {"_meta": meta}


def message(method: str, params: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a request of the newest protocol."""
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    return json.dumps(request(1, method, params | envelope())).encode(), headers


@contextmanager
def silent(server: Generated) -> Iterator[subprocess.Popen[bytes]]:
    """A server on stdio whose output nobody reads."""
    process = server.spawn("--transport", "stdio")
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def send(process: subprocess.Popen[bytes], *messages: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(b"".join(json.dumps(one).encode() + b"\n" for one in messages))
    process.stdin.flush()
