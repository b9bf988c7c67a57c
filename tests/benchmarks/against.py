"""Each kind of call against another version: `python -m tests.benchmarks.against OTHER/bin/python`.

OTHER is an environment in which another version of mcp-scaffold is installed. Each of the two makes
the same project and serves it; both servers run at once, and batches of calls go to one and to the
other in turn. A ratio above 1 says that this version is slower. Counted is the processor time of
the server, which only Linux tells so finely. Of each pair of servers the fastest batches are
compared, which other work on the machine disturbs least, and the median of the pairs is what
decides; the median of all batches is shown beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from tests.generated import free_port, stop
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "What to work on."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
        "mode": {"enum": ["fast", "exact"], "description": "How to go about it."},
    },
    "required": ["text"],
}
HANDLERS = {"plain": "def", "awaited": "async def"}
TEXT = 'arguments["text"] if isinstance(arguments, dict) else arguments.text'
"""How a handler of any version reads its argument."""

ARGUMENTS: dict[str, dict[str, Any]] = {
    "right": {"text": "hello"},
    "missing": {"limit": 3},
    "wrong type": {"text": 5},
    "not allowed": {"text": "hello", "limit": 99, "mode": "slow"},
}
KINDS = [f"{transport} {era}" for transport in ("stdio", "http") for era in (LEGACY[-1], MODERN)]
WAYS = [
    *(("right", handler, at_once) for handler in HANDLERS for at_once in (1, 64)),
    *((wrong, "plain", 1) for wrong in ARGUMENTS if wrong != "right"),
]

Exchange: TypeAlias = Callable[[list[dict[str, Any]]], None]
"""Sends requests, and waits for all answers."""


@dataclass(frozen=True)
class Served:
    """A running server, and how to speak to it."""

    process: subprocess.Popen[bytes]
    exchange: Exchange

    def seconds(self) -> float:
        """Return the processor time that it has used."""
        return time.clock_gettime(~self.process.pid << 3 | 2)  # As clock_getcpuclockid(3) does.


@dataclass(frozen=True)
class Version:
    """A project that one version of the tool has made, and the Python that runs it."""

    python: str
    folder: Path

    @contextmanager
    def spawned(self, *options: str) -> Iterator[subprocess.Popen[bytes]]:
        env = {key: os.environ[key] for key in os.environ if key != "PYTHONDONTWRITEBYTECODE"}
        process = subprocess.Popen(
            [self.python, "-m", "pair", *options],
            cwd=self.folder,
            env=env | {"PYTHONPATH": str(self.folder / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            stop(process)

    @contextmanager
    def served(self, kind: str) -> Iterator[Served]:
        """A server, spoken to over a transport in a version of the protocol."""
        transport, era = kind.split()
        if transport == "stdio":
            with self.spawned("--transport", "stdio") as process:
                yield Served(process, over_stdio(process, era))
            return
        port = free_port()
        with (
            self.spawned("--transport", "streamable-http", "--port", str(port)) as process,
            ExitStack() as lines,
        ):
            yield Served(process, over_http(port, era, lines))


def made(python: str, folder: Path) -> Version:
    """Let a version of the tool make the project, write its handlers, and compile all of it."""
    tools = [{"name": n, "description": f"{n} echo.", "inputSchema": SCHEMA} for n in HANDLERS]
    transports = ["stdio", "streamable-http"]
    spec = {"name": "pair", "version": "1", "transports": transports, "tools": tools}
    path = folder / "pair.yaml"
    path.write_text(yaml.safe_dump(spec))
    tool = Path(python).with_name("mcp-scaffold")
    subprocess.run([tool, "new", path, folder / "pair"], check=True, capture_output=True)
    for name, how in HANDLERS.items():
        handler = folder / f"pair/src/pair/tools/{name}.py"
        handler.write_text(f"{how} {name}(arguments, context):\n    return {TEXT}\n")
    subprocess.run([python, "-m", "compileall", "-q", folder / "pair/src"], check=True)
    return Version(python, folder / "pair")


def over_stdio(process: subprocess.Popen[bytes], era: str) -> Exchange:
    stdin, stdout = process.stdin, process.stdout
    assert stdin
    assert stdout

    def exchange(requests: list[dict[str, Any]]) -> None:
        stdin.writelines(json.dumps(request).encode() + b"\n" for request in requests)
        stdin.flush()
        for _ in requests:
            assert b'"result"' in stdout.readline()

    if era in LEGACY:
        exchange([opening(era)])
        stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    return exchange


def over_http(port: int, era: str, lines: ExitStack) -> Exchange:
    """Each request that is under way at once has a connection of its own, which stays open."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": era,
    }
    connections = [HTTPConnection("127.0.0.1", port) for _ in range(64)]
    for connection in connections:
        lines.enter_context(closing(connection))

    def post(connection: HTTPConnection, message: dict[str, Any]) -> None:
        more = {"Mcp-Method": message["method"], "Mcp-Name": message["params"].get("name", "")}
        body = json.dumps(message)
        connection.request("POST", "/mcp", body, headers | (more if era == MODERN else {}))

    last_used = time.monotonic()

    def exchange(requests: list[dict[str, Any]]) -> None:
        nonlocal last_used
        if time.monotonic() > last_used + 3:  # The server closes what is idle for 5 seconds.
            for connection in connections:
                connection.close()
        last_used = time.monotonic()
        used = connections[: len(requests)]
        for connection, request in zip(used, requests, strict=True):
            post(connection, request)
        for connection in used:
            assert b'"result"' in answer(connection.getresponse())

    while connections[0].sock is None:
        try:
            connections[0].connect()
        except ConnectionRefusedError:
            time.sleep(0.002)
    if era in LEGACY:
        post(connections[0], opening(era))
        response = connections[0].getresponse()
        headers["Mcp-Session-Id"] = response.headers["Mcp-Session-Id"]
        assert b'"result"' in answer(response)
        post(
            connections[0], {"method": "notifications/initialized", "jsonrpc": "2.0", "params": {}}
        )
        answer(connections[0].getresponse())
    return exchange


def answer(response: HTTPResponse) -> bytes:
    body = response.read()
    assert response.status in (200, 202), body
    return body


def opening(era: str) -> dict[str, Any]:
    params = {"protocolVersion": era, "capabilities": {}, "clientInfo": CLIENT_INFO}
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}


def call(number: int, era: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    if era == MODERN:
        prefix = "io.modelcontextprotocol"
        params["_meta"] = {
            f"{prefix}/protocolVersion": era,
            f"{prefix}/clientCapabilities": {},
            f"{prefix}/clientInfo": CLIENT_INFO,
        }
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def times_of_calls(kind: str, both: list[Version], rounds: int) -> dict[str, list[list[float]]]:
    """Serve both versions at once; return the times of batches, for each kind of call."""
    era, numbers = kind.split()[1], count(1)

    def seconds(server: Served, given: str, tool: str, at_once: int) -> float:
        batches = [
            [call(next(numbers), era, tool, ARGUMENTS[given]) for _ in range(at_once)]
            for _ in range(64 // at_once)
        ]
        before = server.seconds()
        for batch in batches:
            server.exchange(batch)
        return server.seconds() - before

    times: dict[str, list[list[float]]] = {}
    with ExitStack() as stack:
        servers = [stack.enter_context(version.served(kind)) for version in both]
        for number in range(-5, rounds):
            # In one order, the garbage collector would always meet the same kind of call.
            for way in random.sample(WAYS, len(WAYS)):
                pair = [0.0, 0.0]
                for index in random.sample((0, 1), 2):
                    pair[index] = seconds(servers[index], *way)
                if number >= 0:
                    given, tool, at_once = way
                    name = f"{kind}, {given}, {tool}, {at_once} at once"
                    times.setdefault(name, []).append(pair)
    return times


def times_of_starts(kind: str, both: list[Version], rounds: int) -> list[list[float]]:
    """Return the times from the start of a server to the result of its first call."""
    times = []
    for _ in range(rounds):
        pair = [0.0, 0.0]
        for index in random.sample((0, 1), 2):
            with both[index].served(kind) as server:
                server.exchange([call(1, kind.split()[1], "plain", ARGUMENTS["right"])])
                pair[index] = server.seconds()
        times.append(pair)
    return times


def fastest(times: list[list[float]]) -> float:
    return min(ours for ours, _ in times) / min(theirs for _, theirs in times)


def main() -> int:
    """Print the table; the exit code is 1 if a ratio is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", help="the Python of an environment with another version")
    parser.add_argument("--kind", action="append", choices=KINDS, help="by default all")
    parser.add_argument("--servers", type=int, default=7, help="pairs of servers for each kind")
    parser.add_argument("--rounds", type=int, default=20, help="batches of calls to each server")
    parser.add_argument("--limit", type=float, default=1.02, help="the most that a ratio may be")
    options = parser.parse_args()
    above = 0
    with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
        both = [made(sys.executable, Path(ours)), made(options.other, Path(theirs))]
        print(f"{'':56} {'fastest':>7}  {'from-to':>11} {'median':>7}")
        for kind in options.kind or KINDS:
            times_of_starts(kind, both, 1)
            rows: dict[str, list[list[list[float]]]] = {}
            for _ in range(options.servers):
                starts = {f"{kind}, spawn to first result": times_of_starts(kind, both, 3)}
                for name, times in (starts | times_of_calls(kind, both, options.rounds)).items():
                    rows.setdefault(name, []).append(times)
            for name, pairs in rows.items():
                best = sorted(map(fastest, pairs))
                ratio = statistics.median(best)
                every = statistics.median(ours / theirs for pair in pairs for ours, theirs in pair)
                sign = "  above" * (ratio > options.limit)
                around = f"{best[0]:.2f}-{best[-1]:.2f}"
                print(f"{name:56} {ratio:7.3f}  {around:>11} {every:7.3f}{sign}", flush=True)
                above += ratio > options.limit
    return min(above, 1)


if __name__ == "__main__":
    sys.exit(main())
