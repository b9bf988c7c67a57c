"""Servers of the pack python-stdlib lose nothing of what they write, for clients of all kinds."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.conformance.memory import memory_of
from tests.generated import Generated, generate
from tests.raw_client import CLIENT_INFO, LEGACY

HANDLERS = {
    "tools/big.py": """
def big(arguments, context):
    return "x" * arguments.model_extra["size"]
""",
    "lifespan.py": """
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Shared:
    pass


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    time.sleep(float(os.environ.get("OPENS_WITHIN", "0")))
    yield Shared()
""",
}
SPEC: dict[str, Any] = {
    "name": "lines",
    "version": "1",
    "tools": [{"name": "big", "description": "d.", "inputSchema": {"type": "object"}}],
}
HELLO = {"protocolVersion": LEGACY[-1], "clientInfo": CLIENT_INFO, "capabilities": {}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("lines") / "lines"
    return generate(SPEC, folder, handlers=HANDLERS, pack="python-stdlib")


def line(number: int, method: str, params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def calls(count: int, size: int) -> bytes:
    params = {"name": "big", "arguments": {"size": size}}
    return b"".join(line(number, "tools/call", params) for number in range(count))


@contextmanager
def begun(
    server: Generated, *, blocks: bool = True
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server after the handshake, and where its answers can be read."""
    reader, writer = os.pipe()
    os.set_blocking(writer, blocks)
    command, environment = server.command("--transport", "stdio"), server.environment
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=writer, cwd=server.folder, env=environment
    ) as process:
        os.close(writer)
        send(process, line(0, "initialize", HELLO))
        os.read(reader, 65536)
        try:
            yield process, reader
        finally:
            process.kill()
            os.close(reader)


def send(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin
    process.stdin.write(text)
    process.stdin.flush()


def close(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()


def test_unread_answers_to_messages_that_arrive_together_take_limited_memory(
    server: Generated,
) -> None:
    with begun(server) as (process, _):
        before = memory_of(process.pid)
        send(process, calls(200, 1_000_000))
        time.sleep(0.8)
        assert memory_of(process.pid) - before < 60_000


def test_the_end_of_the_input_is_noticed_while_much_is_unread(server: Generated) -> None:
    with begun(server) as (process, _):
        send(process, calls(50, 1_000_000))
        close(process)
        assert process.wait(4) == 0


def test_a_long_answer_is_written_to_its_end_if_the_client_reads_on(server: Generated) -> None:
    with begun(server) as (process, reader):
        send(process, calls(1, 700_000))
        close(process)
        read = b""
        while part := os.read(reader, 32768):
            read += part
            time.sleep(0.05)
        assert len(json.loads(read)["result"]["content"][0]["text"]) == 700_000


def test_nothing_is_lost_if_writing_does_not_block(server: Generated) -> None:
    with begun(server, blocks=False) as (process, reader):
        send(process, calls(100, 5_000))
        time.sleep(0.3)
        close(process)
        read = b""
        while part := os.read(reader, 65536):
            read += part
        assert [json.loads(one)["id"] for one in read.splitlines()] == [*range(100)]


def test_no_answer_waits_until_the_lifespan_is_open(server: Generated) -> None:
    with server.spawn("--transport", "stdio", OPENS_WITHIN="1") as process:
        send(process, b"garbage\n" + line(0, "initialize", HELLO))
        assert process.stdout
        assert "error" in json.loads(process.stdout.readline())
        told = time.monotonic()
        assert "result" in json.loads(process.stdout.readline())
        assert time.monotonic() - told > 0.3
        close(process)
