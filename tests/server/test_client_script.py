"""`client.py` of a project, run as its users run it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer, free_port, generate, listening
from tests.server.conftest import SPEC, TRANSPORTS

TOKEN = "open sesame"


def client(project: Generated, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "client.py", *arguments],
        cwd=project.folder,
        env=project.environment | env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def to(transport: str, web: Callable[[str], WebServer]) -> list[str]:
    """The options that lead to a transport's server."""
    if transport == "stdio":
        return []
    return ["--url", web(transport).url("/sse" if transport == "sse" else "/mcp")]


@pytest.mark.parametrize("era", [[], ["--legacy"]], ids=["modern", "legacy"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_all_is_well_with_a_server_whose_handlers_are_written(
    workshop: Generated, web: Callable[[str], WebServer], transport: str, era: list[str]
) -> None:
    ran = client(workshop, *to(transport, web), *era)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "FAIL" not in ran.stdout
    assert "todo" not in ran.stdout
    assert f"speaks {'2025-11-25' if era else '2026-07-28'}" in ran.stdout
    for tool in SPEC["tools"]:
        assert tool["name"] in ran.stdout
    if transport == "stdio":  # On a running server, examples that may write need `--real`.
        assert "ok   greet, a friend: Hello, Ada!" in ran.stdout
    assert "ok   an unknown method is refused" in ran.stdout


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_one_call_is_made_and_its_result_printed(
    workshop: Generated, web: Callable[[str], WebServer], transport: str
) -> None:
    ran = client(workshop, *to(transport, web), "call", "greet", '{"name": "Grace"}')
    assert (ran.returncode, ran.stdout) == (0, "Hello, Grace!\n")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["call", "greet", "{}"], 1, "Invalid arguments"),
        (["call", "no_such_tool", "{}"], 1, "Unknown tool: no_such_tool"),
        (["call", "greet", "{name: Ada}"], 2, "arguments"),
        (["call", "greet"], 2, "the following arguments are required: arguments"),
        (["--url", f"http://127.0.0.1:{free_port()}/mcp"], 1, "FAIL"),
    ],
    ids=["bad arguments", "unknown tool", "no JSON", "nothing", "nobody there"],
)
def test_what_is_off_is_told_without_a_traceback(
    workshop: Generated, arguments: list[str], code: int, told: str
) -> None:
    ran = client(workshop, *arguments)
    assert ran.returncode == code, ran
    assert told in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_the_token_is_taken_from_the_environment(
    workshop: Generated, tmp_path: Path, transport: str
) -> None:
    log = tmp_path / "log.txt"
    with listening(workshop, transport, log, WORKSHOP_TOKEN=TOKEN) as server:
        options = to(transport, lambda _: server)
        right = client(workshop, *options, WORKSHOP_TOKEN=TOKEN)
        assert right.returncode == 0, right.stdout + right.stderr
        wrong = client(workshop, *options, WORKSHOP_TOKEN="open barley")
        assert wrong.returncode == 1
        assert wrong.stderr.startswith("FAIL ")
        assert "Traceback" not in wrong.stderr


TEXT = {"type": "string"}
DAY = {"type": "object", "properties": {"day": TEXT}}
SEARCH = {
    "name": "search",
    "description": "Search.",
    "inputSchema": {"type": "object", "properties": {"words": TEXT}},
    "outputSchema": {
        "type": "object",
        "properties": {
            "hits": {
                "type": "array",
                "items": {"type": "object", "properties": {"number": {"type": "integer"}}},
            }
        },
    },
    "examples": [
        {"name": "one", "arguments": {"words": "one"}},
        {"name": "none", "arguments": {"words": ""}},
    ],
}
READ = {
    "name": "read",
    "description": "Read.",
    "inputSchema": {
        "type": "object",
        "properties": {"number": {"type": "integer"}, "more": {"type": "array"}},
        "required": ["number"],
    },
    "examples": [
        {
            "name": "the hit",
            "arguments": {"number": "${search.hits.0.number}", "more": ["${one.hits}", "${one"]},
        },
        {"name": "the hit of none", "arguments": {"number": "${none.hits.0.number}"}},
    ],
}
ASK = {
    "name": "ask",
    "description": "Ask.",
    "inputSchema": {"type": "object"},
    "examples": [
        {
            "name": "answered",
            "answers": {"elicitation": [{"day": "Monday"}, "cancel"], "sampling": ["A title"]},
        },
        {"name": "too few", "answers": {"elicitation": [{"day": "Friday"}]}},
    ],
}
CHAINED = {
    "tools/search.py": """
async def search(arguments, context):
    return {"hits": [{"number": 7}] if arguments.words else []}
""",
    "tools/read.py": """
async def read(arguments, context):
    return f"read {arguments.number} {arguments.more}"
""",
    "tools/ask.py": """
from pydantic import BaseModel


class Day(BaseModel):
    day: str


async def ask(arguments, context):
    first = await context.elicit("From?", Day, name="first")
    last = await context.elicit("To?", Day, name="last")
    return f"{first!r} {last} {await context.sample('A title, please')}"
""",
}


def chained(folder: Path, *tools: Mapping[str, object]) -> Generated:
    names = [f"tools/{tool['name']}.py" for tool in tools]
    spec = {
        "name": "chained",
        "version": "1",
        "tools": [SEARCH, READ, ASK],
        "clientCapabilities": {"elicitation": {}, "sampling": {}},
    }
    handlers = {name: CHAINED[name] for name in names}
    return generate(spec, folder / "chained", handlers=handlers)


def test_an_example_uses_the_result_of_an_earlier_one_and_answers_what_its_tool_asks(
    tmp_path: Path,
) -> None:
    ran = client(chained(tmp_path, SEARCH, READ, ASK))
    assert ran.returncode == 1
    lines = ran.stdout.splitlines()
    assert [line[:4] for line in lines if " read, the hit" in line] == ["ok  ", "FAIL"]
    assert [line[:4] for line in lines if " ask, " in line] == ["ok  ", "FAIL"]
    assert "none gave no hits.0.number" in ran.stdout
    assert "The example has no text left" in ran.stdout


def test_what_is_to_be_written_is_no_failure_nor_is_what_waits_for_it(tmp_path: Path) -> None:
    ran = client(chained(tmp_path, READ))
    assert ran.returncode == 0, ran.stdout
    to_do = [line for line in ran.stdout.splitlines() if line.startswith("todo")]
    assert len(to_do) == 6, ran.stdout
    assert "FAIL" not in ran.stdout


def test_an_example_that_does_not_end_as_the_spec_says_is_a_failure(tmp_path: Path) -> None:
    number = {"type": "object", "properties": {"number": {"type": "integer"}}}
    tool = {
        "name": "double",
        "description": "Double a number.",
        "inputSchema": number,
        "examples": [
            {"name": "two", "arguments": {"number": 2}},
            {"name": "too much", "arguments": {"number": 1000}, "isError": True},
            {"name": "broken", "arguments": {"number": 0}, "isError": True},
        ],
    }
    handler = """
async def double(arguments, context):
    return str(2 / arguments.number)
"""
    spec = {"name": "doubler", "version": "1", "tools": [tool]}
    project = generate(spec, tmp_path / "doubler", handlers={"tools/double.py": handler})
    wrong = client(project)
    assert wrong.returncode == 1
    results = [line[:4] for line in wrong.stdout.splitlines() if " double, " in line]
    assert results == ["ok  ", "FAIL", "FAIL"]


def test_a_server_that_does_not_start_is_told(tmp_path: Path) -> None:
    spec = {
        "name": "broken",
        "version": "1",
        "prompts": [{"name": "hello"}],
        "env": [{"name": "BROKEN_NEED"}],
    }
    ran = client(generate(spec, tmp_path / "broken"), "--real")
    assert ran.returncode == 1
    assert "BROKEN_NEED is not set" in ran.stderr
