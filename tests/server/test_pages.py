"""What a project says of its tools: the page TOOLS.md, and the stubs that are to be written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.generated import Generated, generate
from tests.raw_client import LEGACY, StdioClient, WireCheck

ECHO = {
    "name": "echo",
    "description": "Echo a text.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "minLength": 3}},
        "required": ["text"],
    },
}


def app(folder: Path, *tools: dict[str, Any]) -> Generated:
    return generate({"name": "app", "version": "1", "tools": list(tools)}, folder / "app")


def test_a_stub_is_to_be_written_and_nothing_of_it_is_logged(
    tmp_path: Path, check: WireCheck
) -> None:
    with StdioClient(app(tmp_path, ECHO), LEGACY[-1], check, "--log-level", "warning") as client:
        result = client.call("echo", text="one")["result"]
        assert (result["isError"], result["content"][0]["text"]) == (
            True,
            "This is not written yet",
        )
    assert client.log == ""


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
