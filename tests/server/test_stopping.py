"""How a server ends: at a signal or the end of its input, whatever its handlers are doing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from tests.generated import (
    START_WITHIN,
    Generated,
    WebServer,
    free_port,
    generate,
    listening,
)
from tests.raw_client import LEGACY, Message, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient
from tests.server.conftest import TRANSPORTS

WITHIN = 1.0
"""Seconds that the end may take."""

QUICKLY = ("--limit-grace-time", "0.001")
"""Calls over HTTP that take longer than the test get no grace."""

CONNECTION_CLOSED = -32000

BUSY = {
    "idle": (),
    "waiting and blocked": ("slow", "blocking"),
    "waiting for a thread of asyncio": ("offloaded",),
}


def keep_busy(client: RawClient, tools: tuple[str, ...], diary: Path) -> list[Future[Message]]:
    """Start calls that take longer than the test, and wait until their handlers are at it."""
    futures = [client.start_call(tool, seconds=30) for tool in tools]
    wait_for(diary, [f"{tool} begins" for tool in tools])
    return futures


def wait_for(diary: Path, lines: list[str]) -> None:
    deadline = time.monotonic() + 10
    while not set(lines) <= set(diary.read_text().splitlines()):
        assert time.monotonic() < deadline, diary.read_text()
        time.sleep(0.01)


def assert_ended_well(diary: Path, log: str) -> None:
    """What the lifespan opened is closed, once, and nobody is shown a traceback."""
    lines = diary.read_text().splitlines()
    assert (lines[0], lines[-1]) == ("opened", "closed")
    assert (lines.count("opened"), lines.count("closed")) == (1, 1)
    assert "Traceback" not in log, log


def assert_quick(run: Callable[[Path], float], folder: Path) -> None:
    """One of three runs, each in a folder of its own, ends in time.

    Where the machine has so much else to do that it takes longer than that to import the SDK, the
    time that this takes is the limit.
    """
    times: list[float] = []
    for name in "abc":
        (folder / name).mkdir()
        times.append(run(folder / name))
        if times[-1] < WITHIN:
            return
        begun = time.monotonic()
        subprocess.run([sys.executable, "-c", "import mcp.server"], check=True)
        if times[-1] < time.monotonic() - begun:
            return
    raise AssertionError(f"it took {times} seconds to end")


@pytest.mark.parametrize("busy", BUSY)
@pytest.mark.parametrize("stop", ["SIGTERM", "SIGINT", "end of input"])
def test_a_server_on_standard_streams_ends_within_a_second(
    workshop: Generated, check: WireCheck, tmp_path: Path, stop: str, busy: str
) -> None:
    def run(folder: Path) -> float:
        diary = folder / "diary.txt"
        with StdioClient(workshop, LEGACY[-1], check, WORKSHOP_DIARY=str(diary)) as client:
            calls = keep_busy(client, BUSY[busy], diary)
            begun = time.monotonic()
            if stop == "end of input":
                assert client.process.stdin
                client.process.stdin.close()
            else:
                client.process.send_signal(signal.Signals[stop])
            assert client.process.wait(timeout=20) == 0
            took = time.monotonic() - begun
        assert {call.result(timeout=1)["error"]["code"] for call in calls} <= {CONNECTION_CLOSED}
        assert client.garbage == []
        assert client.faults == []
        assert_ended_well(diary, client.log)
        return took

    assert_quick(run, tmp_path)


@pytest.mark.parametrize("busy", BUSY)
@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_a_server_that_listens_ends_within_a_second(
    workshop: Generated,
    check: WireCheck,
    tmp_path: Path,
    transport: str,
    stop: signal.Signals,
    busy: str,
) -> None:
    kind = SseClient if transport == "sse" else HttpClient

    def run(folder: Path) -> float:
        diary, log = folder / "diary.txt", folder / "log.txt"
        with (
            listening(workshop, transport, log, *QUICKLY, WORKSHOP_DIARY=str(diary)) as server,
            kind(server, LEGACY[-1], check) as client,
        ):
            calls = keep_busy(client, BUSY[busy], diary)
            begun = time.monotonic()
            server.process.send_signal(stop)
            code = server.process.wait(timeout=20)
            took = time.monotonic() - begun
        assert code in (0, -stop)
        assert {call.result(timeout=1)["error"]["code"] for call in calls} <= {CONNECTION_CLOSED}
        assert_ended_well(diary, log.read_text())
        return took

    assert_quick(run, tmp_path)


def test_a_client_that_goes_leaves_the_server_to_the_others(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    """On SSE each connection could have a lifespan of its own; what is opened is opened once."""
    diary = tmp_path / "diary.txt"
    log = tmp_path / "log.txt"
    with listening(workshop, "sse", log, WORKSHOP_DIARY=str(diary)) as server:
        with SseClient(server, LEGACY[-1], check) as first:
            keep_busy(first, ("slow",), diary)
        with SseClient(server, LEGACY[-1], check) as second:
            assert second.call("greet", name="Ada")["result"]
    assert_ended_well(diary, log.read_text())


SLOW_TO_CLOSE = """\
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from os import environ
from pathlib import Path

import anyio


@dataclass(frozen=True)
class Shared:
    pass


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    if "DIARY" not in environ:
        raise RuntimeError("nowhere to write")
    yield Shared()
    await anyio.sleep(1.2)
    Path(environ["DIARY"]).write_text("closed")
"""


@pytest.fixture(scope="module")
def slow_to_close(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    spec = {
        "name": "slow",
        "version": "1",
        "transports": ["stdio", "streamable-http", "sse"],
        "prompts": [{"name": "hello", "description": "Say hello."}],
    }
    folder = tmp_path_factory.mktemp("slow") / "project"
    return generate(spec, folder, handlers={"lifespan.py": SLOW_TO_CLOSE})


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_takes_its_time_to_close_is_given_it(
    slow_to_close: Generated, tmp_path: Path, transport: str
) -> None:
    diary = tmp_path / "diary.txt"
    if transport == "stdio":
        piped = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
        assert slow_to_close.run(input=piped, DIARY=str(diary)).returncode == 0
    else:
        log = tmp_path / "log.txt"
        with listening(slow_to_close, transport, log, DIARY=str(diary)) as server:
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(timeout=20)
    assert diary.read_text() == "closed"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_cannot_be_opened_ends_the_server(slow_to_close: Generated, transport: str) -> None:
    piped = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    options = () if transport == "stdio" else ("--port", str(free_port()))
    ran = slow_to_close.run("--transport", transport, *options, input=piped)
    assert ran.returncode not in (0, None)
    assert ran.stdout == b""
    assert b"nowhere to write" in ran.stderr


@pytest.mark.parametrize("hangs", ["opening", "closing", "blocking"])
@pytest.mark.parametrize("stop", ["SIGTERM", "end of input"])
def test_a_lifespan_that_hangs_does_not_keep_a_server_on_standard_streams(
    crashing: Generated, stop: str, hangs: str
) -> None:
    process = crashing.spawn("--transport", "stdio", "--limit-stop-time", "1", CRASHING_HANGS=hangs)
    assert process.stderr
    assert process.stdin
    assert process.stderr.readline() == b"opening\n"
    time.sleep(0.2)  # Its signals are received as soon as the lifespan waits.
    if stop == "SIGTERM":
        process.terminate()
    begun = time.monotonic()
    _, log = process.communicate(b"" if stop == "end of input" else None, timeout=30)
    assert time.monotonic() - begun < 8  # The default would be 10 seconds.
    assert b"Traceback" not in log
    assert process.returncode == (1 if hangs == "blocking" else 0)
    assert b"The lifespan does not close" in log


def test_signals_do_not_put_off_the_end_of_a_lifespan_that_hangs(crashing: Generated) -> None:
    process = crashing.spawn(
        "--transport", "stdio", "--limit-stop-time", "1", CRASHING_HANGS="opening"
    )
    assert process.stderr
    assert process.stderr.readline() == b"opening\n"
    time.sleep(0.2)
    begun = time.monotonic()
    while process.poll() is None and time.monotonic() - begun < 8:
        process.terminate()
        time.sleep(0.3)
    process.kill()
    process.communicate(timeout=30)
    assert time.monotonic() - begun < 8


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize("transport", ["stdio", "streamable-http", "sse"])
def test_a_closed_standard_stream_is_told_of_or_does_not_matter(
    crashing: Generated, transport: str, stream: str
) -> None:
    port = str(free_port())
    command = crashing.command("--transport", transport, "--port", port)
    process = subprocess.Popen(
        ["sh", "-c", f'exec "$@" {stream}', "sh", *command],
        cwd=crashing.folder,
        env=crashing.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if transport == "stdio":
        line = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        output, log = process.communicate(line, timeout=30)
        if stream == "2>&-":
            assert (process.returncode, json.loads(output)["id"]) == (0, 1)
        else:
            assert log == b"crashing: standard input or output is closed\n"
            assert process.returncode == 1
        return
    server = WebServer(process, int(port), Path())
    deadline = time.monotonic() + START_WITHIN
    while not server.is_up():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.terminate()
    output, log = process.communicate(timeout=30)
    assert output == b""
    assert b"Traceback" not in log
