"""What the handlers of prompts and resource templates are given, as their types say it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scaffold.project.generate import generate
from scaffold.yaml.source import read


def types(tmp_path: Path, **entries: Any) -> str:
    """The definitions that a server with these entries has."""
    spec = tmp_path / "mcp.json"
    spec.write_text(json.dumps({"name": "small", "version": "1", **entries}), "utf-8")
    project = generate(read(spec), tmp_path, tmp_path, {}).project
    return "\n".join(str(definition) for definition in project.definitions)


def test_only_the_required_arguments_of_a_prompt_are_always_there(tmp_path: Path) -> None:
    arguments = [
        {"name": "place", "required": True},
        {"name": "day"},
        {"name": "mood", "required": False},
    ]
    found = types(tmp_path, prompts=[{"name": "plan", "arguments": arguments}])
    assert "place: str\n" in found
    assert "day: str | None = None" in found
    assert "mood: str | None = None" in found


@pytest.mark.parametrize(
    ("template", "fields"),
    [
        ("a://{name}", ["name: str"]),
        ("a://x{/path*}", ["path: list[str]"]),
        ("a://{name}/x{/path*}", ["name: str", "path: list[str]"]),
        ("a://x{;flags*}{/name}", ["flags: list[str]", "name: str"]),
        (
            "a://{name}{?day,hour}",
            ["name: str", "day: str | None = None", "hour: str | None = None"],
        ),
        ("a://{name}?x=1{&day}", ["name: str", "day: str | None = None"]),
    ],
)
def test_a_variable_that_is_exploded_is_a_list_and_one_of_a_query_may_be_absent(
    tmp_path: Path, template: str, fields: list[str]
) -> None:
    entry = {"uriTemplate": template, "name": "thing"}
    found = types(tmp_path, resourceTemplates=[entry])
    assert [line.strip() for line in found.splitlines() if ": " in line] == fields
