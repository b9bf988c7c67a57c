"""What a project says of its tools: the page TOOLS.md, and the stubs that are to be written."""

from __future__ import annotations

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


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
COUNT = {"type": "integer", "minimum": 1, "description": "How many of it."}
ALL = {"properties": {"all": {"type": "boolean"}}}
TREE = {"properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}
TAKEN: dict[str, tuple[dict[str, Any], list[str]]] = {
    "counts": (
        {"additionalProperties": COUNT},
        ["| `*` | integer | optional, any name, at least 1 | How many of it. |"],
    ),
    "headers": (
        {"patternProperties": {"^x-": TEXT}, "additionalProperties": False},
        ["| `*` | string | optional, any name that matches ^x- |  |"],
    ),
    "more": (
        {**ALL, "additionalProperties": COUNT},
        [
            "| `all` | boolean | optional |  |",
            "| `*` | integer | optional, any other name, at least 1 | How many of it. |",
        ],
    ),
    "open": ({"additionalProperties": True}, ["| `*` | any | optional, any name |  |"]),
    "bare": ({}, ["No arguments."]),
    "closed": ({"additionalProperties": {"enum": []}}, ["No arguments."]),
    "usual": ({**ALL, "additionalProperties": True}, ["| `all` | boolean | optional |  |"]),
    "nested": (
        {"properties": {"filter": {"type": "object", "properties": {"since": TEXT}}}},
        ["| `filter` | object | optional |  |", "| `filter.since` | string | optional |  |"],
    ),
    "listed": (
        {"properties": {"posts": {"type": "array", "items": {"properties": {"title": TEXT}}}}},
        [
            "| `posts` | array of any | optional |  |",
            "| `posts[].title` | string | optional |  |",
        ],
    ),
    "recursive": (
        {"$defs": {"node": TREE}, "properties": {"tree": {"$ref": "#/$defs/node"}}},
        ["| `tree` | any | optional |  |", "| `tree.parts` | array of any | optional |  |"],
    ),
    **{
        name: ({"properties": {"it": schema}}, [f"| `it` | {kind} | optional, {words} |  |"])
        for name, schema, kind, words in [
            ("code", {**TEXT, "minLength": 2, "maxLength": 2}, "string", "exactly 2 characters"),
            ("name", {**TEXT, "minLength": 1, "maxLength": 64}, "string", "1 to 64 characters"),
            ("some", {**TEXT, "minLength": 1}, "string", "at least 1 character"),
            ("hue", {**NUMBER, "minimum": 0, "maximum": 359}, "integer", "from 0 to 359"),
            ("most", {**NUMBER, "maximum": 5}, "integer", "at most 5"),
            ("rgb", {"type": "array", "maxItems": 3}, "array of any", "at most 3 items"),
            ("long", {**TEXT, "pattern": "a" * 200}, "string", f"matches {'a' * 80}…"),
        ]
    },
}
"""What is beside `type: object` in a tool's schema, and the rows of its arguments."""


def test_the_page_of_tools_has_a_row_for_each_argument_and_property(tmp_path: Path) -> None:
    tools = [
        {"name": name, "description": "Take it.\n\nAll of it.", "inputSchema": {"type": "object", **schema}}
        for name, (schema, _) in TAKEN.items()
    ]  # fmt: skip
    found = {"type": "array", "items": {"type": "object", "properties": {"title": TEXT}}}
    tools[4] |= {"outputSchema": found}
    page = (app(tmp_path, *tools).folder / "TOOLS.md").read_text()
    sections = dict(section.split("`", 1) for section in page.split("\n## `")[1:])
    assert "\nTake it.\n\nAll of it.\n" in sections["open"]
    assert "\n| `[].title` | string | optional |  |\n" in sections["bare"]
    told = {
        name: [row for row in section.splitlines() if row.startswith(("| `", "No arguments"))]
        for name, section in sections.items()
    }
    told["bare"].pop()
    assert told == {name: rows for name, (_, rows) in TAKEN.items()}
