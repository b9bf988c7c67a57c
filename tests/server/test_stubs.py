"""What is still to be written, and how the project says so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.generated import EXAMPLE_TESTS, Generated, generate
from tests.raw_client import LEGACY, StdioClient, WireCheck
from tests.server.test_project_checks import clean_environment

ECHO = {
    "name": "echo",
    "description": "Echo a text.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "minLength": 3}},
        "required": ["text"],
    },
}
EXAMPLE = {"examples": [{"name": "one", "arguments": {"text": "one"}}]}
RAISE = '    raise NotImplementedError("echo")\n'
LATER = f"\n\ndef later() -> str:\n{RAISE}"
BODIES = {
    "deeper": "    return later()\n",
    "not its first statement": f'    text = "one"\n{RAISE}',
}
KINDS = ("async def", "def")


def write(project: Generated, tool: str, body: str, kind: str = "async def", end: str = "") -> None:
    """Put a body into the stub of a tool, and more at the end of its module."""
    path = project.source / "tools" / f"{tool}.py"
    head = path.read_text().partition("    raise ")[0]
    path.write_text(re.sub(r"^(async )?def", kind, head, flags=re.MULTILINE) + body + end)


def app(folder: Path, *tools: dict[str, Any]) -> Generated:
    return generate({"name": "app", "version": "1", "tools": list(tools)}, folder / "app")


def run(project: Generated, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=project.folder,
        env=clean_environment(PYTHONPATH="src"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", BODIES)
def test_a_failure_of_a_finished_handler_is_no_stub(
    tmp_path: Path, check: WireCheck, kind: str, body: str
) -> None:
    project = app(tmp_path, ECHO | EXAMPLE)
    write(project, "echo", BODIES[body], kind, LATER)
    with StdioClient(project, LEGACY[-1], check) as client:
        told = client.call("echo", text="one")["result"]["content"][0]["text"]
    reference = re.fullmatch("Internal error, reference ([0-9a-f]{8})", told)
    assert reference, told
    assert f"echo failed, reference {reference[1]}" in client.log
    assert "NotImplementedError" in client.log

    tour = run(project, "client.py")
    assert tour.returncode == 1
    assert "FAIL echo: one → Internal error" in tour.stdout
    tests = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert tests.returncode == 1
    assert f"FAILED {EXAMPLE_TESTS}::test_an_example_of_the_spec" in tests.stdout


def test_a_handler_that_only_has_a_docstring_is_no_stub(tmp_path: Path, check: WireCheck) -> None:
    project = app(tmp_path, ECHO | EXAMPLE)
    write(project, "echo", '    """Echo nothing."""\n')
    with StdioClient(project, LEGACY[-1], check) as client:
        assert client.call("echo", text="one")["result"]["content"] == []
    files = ("tests/test_contract.py", EXAMPLE_TESTS)
    tests = run(project, "-m", "pytest", "-p", "no:cacheprovider", *files)
    assert tests.returncode == 0, tests.stdout
    assert "to write" not in tests.stdout


OTHERS = {
    "of another tool": "other is not implemented yet",
    "with more before it": "sorry: echo is not implemented yet",
}


@pytest.mark.parametrize("told", OTHERS)
def test_a_handler_that_says_something_alike_is_no_stub(tmp_path: Path, told: str) -> None:
    spec = {
        "name": "app",
        "version": "1",
        "tools": [ECHO | EXAMPLE],
        "resources": [{"uri": "a://b", "name": "b"}],
    }
    project = generate(spec, tmp_path / "app")
    fail = "    from app._generated.contract import ToolError\n\n    raise ToolError({!r})\n"
    write(project, "echo", fail.format(OTHERS[told]))
    resource = project.source / "resources" / "b.py"
    resource.write_text(resource.read_text().partition("    raise ")[0] + fail.format(OTHERS[told]))
    tour = run(project, "client.py")
    assert tour.returncode == 1, tour.stdout
    assert f"FAIL echo: one → {OTHERS[told]}" in tour.stdout
    assert f"FAIL a://b: {OTHERS[told]}" in tour.stdout
    assert "todo" not in tour.stdout


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("docstring", ["", '    """Echo."""\n'], ids=["bare", "documented"])
def test_a_stub_is_to_be_written_and_nothing_is_logged(
    tmp_path: Path, check: WireCheck, kind: str, docstring: str
) -> None:
    project = app(tmp_path, ECHO | EXAMPLE)
    write(project, "echo", docstring + RAISE, kind)
    with StdioClient(project, LEGACY[-1], check) as client:
        told = client.call("echo", text="one")["result"]["content"][0]["text"]
    assert told == "echo is not implemented yet"
    assert "echo" not in client.log


def test_an_error_that_an_example_expects_is_no_internal_one(tmp_path: Path) -> None:
    example = {"name": "one", "arguments": {"text": "one"}, "isError": True}
    project = app(tmp_path, ECHO | {"examples": [example]})
    write(project, "echo", BODIES["deeper"], end=LATER)
    assert run(project, "client.py").returncode == 1
    assert run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider").returncode == 1


def test_the_first_command_of_a_project_says_what_is_to_be_written(tmp_path: Path) -> None:
    second = ECHO | {"name": "repeat"}
    project = app(tmp_path, ECHO | EXAMPLE, second | EXAMPLE)
    tour = run(project, "client.py")
    assert tour.returncode == 0, tour.stdout
    assert tour.stdout.endswith("\n2 tools to write: echo, repeat\n")
    assert "FAIL" not in tour.stdout
    tests = run(project, "-m", "pytest", "-p", "no:cacheprovider")
    assert tests.returncode == 0, tests.stdout
    assert tests.stdout.count("2 to write: echo, repeat") == 1


def test_without_examples_a_call_is_made_up_for_each_tool(tmp_path: Path) -> None:
    project = app(tmp_path, ECHO, ECHO | {"name": "repeat"})
    tour = run(project, "client.py")
    assert tour.returncode == 0, tour.stdout
    assert "no examples: add some to mcp.yaml" in tour.stdout
    assert tour.stdout.endswith("\n2 tools to write: echo, repeat\n")
    tests = run(project, "-m", "pytest", "-p", "no:cacheprovider")
    assert tests.returncode == 0, tests.stdout
    assert "no examples: add some to mcp.yaml" in tests.stdout
    assert "empty parameter set" not in tests.stdout

    write(project, "echo", '    return "Heard."\n')
    tour = run(project, "client.py")
    assert tour.returncode == 0, tour.stdout
    assert 'ok   echo: {"text": "example"} → Heard.' in tour.stdout
    assert tour.stdout.endswith("\n1 tool to write: repeat\n")


def test_a_made_up_call_that_fails_inside_is_told(tmp_path: Path) -> None:
    project = app(tmp_path, ECHO)
    write(project, "echo", BODIES["deeper"], end=LATER)
    tour = run(project, "client.py")
    assert tour.returncode == 1
    assert "FAIL echo: " in tour.stdout


def test_no_call_is_made_up_for_a_tool_that_destroys(tmp_path: Path) -> None:
    tool = ECHO | {"annotations": {"destructiveHint": True}}
    tour = run(app(tmp_path, tool), "client.py")
    assert tour.returncode == 0
    assert "no examples: add some to mcp.yaml" in tour.stdout
    assert "todo" not in tour.stdout


def test_stubs_of_resources_are_to_be_written_too(tmp_path: Path) -> None:
    spec = {
        "name": "app",
        "version": "1",
        "tools": [ECHO | EXAMPLE],
        "resources": [{"uri": "a://b", "name": "b"}],
    }
    tour = run(generate(spec, tmp_path / "app"), "client.py")
    assert tour.returncode == 0, tour.stdout
    assert tour.stdout.endswith("\n2 handlers to write: a://b, echo\n")


def test_a_stub_has_the_first_sentence_of_a_description(tmp_path: Path) -> None:
    long = "Echo a text, e.g. a greeting. It comes back unchanged.\n\nUse it to test."
    project = app(tmp_path, ECHO | {"description": long})
    stub = (project.source / "tools" / "echo.py").read_text()
    assert stub.startswith('"""Echo a text, e.g. a greeting."""\n')
    assert "unchanged" not in stub


def test_the_page_of_tools_says_what_a_map_takes(tmp_path: Path) -> None:
    count = {"type": "integer", "minimum": 1, "description": "How many of it."}
    schemas: dict[str, dict[str, Any]] = {
        "counts": {"additionalProperties": count},
        "headers": {
            "patternProperties": {"^x-": {"type": "string"}},
            "additionalProperties": False,
        },
        "more": {"properties": {"all": {"type": "boolean"}}, "additionalProperties": count},
        "open": {"additionalProperties": True},
        "bare": {},
        "closed": {"additionalProperties": False},
        "closed_by_not": {"additionalProperties": {"enum": []}},
        "usual": {"properties": {"all": {"type": "boolean"}}, "additionalProperties": True},
    }
    tools = [
        {"name": name, "description": f"Take {name}.", "inputSchema": {"type": "object", **schema}}
        for name, schema in schemas.items()
    ]
    page = (app(tmp_path, *tools).folder / "TOOLS.md").read_text()
    taken = {
        section.partition("`")[0]: [row for row in section.splitlines() if row.startswith("| `")]
        or ["No arguments."][: section.count("\nNo arguments.\n")]
        for section in page.split("\n## `")[1:]
    }
    assert taken == {
        "counts": ["| `*` | integer | optional, any name, at least 1 | How many of it. |"],
        "headers": ["| `*` | string | optional, any name that matches ^x- |  |"],
        "more": [
            "| `all` | boolean | optional |  |",
            "| `*` | integer | optional, any other name, at least 1 | How many of it. |",
        ],
        "open": ["| `*` | any | optional, any name |  |"],
        "bare": ["No arguments."],
        "closed": ["No arguments."],
        "closed_by_not": ["No arguments."],
        "usual": ["| `all` | boolean | optional |  |"],
    }


def test_the_page_of_tools_keeps_paragraphs_and_shows_nested_fields(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "$defs": {
            "node": {
                "type": "object",
                "properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            }
        },
        "properties": {
            "filter": {
                "type": "object",
                "properties": {"since": {"type": "string", "description": "A day."}},
                "required": ["since"],
            },
            "posts": {
                "type": "array",
                "items": {"type": "object", "properties": {"title": {"type": "string"}}},
            },
            "tree": {"$ref": "#/$defs/node"},
        },
    }
    tool = {
        "name": "find",
        "description": "Find posts.\n\nThe best come first.",
        "inputSchema": schema,
    }
    page = (app(tmp_path, tool).folder / "TOOLS.md").read_text()
    assert "\nFind posts.\n\nThe best come first.\n" in page
    assert "\n| `filter.since` | string | required | A day. |\n" in page
    assert "\n| `posts[].title` | string | optional |  |\n" in page
    assert "\n| `tree.parts` |" in page
    assert "`tree.parts[]" not in page


def test_the_page_of_tools_puts_limits_into_words(tmp_path: Path) -> None:
    text, number, items = {"type": "string"}, {"type": "integer"}, {"type": "array", "items": {}}
    limits: dict[str, tuple[dict[str, Any], str]] = {
        "code": ({**text, "minLength": 2, "maxLength": 2}, "exactly 2 characters"),
        "name": ({**text, "minLength": 1, "maxLength": 64}, "1 to 64 characters"),
        "some": ({**text, "minLength": 1}, "at least 1 character"),
        "hue": ({**number, "minimum": 0, "maximum": 359}, "from 0 to 359"),
        "most": ({**number, "maximum": 5}, "at most 5"),
        "rgb": ({**items, "maxItems": 3}, "at most 3 items"),
        "long": ({**text, "pattern": "a" * 200}, f"matches {'a' * 80}…"),
    }
    properties = {name: schema for name, (schema, _) in limits.items()}
    found = {"type": "object", "properties": {"title": {"type": "string"}}}
    schema = {"type": "object", "properties": properties}
    tool = {"name": "list", "description": "List.", "inputSchema": schema}
    tools = [
        {**tool, "outputSchema": {"type": "array", "items": found}},
        {**tool, "name": "names", "outputSchema": {"type": "array", "items": {"type": "string"}}},
    ]
    page = (app(tmp_path, *tools).folder / "TOOLS.md").read_text()
    for name, (_, words) in limits.items():
        assert re.search(rf"\n\| `{name}` \| \S+( of any)? \| optional, {words} \|  \|\n", page), (
            name
        )
    assert "\n| `[].title` | string | optional |  |\n" in page
    assert "\nResult: array of string.\n" in page
