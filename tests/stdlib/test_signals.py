"""Signals reach a server of the pack python-stdlib, and only the server they are for."""

from __future__ import annotations

from pathlib import Path
from signal import SIGINT
from typing import Any

import pytest

from tests.generated import Generated, free_port, generate, listening
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.raw_web_client import HttpClient

HANDLERS = {
    "tools/take.py": """
import signal
import threading


def take(arguments, context):
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    return "taken"
""",
    "tools/end_child.py": """
import os
import signal
import time


def end_child(arguments, context):
    ready, told = os.pipe()
    child = os.fork()
    if not child:
        os.write(told, b".")
        time.sleep(5)
        os._exit(0)
    os.read(ready, 1)
    os.kill(child, signal.SIGTERM)
    return str(os.WTERMSIG(os.waitpid(child, 0)[1]))
""",
}
LATE = """
import asyncio
import os
import signal
import time
from contextlib import asynccontextmanager

run = asyncio.run


def run_late(main):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.3)
    return run(main)


# It takes the signals for itself, and reads over them.
class LoopOfWindows(asyncio.SelectorEventLoop):
    def __init__(self):
        super().__init__()
        signal.set_wakeup_fd(self._csock.fileno())

    def _process_self_data(self, data):
        pass


class Shared:
    pass


@asynccontextmanager
async def lifespan():
    if os.environ.get("END") == "before it listens":
        asyncio.run = run_late
    if os.environ.get("LOOP") == "of Windows":
        asyncio.events.new_event_loop = LoopOfWindows
    if os.environ.get("END") == "itself":
        asyncio.get_running_loop().call_later(0.5, asyncio.current_task().cancel)
    yield Shared()
"""
SPEC: dict[str, Any] = {
    "name": "signals",
    "version": "1",
    "transports": ["stdio", "streamable-http"],
    "tools": [
        {"name": name, "description": "d.", "inputSchema": {"type": "object"}}
        for name in ("take", "end_child")
    ],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("signals") / "signals"
    return generate(SPEC, folder, handlers=HANDLERS, pack="python-stdlib")


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("late") / "signals"
    return generate(SPEC, folder, handlers={"lifespan.py": LATE}, pack="python-stdlib")


def test_a_signal_that_another_thread_receives_stops_the_server(
    server: Generated, check: WireCheck
) -> None:
    with StdioClient(server, MODERN, check) as client:
        client.start_call("take")
        assert client.process.wait(2) == 0


def test_it_stops_a_server_over_http(server: Generated, tmp_path: Path, check: WireCheck) -> None:
    with (
        listening(server, "streamable-http", tmp_path / "log.txt") as web,
        HttpClient(web, MODERN, check) as client,
    ):
        client.start_call("take")
        assert web.process.wait(2) == 0


def test_a_signal_for_a_child_of_a_handler_ends_the_child_only(
    server: Generated, check: WireCheck
) -> None:
    with StdioClient(server, MODERN, check) as client:
        for _ in range(2):
            answer = client.call("end_child")
            assert answer["result"]["content"][0]["text"] == "15"


def test_a_server_over_http_hears_signals_though_the_event_loop_takes_them(
    late: Generated, tmp_path: Path
) -> None:
    with listening(late, "streamable-http", tmp_path / "log.txt", LOOP="of Windows") as web:
        web.process.send_signal(SIGINT)
        assert web.process.wait(5) == 0


@pytest.mark.parametrize("end", ["before it listens", "itself"])
def test_a_server_ends_at_a_signal_that_comes_too_early_and_with_its_lifespan(
    late: Generated, end: str
) -> None:
    options = ("--transport", "streamable-http", "--port", str(free_port()))
    ran = late.run(*options, END=end)
    assert b"running on" in ran.stderr
    assert b"Traceback" not in ran.stderr
    assert ran.returncode == 0
