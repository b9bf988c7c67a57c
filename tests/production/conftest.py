"""Two replicas of one server, what they share, and the proxy before them, all on this machine."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.generated import REPOSITORY, Generated, WebServer, free_port, generate, listening
from tests.waiting import wait_until

KEYS = "0123456789abcdef" * 2
OPEN = {"type": "object", "properties": {"seconds": {"type": "number", "default": 0}}}
SPEC: dict[str, Any] = {
    "name": "board",
    "version": "1",
    "transports": ["streamable-http", "sse", "stdio"],
    "replicas": {"stateKeys": {"env": "STATE_KEYS"}, "redis": {"env": "REDIS_URL"}},
    "env": [
        {"name": name, "secret": True, "required": False} for name in ("STATE_KEYS", "REDIS_URL")
    ],
    "clientCapabilities": {"elicitation": {}},
    "capabilities": {"tools": {"listChanged": True}, "resources": {"subscribe": True}},
    "tools": [
        {"name": name, "description": "Serve.", "inputSchema": OPEN}
        for name in ("wait", "post", "ask")
    ],
    "resources": [{"uri": "board://notices", "name": "notices", "mimeType": "text/plain"}],
}
HANDLERS = {
    "tools/wait.py": """
import anyio


async def wait(arguments, context):
    with open("begun", "a") as file:
        file.write(".")
    await anyio.sleep(arguments.seconds)
    return "waited"
""",
    "tools/post.py": """
from board._generated.contract import resource_updated


async def post(arguments, context):
    await resource_updated("board://notices")
    return "posted"
""",
    "tools/ask.py": """
from pydantic import BaseModel


class Name(BaseModel):
    name: str


class Town(BaseModel):
    town: str


async def ask(arguments, context):
    name = await context.elicit("Your name?", Name)
    town = await context.elicit("Your town?", Town)
    return f"{name.name} of {town.town}"
""",
}


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here start servers."""


@pytest.fixture(scope="session")
def board(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server that asks questions, notifies clients, and takes its time if it is told to."""
    return generate(SPEC, tmp_path_factory.mktemp("board") / "board", handlers=HANDLERS)


@contextmanager
def replicas(
    board: Generated, folder: Path, *arguments: str, **env: str
) -> Iterator[list[WebServer]]:
    """Run two replicas until the block ends."""
    with ExitStack() as stack:
        logs = [folder / f"replica-{name}.txt" for name in "ab"]
        yield [
            stack.enter_context(listening(board, "streamable-http", log, *arguments, **env))
            for log in logs
        ]


def program(name: str) -> str:
    """The path of a program; the test is skipped where it is not installed."""
    if (path := shutil.which(name)) is None:
        pytest.skip(f"{name} is not installed")
    return path


@dataclass
class RedisServer:
    """A real Redis, which can go away and come back."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = ["--port", str(self.port), "--save", "", "--dir", str(self.folder)]
        command = [program("redis-server"), "--bind", "127.0.0.1", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_until(lambda: listens(self.port))

    def stop(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def pause(self, *, go_on: bool = False) -> None:
        """Let it hang, with its connections open."""
        if self.process:
            self.process.send_signal(signal.SIGCONT if go_on else signal.SIGSTOP)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.stop()


PAGE = (REPOSITORY / "docs" / "production.md").read_text("utf-8")


def block(name: str) -> str:
    """The block of docs/production.md that begins with a comment."""
    [text] = re.findall(
        rf"^```\w+\n# {re.escape(name)}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE
    )
    return str(text)


@contextmanager
def nginx(folder: Path, ports: list[int]) -> Iterator[int]:
    """Run the nginx of docs/production.md before the replicas at these ports, and yield its own."""
    port, text = free_port(), block("nginx.conf").replace("listen 8080", "listen 127.0.0.1:{port}")
    for name, listening_port in zip("ab", ports, strict=True):
        text = text.replace(f"server {name}:8000", f"server 127.0.0.1:{listening_port}")
    config = folder / "nginx.conf"
    text = text.replace("{port}", str(port))
    config.write_text(f"daemon off; pid pid; events {{}} http {{ access_log off; {text} }}")
    command = [program("nginx"), "-p", str(folder), "-e", "nginx.txt", "-c", str(config)]
    process = subprocess.Popen(command)
    try:
        wait_until(lambda: listens(port))
        yield port
    finally:
        process.terminate()
        process.wait()


@contextmanager
def proxy(folder: Path, ports: list[int], *, sticky: bool = True) -> Iterator[int]:
    """Run the HAProxy of docs/production.md before the replicas at these ports, and yield its own."""
    port, config = free_port(), folder / "haproxy.cfg"
    text = block("haproxy.cfg")
    ours = {
        "bind :8080": f"bind 127.0.0.1:{port}",
        "timeout connect 2s": "timeout connect 2s\n    timeout check 30s",
        "inter 1s": "inter 200ms",
    }
    for name, listening_port in zip("ab", ports, strict=True):
        ours[f"server {name} {name}:8000"] = f"server {name} 127.0.0.1:{listening_port}"
    for old, new in ours.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    config.write_text(text if sticky else re.sub("(?m)^ +stick[ -].*\n", "", text))
    process = subprocess.Popen([program("haproxy"), "-db", "-q", "-f", str(config)])
    try:
        wait_until(lambda: listens(port))
        yield port
    finally:
        process.kill()
        process.wait()


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
