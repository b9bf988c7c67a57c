"""How a server ends: at a signal or the end of its input, whatever its handlers are doing."""

from __future__ import annotations

import signal
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
from generated import Generated, listening
from raw_client import LEGACY, HttpClient, Message, RawClient, SseClient, StdioClient, WireCheck

WITHIN = 1.0
"""Seconds that the end may take."""

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


@pytest.mark.parametrize("busy", BUSY)
@pytest.mark.parametrize("stop", ["SIGTERM", "SIGINT", "end of input"])
def test_a_server_on_standard_streams_ends_within_a_second(
    workshop: Generated, check: WireCheck, tmp_path: Path, stop: str, busy: str
) -> None:
    diary = tmp_path / "diary.txt"
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
    assert took < WITHIN
    assert {call.result(timeout=1)["error"]["code"] for call in calls} <= {CONNECTION_CLOSED}
    assert client.garbage == []
    assert client.faults == []
    assert_ended_well(diary, client.log)


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
    diary = tmp_path / "diary.txt"
    log = tmp_path / "log.txt"
    kind = SseClient if transport == "sse" else HttpClient
    with (
        listening(workshop, transport, log, WORKSHOP_DIARY=str(diary)) as server,
        kind(server, LEGACY[-1], check) as client,
    ):
        calls = keep_busy(client, BUSY[busy], diary)
        begun = time.monotonic()
        server.process.send_signal(stop)
        code = server.process.wait(timeout=20)
        took = time.monotonic() - begun
    assert took < WITHIN
    assert {call.result(timeout=1)["error"]["code"] for call in calls} <= {CONNECTION_CLOSED}
    assert code in (0, -stop)
    assert_ended_well(diary, log.read_text())


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
