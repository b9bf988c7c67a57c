"""A client that leaves before its answer: since 2026-07-28 that cancels the call, before it does not."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest

from tests.generated import Generated, generate, listening
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.raw_web_client import HttpClient

WAIT = """
import asyncio
import os
from pathlib import Path


async def wait(arguments, context):
    diary = Path(os.environ["DIARY"])
    diary.write_text("begun")
    try:
        await asyncio.sleep(1)
    except asyncio.CancelledError:
        diary.write_text("cancelled")
        raise
    diary.write_text("finished")
"""


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    spec = {
        "name": "patient",
        "version": "1",
        "transports": ["streamable-http"],
        "tools": [{"name": "wait", "description": "Wait.", "inputSchema": {"type": "object"}}],
    }
    folder = tmp_path_factory.mktemp("patient") / "patient"
    return generate(spec, folder, handlers={"tools/wait.py": WAIT})


@pytest.mark.parametrize(("version", "end"), [(MODERN, "cancelled"), (LEGACY[-1], "finished")])
def test_a_client_that_leaves_cancels_its_call_since_2026_07_28(
    patient: Generated, check: WireCheck, tmp_path: Path, version: str, end: str
) -> None:
    diary = tmp_path / "diary.txt"
    with (
        listening(patient, "streamable-http", tmp_path / "log.txt", DIARY=str(diary)) as server,
        HttpClient(server, version, check) as client,
    ):
        params = client._params({"name": "wait", "arguments": {}})
        message = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", **params}
        body = json.dumps(message).encode()
        headers = {
            "Host": "localhost",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
            **client.headers_of(message),
        }
        lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall("\r\n".join([*lines, "", ""]).encode() + body)
            wait_for(diary, "begun")
        wait_for(diary, end)
        time.sleep(1.2)
        assert diary.read_text() == end


def wait_for(diary: Path, text: str) -> None:
    deadline = time.monotonic() + 10
    while not diary.exists() or diary.read_text() != text:
        assert time.monotonic() < deadline, diary.exists() and diary.read_text()
        time.sleep(0.01)
