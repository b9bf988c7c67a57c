"""The old server over HTTP, to which the tests pass calls on."""

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from runpy import run_path
from threading import Thread

import pytest

OLD = Path(__file__).parents[1] / "old_server.py"


@pytest.fixture(scope="session", autouse=True)
def upstream() -> None:
    server = run_path(str(OLD))["server"]
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    options = {"transport": "streamable-http", "port": address[1]}
    Thread(target=server.run, kwargs=options, daemon=True).start()
    latest = time.monotonic() + 60
    while time.monotonic() < latest:
        with suppress(ConnectionError), socket.create_connection(address):
            break
        time.sleep(0.02)
    os.environ["STAND_IN_READING_LIST_UPSTREAM"] = f"http://127.0.0.1:{address[1]}/mcp"
