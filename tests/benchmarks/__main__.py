"""The speeds that we promise, measured side by side in one run: `python -m tests.benchmarks`.

Each row is a ratio of two things done in turn, again and again, so that a machine that is slow for
a while is slow for both. Exit code 1 if a ratio is above its limit.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from tests.generated import Generated
from tests.measured import memory_of

HERE = Path(__file__).parent
COMPANY = HERE.parents[1] / "examples/company-pack"
CONFORMANCE = Generated(HERE.parents[1] / "examples/conformance", "conformance").anew()
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


def measured(row: Row) -> float:
    """The median of the ratios of pairs run in turn, after one pair that does not count."""
    row.subject(), row.floor()
    return statistics.median(row.subject() / row.floor() for _ in range(row.rounds))


def table(folder: Path) -> Iterator[Row]:
    """The rows, each with what it needs prepared in `folder`."""
    two, twenty, hundred, thousand = (spec(folder, tools) for tools in (2, 20, 100, 1000))
    yield Row(
        "mcp-scaffold --version / python -c pass", 10, run(*SCAFFOLD, "--version"), run(*NOTHING)
    )
    yield Row("mcp-scaffold --help / python -c pass", 10, run(*SCAFFOLD, "--help"), run(*NOTHING))
    yield Row("validate, 2 tools / imports", 1.6, run(*SCAFFOLD, "validate", two), run(*IMPORTS))
    yield Row("new, 2 tools / imports", 2.2, new(folder, two), run(*IMPORTS))
    yield Row("new, 100 tools / imports", 3, new(folder, hundred), run(*IMPORTS), 5)
    yield Row("new, 1000 tools / imports", 8, new(folder, thousand), run(*IMPORTS), 3)
    some, many = (differing(folder, tools) for tools in (100, 1000))
    validated = run(*SCAFFOLD, "validate", many)
    for name, tools, edit in (
        ("nothing changed", 0, narrow),
        ("1 of 1000 tools narrowed", 1, narrow),
        ("1000 of 1000 tools narrowed", 1000, narrow),
        ("1000 of 1000 tools with an argument more", 1000, widen),
        ("1000 of 1000 tools broken in each argument", 1000, break_all),
    ):
        yield Row(
            f"breaking, {name} / validate, 1000 tools",
            2,
            breaking(edited(many, tools, edit), many),
            validated,
            5,
        )
    yield Row(
        "breaking, 1000 of 1000 tools narrowed / 100 of 100",
        12,
        breaking(edited(many, 1000, narrow), many),
        breaking(edited(some, 100, narrow), some),
        5,
    )
    project = folder / "unchanged"
    new_in(twenty, project)
    for option in ([], ["--check"]):
        name = f"regenerate {' '.join(option)} of 20 tools, nothing changed / python -c pass"
        yield Row(name, 6, run(*SCAFFOLD, "regenerate", *option, project), run(*NOTHING))
    for name, options in {
        "": (),
        " with a pack, in git": ("--pack", COMPANY, "--defaults"),
    }.items():
        servers = forty(twenty, folder / f"servers{len(options)}", *options)
        yield Row(
            f"regenerate --check of 40 projects{name}, nothing changed / of one",
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
    layered, plain = folder / "layered", folder / "plain"
    new_in(twenty, layered, "--pack", COMPANY, "--defaults")
    new_in(twenty, plain)
    (layered / "templates").mkdir()
    (layered / "templates/Dockerfile.j2").write_text('{% extends "@acme/Dockerfile.j2" %}')
    yield Row(
        "regenerate, one of 20 tools changed, three layers / one",
        1.2,
        changed(layered, 10),
        changed(plain, 10),
    )
    ours = [*PYTHON, "-m", "echo"]
    theirs = [*PYTHON, str(HERE / "floor_server.py")]
    src, plain_src = (echo(folder, pack) for pack in ("python", "python-stdlib"))
    yield Row("server, spawn to first result / least by hand", 1.1, first(ours, src), first(theirs))
    yield Row("server, a call / least by hand", 1 / 0.9, calls(ours, src), calls(theirs, None), 5)
    yield Row(
        "server, a call with 64 in flight / least by hand",
        1 / 0.9,
        calls(ours, src, 64),
        calls(theirs, None, 64),
        5,
    )
    yield Row(
        "server of python-stdlib, spawn to first result / python -c 'import json'",
        2.5,
        first(ours, plain_src),
        run(*PYTHON, "-c", "import json"),
    )
    # One call after the other is bounded by the pipes: the time is compared with what they take.
    least = [*PYTHON, str(HERE / "least_server.py")]
    yield Row(
        "server of python-stdlib, a call, on two CPUs / least possible",
        2.5,
        calls_apart(ours, plain_src),
        calls_apart(least, None),
    )
    for name, limit, measure in (
        ("spawn to first result", 1 / 12, first),
        ("a call with 64 in flight", 1 / 10, partial(calls, at_once=64)),
        ("memory", 1 / 4, memory),
    ):
        pair = measure(ours, plain_src), measure(ours, src)
        yield Row(f"server of python-stdlib, {name} / of python", limit, *pair, 5)


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
    return written(folder, name or f"bench-{tools}", dict.fromkeys(names, schema))


def differing(folder: Path, tools: int) -> Path:
    """A spec of so many tools, each with names and bounds of its own."""
    schemas = {
        f"tool_{number}": {
            "type": "object",
            "properties": {
                f"text_{number}": {"type": "string", "description": "What to work on."},
                f"limit_{number}": {"type": "integer", "minimum": 1, "maximum": 20 + number},
                f"mode_{number}": {"enum": ["fast", "exact"]},
            },
            "required": [f"text_{number}"],
        }
        for number in range(tools)
    }
    return written(folder, f"differing-{tools}", schemas)


def written(folder: Path, name: str, schemas: dict[str, Any]) -> Path:
    """A spec of tools with these arguments."""
    document = {
        "name": name,
        "version": "1.0.0",
        "tools": [
            {"name": n, "description": f"Works on text, as {n} does.", "inputSchema": schema}
            for n, schema in schemas.items()
        ],
    }
    path = folder / f"{name}.yaml"
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


def edited(spec_path: Path, tools: int, edit: Callable[[dict[str, Any]], None]) -> Path:
    """The spec with other arguments of some of its tools."""
    document = json.loads(json.dumps(yaml.load(spec_path.read_text(), yaml.CSafeLoader)))
    for tool in document["tools"][:tools]:
        edit(tool["inputSchema"])
    path = spec_path.with_name(f"{spec_path.stem}-{edit.__name__}-{tools}.yaml")
    path.write_text(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False))
    return path


def narrow(arguments: dict[str, Any]) -> None:
    _, limit, _ = arguments["properties"].values()
    limit["maximum"] -= 10


def widen(arguments: dict[str, Any]) -> None:
    [text] = arguments["required"]
    arguments["properties"][text.replace("text", "language")] = {"type": "string"}


def break_all(arguments: dict[str, Any]) -> None:
    narrow(arguments)
    text, _, mode = arguments["properties"]
    arguments["properties"][mode]["enum"].pop()
    query = text.replace("text", "query")
    arguments["properties"][query] = arguments["properties"].pop(text)
    arguments["required"] = [query]


def breaking(new_path: Path, old_path: Path) -> Callable[[], float]:
    """Seconds that `breaking` takes."""
    return run(*SCAFFOLD, "breaking", new_path, "--against", old_path, "--fail-on", "never")


def new(folder: Path, spec_path: Path) -> Callable[[], float]:
    """Seconds that `new` takes, each time into a folder of its own."""
    numbers = count()
    return lambda: new_in(spec_path, folder / f"{spec_path.stem}-{next(numbers)}-{id(numbers)}")


def new_in(spec_path: Path, dest: Path, *options: object) -> float:
    """Seconds that `new` takes."""
    return run(*SCAFFOLD, "new", spec_path, dest, *options)()


def echo(folder: Path, pack: str) -> Path:
    """The source of a server whose only tool returns its argument."""
    project = folder / pack
    new_in(spec(folder, 1, name="echo"), project, "--pack", pack)
    handler = project / "src/echo/tools/echo.py"
    stub = handler.read_text()
    assert "raise NotWritten" in stub
    handler.write_text(stub.replace("raise NotWritten", "return arguments.text"))
    return project / "src"


def forty(spec_path: Path, servers: Path, *options: object) -> Path:
    """A folder of forty projects; with options, in a git repository."""
    new_in(spec_path, servers / "s0", *options)
    for number in range(1, 40):
        shutil.copytree(servers / "s0", servers / f"s{number}")
    if options:
        git = ["git", "-C", servers, "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
        for words in (["init"], ["add", "--all"], ["commit", "--message", "servers"]):
            run(*git, *words)()
    return servers


def changed(project: Path, tool: int = 500) -> Callable[[], float]:
    """Seconds that `regenerate` takes after an edit of one tool."""
    spec_path, numbers = project / "mcp.yaml", count()

    def seconds() -> float:
        document = yaml.load(spec_path.read_text(), yaml.CSafeLoader)
        document["tools"][tool]["description"] = f"Changed {next(numbers)} times."
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


def calls_apart(command: list[str], cwd: Path | None) -> Callable[[], float]:
    """The same, one at a time, of a server on a CPU of its own, as on an idle machine.

    A busy one runs client and server in turn on the same CPU, which wakes up faster.
    """
    before = os.sched_getaffinity(0)
    here, there, *_ = sorted(before)
    measure = calls(["taskset", "--cpu-list", str(there), *command], cwd)

    def seconds() -> float:
        os.sched_setaffinity(0, {here})
        try:
            return measure()
        finally:
            os.sched_setaffinity(0, before)

    return seconds


def memory(command: list[str], cwd: Path | None = None) -> Callable[[], float]:
    """KiB of a server after a call."""

    def kib() -> float:
        with server(command, cwd) as (exchange, pid):
            exchange([call(1)])
            return memory_of(pid)

    return kib


if __name__ == "__main__":
    sys.exit(main())
