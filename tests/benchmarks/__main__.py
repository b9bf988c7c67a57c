"""The speeds that we promise, measured side by side in one run: `python -m tests.benchmarks`.

Each row is a ratio of two things done in turn, again and again, so that a machine that is slow for
a while is slow for both. Exit code 1 if a ratio is above its limit.
"""

from __future__ import annotations

import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from tests.generated import free_port
from tests.measured import memory_of, seconds_of
from tests.waiting import wait_until

HERE = Path(__file__).parent
PYTHON = [sys.executable]
SCAFFOLD = [str(Path(sys.executable).with_name("mcp-scaffold"))]
NOTHING = [*PYTHON, "-c", "pass"]
IMPORTS = [*PYTHON, "-c", "import click, pydantic, jinja2, yaml, jsonschema_rs"]


@dataclass(frozen=True)
class Row:
    """What is measured against what: two functions that return seconds or KiB, and the most allowed."""

    name: str
    limit: float
    subject: Callable[[], float]
    floor: Callable[[], float]
    rounds: int = 9

    def ratio(self) -> float:
        """The ratio of one pair, run in turn."""
        return self.subject() / self.floor()


@dataclass(frozen=True)
class WebRow:
    """Two servers over HTTP, which answer calls in turn: what each takes for its thousand."""

    name: str
    limit: float
    version: str
    subject: tuple[list[str], Path]
    floor: tuple[list[str], None]
    rounds: int = 9

    def ratio(self) -> float:
        """The ratio of the processor time of a thousand calls, twenty of each server at a time."""
        exchange = web_call(self.version)
        with web_server(*self.subject) as subject, web_server(*self.floor) as floor:
            servers = subject, floor
            for connection, _ in servers:
                exchange(connection)
            before = [seconds_of(pid) for _, pid in servers]
            for _ in range(50):
                for connection, _ in servers:
                    for _ in range(20):
                        exchange(connection)
            taken = [
                seconds_of(pid) - start for (_, pid), start in zip(servers, before, strict=True)
            ]
        return taken[0] / taken[1]


def main() -> int:
    """Print the table; how many rows are above their limit is the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'':78} {'ratio':>7} {'limit':>7}")
        above = 0
        for row in table(Path(folder)):
            ratio = measured(row)
            above += ratio > row.limit
            print(f"{row.name:78} {ratio:7.2f} {row.limit:7.2f}{'  above' * (ratio > row.limit)}")
    return min(above, 1)


def measured(row: Row | WebRow) -> float:
    """The median of the ratios, after one that does not count."""
    row.ratio()
    return statistics.median(row.ratio() for _ in range(row.rounds))


def table(folder: Path) -> Iterator[Row | WebRow]:
    """The rows, each with what it needs prepared in `folder`."""
    two, twenty, hundred, thousand = (spec(folder, tools) for tools in (2, 20, 100, 1000))
    for flag in ("--version", "--help"):
        name = f"mcp-scaffold {flag} / python -c pass"
        yield Row(name, 6, run(*SCAFFOLD, flag), run(*NOTHING))
    yield Row("validate, 2 tools / imports", 1.6, run(*SCAFFOLD, "validate", two), run(*IMPORTS))
    yield Row("new, 2 tools / imports", 2.2, new(folder, two), run(*IMPORTS))
    yield Row("new, 100 tools / imports", 3, new(folder, hundred), run(*IMPORTS), 5)
    yield Row("new, 1000 tools / imports", 8, new(folder, thousand), run(*IMPORTS), 3)
    project = folder / "unchanged"
    new_in(twenty, project)
    for option in ([], ["--check"]):
        name = f"regenerate {' '.join(option)} of 20 tools, nothing changed / python -c pass"
        yield Row(name, 6, run(*SCAFFOLD, "regenerate", *option, project), run(*NOTHING))
    servers = forty(twenty, folder / "servers")
    yield Row(
        "regenerate --check of 40 projects, nothing changed / of one",
        10,
        run(*SCAFFOLD, "regenerate", "--check", f"{servers}/*"),
        run(*SCAFFOLD, "regenerate", "--check", servers / "s0"),
    )
    large = folder / "large"
    new_in(thousand, large)
    yield Row(
        "regenerate, one of 1000 tools changed / new, 1000 tools",
        0.6,
        changed(large),
        new(folder, thousand),
        3,
    )
    ours = [*PYTHON, "-m", "echo"]
    theirs = [*PYTHON, str(HERE / "floor_server.py")]
    src, plain_src = (echo(folder, pack) for pack in ("python", "python-stdlib"))
    yield Row(
        "server, spawn to first result / least by hand", 1.03, first(ours, src), first(theirs)
    )
    for name, at_once, limit, stdlib_limit in (
        ("a call", 1, 1 / 1.3, 1 / 4),
        ("a call with 64 in flight", 64, 1 / 2.5, 1 / 4),
    ):
        least = calls(theirs, None, at_once)
        yield Row(f"server, {name} / least by hand", limit, calls(ours, src, at_once), least, 5)
        plain = calls(ours, plain_src, at_once)
        yield Row(f"server of python-stdlib, {name} / least by hand", stdlib_limit, plain, least, 5)
    for name, limit, more in (("a call", 1.05, WEB), ("a call with all on", 1.25, WEB | AUDIT)):
        web_src = echo(folder, "python", more)
        for version in ("2025-11-25", "2026-07-28"):
            title = f"server over HTTP {version}, {name} / least by hand"
            yield WebRow(title, limit, version, ([*ours, "--port"], web_src), (theirs, None))
    yield Row(
        "server of python-stdlib, spawn to first result / python -c 'import json'",
        2.5,
        first(ours, plain_src),
        run(*PYTHON, "-c", "import json"),
    )
    pair = memory(ours, plain_src), memory(theirs)
    yield Row("server of python-stdlib, memory / least by hand", 1 / 4, *pair, 5)


def spec(folder: Path, tools: int, name: str | None = None) -> Path:
    """A spec of so many tools, each with three arguments."""
    schema = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to work on."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
            "mode": {"enum": ["fast", "exact"], "description": "How to go about it."},
        },
        "required": ["text"],
    }
    names = [name] if name else [f"tool_{number}" for number in range(tools)]
    document = {
        "name": name or f"bench-{tools}",
        "version": "1.0.0",
        "tools": [
            {"name": n, "description": f"Works on text, as {n} does.", "inputSchema": schema}
            for n in names
        ],
    }
    path = folder / f"{document['name']}.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return path


def run(*command: object) -> Callable[[], float]:
    """Seconds that a whole process takes."""
    words = [str(word) for word in command]

    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)
        return time.perf_counter() - start

    return seconds


def new(folder: Path, spec_path: Path) -> Callable[[], float]:
    """Seconds that `new` takes, each time into a folder of its own."""
    numbers = count()
    return lambda: new_in(spec_path, folder / f"{spec_path.stem}-{next(numbers)}-{id(numbers)}")


def new_in(spec_path: Path, dest: Path, *options: object) -> float:
    """Seconds that `new` takes."""
    return run(*SCAFFOLD, "new", spec_path, dest, *options)()


WEB = {"transports": ["streamable-http"]}
AUDIT = {
    "log": {"calls": True},
    "http": {
        "share": {"callsPerMinute": 1_000_000},
        "allowedOrigins": ["https://app.example.org"],
    },
}
"""Keys of a spec: each call is counted and logged, and pages of other sites may call."""


def echo(folder: Path, pack: str, more: Mapping[str, Any] = {}) -> Path:
    """The source of a server whose only tool returns its argument."""
    project = folder / "-".join([pack, *more])
    spec_path = spec(folder, 1, name="echo")
    document = yaml.load(spec_path.read_text(), yaml.CSafeLoader)
    spec_path.write_text(json.dumps({**document, **more}))
    new_in(spec_path, project, "--pack", pack)
    handler = project / "src/echo/tools/echo.py"
    stub = handler.read_text()
    assert "raise NotWritten" in stub
    handler.write_text(stub.replace("raise NotWritten", "return arguments.text"))
    return project / "src"


def forty(spec_path: Path, servers: Path) -> Path:
    """A folder of forty projects."""
    new_in(spec_path, servers / "s0")
    for number in range(1, 40):
        shutil.copytree(servers / "s0", servers / f"s{number}")
    return servers


def changed(project: Path) -> Callable[[], float]:
    """Seconds that `regenerate` takes after an edit of one tool."""
    spec_path, numbers = project / "mcp.yaml", count()

    def seconds() -> float:
        document = yaml.load(spec_path.read_text(), yaml.CSafeLoader)
        document["tools"][500]["description"] = f"Changed {next(numbers)} times."
        spec_path.write_text(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False))
        return run(*SCAFFOLD, "regenerate", project)()

    return seconds


@contextmanager
def server(
    command: list[str], cwd: Path | None
) -> Iterator[tuple[Callable[[list[dict[str, Any]]], None], int]]:
    """A server after the handshake: a function that sends requests and waits for all answers, a pid."""
    process = subprocess.Popen(
        command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    stdin, stdout = process.stdin, process.stdout
    assert stdin
    assert stdout

    def exchange(messages: list[dict[str, Any]]) -> None:
        for message in messages:
            stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        stdin.flush()
        for _ in messages:
            assert b'"result"' in stdout.readline()

    client = {"name": "bench", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    exchange([{"id": 0, "method": "initialize", "params": params}])
    stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    try:
        yield exchange, process.pid
    finally:
        stdin.close()
        process.wait()


def call(number: int) -> dict[str, Any]:
    """A request that calls the tool `echo`."""
    params = {"name": "echo", "arguments": {"text": "hello"}}
    return {"id": number, "method": "tools/call", "params": params}


def first(command: list[str], cwd: Path | None = None) -> Callable[[], float]:
    """Seconds from the start of the process to the result of its first call."""

    def seconds() -> float:
        start = time.perf_counter()
        with server(command, cwd) as (exchange, _):
            exchange([call(1)])
            return time.perf_counter() - start

    return seconds


def calls(command: list[str], cwd: Path | None, at_once: int = 1) -> Callable[[], float]:
    """Seconds that 1000 calls take on one connection, so many of them sent at once."""

    def seconds() -> float:
        with server(command, cwd) as (exchange, _):
            exchange([call(1)])
            start = time.perf_counter()
            for number in range(0, 1000, at_once):
                exchange([call(number + n) for n in range(at_once)])
            return time.perf_counter() - start

    return seconds


def web_call(version: str) -> Callable[[HTTPConnection], None]:
    """A function that calls the tool over a connection."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
    }
    request: dict[str, Any] = {"jsonrpc": "2.0", **call(1)}
    if version == "2026-07-28":
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "echo"}
        request["params"]["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        }
    body = json.dumps(request)

    def exchange(connection: HTTPConnection) -> None:
        connection.request("POST", "/mcp", body, headers)
        assert b'"hello"' in connection.getresponse().read()

    return exchange


@contextmanager
def web_server(command: list[str], cwd: Path | None) -> Iterator[tuple[HTTPConnection, int]]:
    """A server at a free port, which ends the command: a connection, a pid."""
    port = free_port()
    process = subprocess.Popen([*command, str(port)], cwd=cwd, stderr=subprocess.DEVNULL)

    def is_open() -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return True
        return False

    try:
        wait_until(is_open)
        with closing(HTTPConnection("127.0.0.1", port)) as connection:
            yield connection, process.pid
    finally:
        process.terminate()
        process.wait()


def memory(command: list[str], cwd: Path | None = None) -> Callable[[], float]:
    """KiB of a server after a call."""

    def kib() -> float:
        with server(command, cwd) as (exchange, pid):
            exchange([call(1)])
            return memory_of(pid)

    return kib


if __name__ == "__main__":
    sys.exit(main())
