"""`client.py` of a project, run as its users run it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.generated import EXAMPLE_TESTS, Generated, WebServer, free_port, generate, listening
from tests.raw_client import LEGACY, MODERN
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


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_all_is_well_with_a_server_whose_handlers_are_written(
    workshop: Generated, web: Callable[[str], WebServer], transport: str
) -> None:
    ran = client(workshop, *to(transport, web))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    steps = ("ok  ", "FAIL", "todo", "     no examples for ")
    stages = [line for line in ran.stdout.splitlines() if not line.startswith(steps)]
    assert stages[:3] == ["Handshake", "Lists", "Examples"]
    assert stages[3:] == ["Error paths", "1 handler to write: unwritten"]
    assert "FAIL" not in ran.stdout
    assert "workshop 1.2.3, protocol" in ran.stdout
    for tool in SPEC["tools"]:
        assert tool["name"] in ran.stdout
    assert "ok   greet: a friend → Hello, Ada!" in ran.stdout
    assert "ok   greet: nobody → Invalid arguments" in ran.stdout
    assert "ok   an unknown tool: Unknown tool: no_such_tool" in ran.stdout
    assert "ok   an unknown method: " in ran.stdout


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_one_call_is_made_and_its_result_printed(
    workshop: Generated, web: Callable[[str], WebServer], transport: str
) -> None:
    ran = client(workshop, *to(transport, web), "call", "greet", '{"name": "Grace"}')
    assert (ran.returncode, ran.stdout) == (0, "Hello, Grace!\n")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["call", "greet", "{}"], 1, '"name" is a required property'),
        (["call", "no_such_tool", "{}"], 1, "Unknown tool: no_such_tool"),
        (["call", "greet", "{name: Ada}"], 2, "invalid json_object value"),
        (["call", "greet", "7"], 2, "invalid json_object value"),
        (["call", "greet"], 2, "the following arguments are required: arguments"),
        (["--url", f"http://127.0.0.1:{free_port()}/mcp"], 1, "FAIL"),
    ],
    ids=["bad arguments", "unknown tool", "no JSON", "no object", "nothing", "nobody there"],
)
def test_what_is_off_is_told_without_a_traceback(
    workshop: Generated,
    web: Callable[[str], WebServer],
    arguments: list[str],
    code: int,
    told: str,
) -> None:
    ran = client(workshop, *to("streamable-http", web), *arguments)
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
        assert "Unauthorized" in wrong.stderr
        assert "Traceback" not in wrong.stderr


def test_an_example_that_does_not_end_as_the_spec_says_is_a_failure(tmp_path: Path) -> None:
    tool = {
        "name": "double",
        "description": "Double a number.",
        "inputSchema": {
            "type": "object",
            "properties": {"number": {"type": "integer"}},
            "required": ["number"],
        },
        "examples": [
            {"name": "two", "arguments": {"number": 2}},
            {"name": "too much", "arguments": {"number": 1000}, "isError": True},
        ],
    }
    project = generate({"name": "doubler", "version": "1", "tools": [tool]}, tmp_path / "doubler")

    stub = client(project)
    assert stub.returncode == 0
    assert "todo double: to be written\n" in stub.stdout
    assert stub.stdout.endswith("\n1 tool to write: double\n")

    handler = project.source / "tools" / "double.py"
    text = handler.read_text()
    handler.write_text(text.partition("    raise ")[0] + "    return str(2 * arguments.number)\n")
    wrong = client(project)
    assert wrong.returncode == 1
    assert "ok   double: two → 4" in wrong.stdout
    assert "FAIL double: too much → 2000" in wrong.stdout


def test_a_server_that_does_not_start_is_told(tmp_path: Path) -> None:
    spec = {
        "name": "broken",
        "version": "1",
        "prompts": [{"name": "hello"}],
        "env": [{"name": "BROKEN_NEED"}],
    }
    ran = client(generate(spec, tmp_path / "broken"))
    assert ran.returncode == 1
    assert "not set in the environment: BROKEN_NEED" in ran.stderr
    assert "Traceback" not in ran.stderr


SEARCH = {
    "name": "search",
    "description": "Search.",
    "inputSchema": {"type": "object", "properties": {"words": {"type": "string"}}},
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
        {
            "name": "declined",
            "answers": {"elicitation": ["decline", "decline"], "sampling": ["None"]},
        },
        {"name": "too few", "answers": {"elicitation": [{"day": "Friday"}]}},
    ],
}
CHAINED = {
    "tools/search.py": """
async def search(arguments, context):
    words = arguments.words
    return {"hits": [{"number": 7}] if words else []}
""",
    "tools/read.py": """
async def read(arguments, context):
    return f"read {arguments.number} {arguments.more} {'!' * 100}"
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


@pytest.fixture(scope="module")
def chained(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    spec = {
        "name": "chained",
        "version": "1",
        "tools": [SEARCH, READ, ASK],
        "clientCapabilities": {"elicitation": {}, "sampling": {}},
    }
    folder = tmp_path_factory.mktemp("chained") / "chained"
    return generate(spec, folder, handlers=CHAINED)


def test_an_example_uses_the_result_of_an_earlier_one_and_answers_what_its_tool_asks(
    chained: Generated,
) -> None:
    ran = client(chained)
    assert ran.returncode == 1
    assert "ok   read: the hit → read 7 [[{'number': 7}], '${one'] !!!" in ran.stdout
    assert "FAIL read: the hit of none: the result of none has no hits.0.number" in ran.stdout
    assert "ok   ask: answered → Day(day='Monday') cancel A title" in ran.stdout
    assert "ok   ask: declined → 'decline' decline None" in ran.stdout
    assert "FAIL ask: too few: The example has no text left" in ran.stdout
    assert ran.stdout.count("FAIL") == 2
    assert ran.stdout.splitlines()[-1].startswith("ok   an unknown method")


def test_the_tests_of_a_project_run_such_examples_too(chained: Generated) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLE_TESTS],
        cwd=chained.folder,
        env=chained.environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "5 passed" in ran.stdout, ran.stdout
    assert "the result of none has no hits.0.number" in ran.stdout


def test_a_result_that_waits_for_a_stub_is_no_failure(tmp_path: Path) -> None:
    spec = {"name": "chained", "version": "1", "tools": [SEARCH, READ]}
    project = generate(
        spec, tmp_path / "chained", handlers={"tools/read.py": CHAINED["tools/read.py"]}
    )
    ran = client(project)
    assert ran.returncode == 0, ran.stdout
    assert "todo search: to be written" in ran.stdout


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("version", ["2025-03-26", LEGACY[-1], MODERN])
def test_the_wire_is_shown_in_the_version_that_is_asked_for(
    workshop: Generated, web: Callable[[str], WebServer], transport: str, version: str
) -> None:
    options = [*to(transport, web), "--wire", "--protocol", version]
    ran = client(workshop, *options, "call", "greet", '{"name": "Grace"}')
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[-1] == "Hello, Grace!"
    call = next(line for line in lines if line.startswith("→") and " tools/call params " in line)
    number = call.split()[1]
    [answer] = [line for line in lines if line.startswith(f"← {number} tools/call result {{")]
    assert lines.index(call) < lines.index(answer)
    asked = "→ 1 initialize params " in ran.stdout
    assert asked is (version != MODERN)
    assert max(len(line) for line in lines) < 120
    full = client(workshop, *options, "--full", "call", "greet", '{"name": "Grace"}')
    assert '"name": "greet", "arguments": {"name": "Grace"}' in full.stdout
    assert version in full.stdout


def test_questions_on_the_wire_have_the_number_of_the_one_who_asks(chained: Generated) -> None:
    ran = client(chained, "--wire", "--protocol", LEGACY[-1])
    lines = ran.stdout.splitlines()
    [asked, *_] = [line for line in lines if line.startswith("←") and "elicitation/create" in line]
    number = asked.split()[1]
    assert f"→ {number} elicitation/create result " in ran.stdout
    assert "→ - notifications/initialized" in ran.stdout


def test_results_are_shown_in_full_if_asked(chained: Generated) -> None:
    assert "!" * 100 not in client(chained).stdout
    assert "!" * 100 in client(chained, "--full").stdout


def test_whoever_reads_the_output_may_stop(workshop: Generated) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"{sys.executable} client.py --wire | head -1"],
        cwd=workshop.folder,
        env=workshop.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stdout.startswith("→ 1 ")
    assert "Traceback" not in ran.stderr
