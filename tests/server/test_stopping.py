"""How a server ends: at a signal or the end of its input, whatever its handlers are doing."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.generated import (
    Generated,
    WebServer,
    free_port,
    generate,
    listening,
    stop,
)
from tests.raw_client import LEGACY, MODERN, RawClient, StdioClient, WireCheck, events
from tests.raw_web_client import JSON_HEADERS, HttpClient, SseClient
from tests.server.conftest import TRANSPORTS
from tests.waiting import WITHIN, wait_until

STOP_TIME = 6
"""Seconds, five more than the grace time; then the process ends, whatever it does."""

SLACK = 20.0
"""Seconds more on a machine that has much else to do."""

LIFESPAN = """
import os
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from busy._generated.runtime.command import SettingsError


@dataclass(frozen=True)
class Shared:
    def write(self, line):
        with Path(os.environ["DIARY"]).open("a") as diary:
            diary.write(line + "\\n")


@asynccontextmanager
async def lifespan():
    shared = Shared()
    shared.write("opening")
    while not Path(os.environ.get("UNTIL", "/")).exists():
        await anyio.sleep(0.02)
    if os.environ.get("REFUSE"):
        raise RuntimeError("nowhere to write")
    if os.environ.get("UNSET"):
        raise SettingsError("DATABASE_URL is not set")
    shared.write("opened")
    yield shared
    await anyio.sleep(0.2)
    if os.environ.get("HANG"):
        time.sleep(1000)
    shared.write("closed")
"""
HANDLERS = {
    "wait": """
import anyio


async def wait(arguments, context):
    context.shared.write("begun")
    await anyio.sleep(arguments.seconds)
    return "waited"
""",
    "block": """
import time


def block(arguments, context):
    context.shared.write("begun")
    time.sleep(arguments.seconds)
    return "blocked"
""",
    "hog": """
import time


async def hog(arguments, context):
    context.shared.write("begun")
    time.sleep(arguments.seconds)
""",
    "refuse": """
import asyncio


async def refuse(arguments, context):
    context.shared.write("begun")
    while True:
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError:
            pass
""",
}
BUSY = {
    "idle": None,
    "waiting": "wait",
    "a thread": "block",
    "the event loop": "hog",
} | {"refusing": "refuse"}


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    schema = {
        "type": "object",
        "properties": {"seconds": {"type": "number", "default": 600}},
    }
    spec = {
        "name": "busy",
        "version": "1",
        "transports": list(TRANSPORTS),
        "capabilities": {"tools": {"listChanged": True}},
        "tools": [
            {"name": name, "description": "Take a while.", "inputSchema": schema}
            for name in HANDLERS
        ],
    }
    handlers = {f"tools/{name}.py": text for name, text in HANDLERS.items()}
    folder = tmp_path_factory.mktemp("busy") / "busy"
    handlers["lifespan.py"] = LIFESPAN
    return generate(spec, folder, handlers=handlers, env={"BUSY_GRACE_TIME": "1"})


@contextmanager
def running(
    project: Generated, transport: str, check: WireCheck, diary: Path
) -> Iterator[RawClient]:
    """A client of a server of its own; both end with the block."""
    with ExitStack() as stack:
        if transport == "stdio":
            yield stack.enter_context(StdioClient(project, LEGACY[-1], check, DIARY=str(diary)))
            return
        log = diary.with_suffix(".log")
        server = stack.enter_context(listening(project, transport, log, DIARY=str(diary)))
        kind = SseClient if transport == "sse" else HttpClient
        yield stack.enter_context(kind(server, LEGACY[-1], check))


def process_of(client: RawClient) -> subprocess.Popen[bytes]:
    """The server that a client speaks to."""
    if isinstance(client, StdioClient):
        return client.process
    assert isinstance(client, HttpClient | SseClient)
    return client.server.process


@dataclass(frozen=True)
class Stop:
    """One way to stop a server that does something."""

    transport: str
    stop: str
    busy: str

    def __str__(self) -> str:
        return f"{self.transport}, {self.busy}, {self.stop}"

    def fault(self, project: Generated, check: WireCheck, folder: Path) -> str:
        """Stop a server, and return what is wrong with its end, or an empty text."""
        diary = folder / f"{self}.txt"
        with running(project, self.transport, check, diary) as client:
            process = process_of(client)
            if tool := BUSY[self.busy]:
                client.start_call(tool)
                wait_for(diary, "begun")
            begun = time.monotonic()
            if self.stop == "end of input":
                assert process.stdin
                process.stdin.close()
            else:
                process.send_signal(signal.Signals[self.stop])
            code = process.wait(WITHIN)
            took = time.monotonic() - begun
            log = client.log
        is_stuck = self.busy in ("the event loop", "refusing")
        closed = diary.read_text().splitlines()[-1] == "closed"
        if took > STOP_TIME + SLACK:
            return f"{self}: it took {took:.1f} seconds"
        if not is_stuck and (code, closed, "Traceback" in log) != (0, True, False):
            return f"{self}: exit code {code}, closed: {closed}, {log}"
        return ""


def wait_for(diary: Path, line: str) -> None:
    wait_until(lambda: diary.exists() and line in diary.read_text().splitlines())


def with_variables(project: Generated, **env: str) -> Generated:
    """The same project, whose servers find these variables too."""
    return replace(project, env={**project.env, **env})


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_stop_ends_the_process_in_time_whatever_a_handler_does(
    busy: Generated, check: WireCheck, tmp_path: Path, transport: str
) -> None:
    """Unless a handler keeps it from that, the lifespan's exit runs."""
    ways = ["SIGTERM", *(["end of input"] if transport == "stdio" else [])]
    stops = [Stop(transport, stop, what) for stop in ways for what in BUSY]
    stops.append(Stop(transport, "SIGINT", "idle"))
    with ThreadPoolExecutor(4) as threads:  # Each takes its time.
        faults = threads.map(lambda stop: stop.fault(busy, check, tmp_path), stops)
        assert [fault for fault in faults if fault] == []


@pytest.mark.parametrize("tool", ["wait", "block"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_call_in_flight_at_a_stop_gets_its_result(
    busy: Generated, check: WireCheck, tmp_path: Path, transport: str, tool: str
) -> None:
    diary = tmp_path / "diary.txt"
    patient = with_variables(busy, BUSY_GRACE_TIME="600")
    with running(patient, transport, check, diary) as client:
        call = client.start_call(tool, seconds=0.5)
        wait_for(diary, "begun")
        process = process_of(client)
        process.send_signal(signal.SIGTERM)
        [block] = call.result(WITHIN)["result"]["content"]
        assert block["text"] in ("waited", "blocked")
        assert process.wait(WITHIN) == 0
        assert "Traceback" not in client.log


def test_requests_after_a_stop_do_not_delay_the_end(
    busy: Generated, check: WireCheck, tmp_path: Path
) -> None:
    diary = tmp_path / "diary.txt"
    patient = with_variables(busy, BUSY_GRACE_TIME="600")
    with running(patient, "stdio", check, diary) as client:
        call = client.start_call("wait", seconds=1)
        wait_for(diary, "begun")
        process = process_of(client)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        assert process.stdin
        process.stdin.write(b'{"jsonrpc": "2.0", "id": "late", "method": "ping"}\n')
        process.stdin.flush()
        assert call.result(WITHIN)["result"]
        assert process.wait(WITHIN) == 0


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_lifespan_that_hangs_on_exit_does_not_keep_the_process_alive(
    busy: Generated, check: WireCheck, tmp_path: Path, transport: str
) -> None:
    with running(
        with_variables(busy, HANG="1"), transport, check, tmp_path / "diary.txt"
    ) as client:
        process = process_of(client)
        begun = time.monotonic()
        process.terminate()
        assert process.wait(WITHIN) == 1
        assert time.monotonic() - begun < STOP_TIME + SLACK


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_lifespan_that_fails_on_entry_ends_the_server(
    busy: Generated, tmp_path: Path, transport: str
) -> None:
    ran = busy.run(
        "--transport", transport, "--port", "0", REFUSE="1", DIARY=str(tmp_path / "diary.txt")
    )
    assert ran.returncode not in (0, None)
    assert ran.stdout == b""
    assert b"nowhere to write" in ran.stderr


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_log_reports_only_the_setting_that_the_lifespan_misses(
    busy: Generated, tmp_path: Path, transport: str
) -> None:
    diary = str(tmp_path / "diary.txt")
    ran = busy.run("--transport", transport, "--port", "0", UNSET="1", DIARY=diary)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr == b"busy: DATABASE_URL is not set\n"


@contextmanager
def opening(project: Generated, diary: Path) -> Iterator[WebServer]:
    """A server whose lifespan has begun to open, and is open once the file `open` is there."""
    port, log = free_port(), diary.with_suffix(".log")
    options = ("--transport", "streamable-http", "--port", str(port))
    env = {"UNTIL": str(diary.with_name("open")), "DIARY": str(diary)}
    with log.open("wb") as output:
        server = WebServer(project.spawn_to(output, *options, **env), port, log)
    try:
        wait_for(diary, "opening")
        yield server
    finally:
        stop(server.process)


def test_a_server_listens_once_its_lifespan_is_open(busy: Generated, tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    with opening(busy, diary) as server:
        with pytest.raises(ConnectionRefusedError):
            server.request("GET", "/livez")
        assert server.log.read_text() == ""
        diary.with_name("open").touch()
        wait_until(server.is_up)
        assert "Uvicorn running" in server.log.read_text()


def test_a_stop_before_the_lifespan_is_open_closes_it_too(busy: Generated, tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    with opening(busy, diary) as server:
        server.process.terminate()
        time.sleep(0.1)  # Until the signal has arrived.
        diary.with_name("open").touch()
        assert server.process.wait(WITHIN) == 0
        assert diary.read_text().splitlines() == ["opening", "opened", "closed"]


def test_streams_end_completely_at_a_stop(
    busy: Generated, check: WireCheck, tmp_path: Path
) -> None:
    """A subscription is answered (MCP 2026-07-28, basic/patterns/subscriptions)."""
    log, diary = tmp_path / "log.txt", str(tmp_path / "diary.txt")
    with ExitStack() as stack:
        server = stack.enter_context(listening(busy.anew(), "streamable-http", log, DIARY=diary))
        modern = stack.enter_context(HttpClient(server, MODERN, check))
        legacy = stack.enter_context(HttpClient(server, LEGACY[-1], check))
        wanted = {"notifications": {"toolsListChanged": True}, "_meta": modern.envelope()}
        message = {"jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": wanted}
        streams = []
        for method, body, headers in (
            ("POST", json.dumps(message), modern.headers_of(message)),
            ("GET", None, legacy.headers),
        ):
            connection = HTTPConnection("127.0.0.1", server.port, timeout=WITHIN)
            stack.callback(connection.close)
            connection.request(method, "/mcp", body, {**JSON_HEADERS, **headers})
            streams.append(connection.getresponse())
        subscription, listener = streams
        assert b"event: message" in subscription.readline()  # It is acknowledged.
        server.process.terminate()
        *_, (_, last) = events(iter(subscription.readlines()))  # Raises if it is incomplete.
        answer = json.loads(last)
        assert (answer["id"], answer["result"]["resultType"]) == (7, "complete")
        assert answer["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == 7
        assert listener.read() == b""
        assert server.process.wait(WITHIN) == 0
    assert not re.search("ERROR|Traceback", log.read_text())


def test_a_second_signal_ends_the_grace(busy: Generated, check: WireCheck, tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    patient = with_variables(busy.anew(), BUSY_GRACE_TIME="600")
    with running(patient, "stdio", check, diary) as client:
        process = process_of(client)
        client.start_call("wait")
        wait_for(diary, "begun")

        def has_ended() -> bool:
            process.send_signal(signal.SIGINT)  # Two at once would be one.
            return process.poll() is not None

        wait_until(has_ended)
