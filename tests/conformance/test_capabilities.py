"""A spec's capabilities: what is announced, what is generated for it, and what it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, generate, of_the_sdk
from tests.raw_client import LEGACY, MODERN, Message, StdioClient, WireCheck

OPTIONAL = {
    *("changes", "completions", "connections", "elicitation", "logs", "prompts"),
    *("questions", "resources", "roots", "sampling", "task", "tasks"),
    *("task_client", "task_questions", "task_store"),
}
"""The modules of the runtime that only some servers need."""


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"Do {name}.", "inputSchema": {"type": "object"}}


PROMPT = {
    "name": "plan",
    "description": "Plan a day.",
    "arguments": [{"name": "day", "description": "Which."}],
    "messages": [{"role": "user", "content": "Plan {day}."}],
}
URI = "news://today"
RESOURCE = {"uri": URI, "name": "today", "description": "News.", "text": "None."}


def announced(project: Generated, check: WireCheck, version: str) -> Message:
    with StdioClient(project, version, check) as client:
        opening = client.opening if version != MODERN else client.request("server/discover")
        assert client.faults == []
    return dict(opening["result"]["capabilities"])


@pytest.mark.parametrize(
    ("declared", "modules", "legacy", "modern"),
    [
        ({}, set(), {"tools": {"listChanged": False}}, {"tools": {"listChanged": False}}),
        (
            {"capabilities": {"logging": {}}},
            {"logs", "connections"},
            *[{"tools": {}, "logging": {}}] * 2,
        ),
        (
            {"capabilities": {"tools": {"listChanged": True}}},
            {"changes", "connections"},
            *[{"tools": {"listChanged": True}}] * 2,
        ),
        (
            {"capabilities": {"resources": {"subscribe": True}}, "resources": [RESOURCE]},
            {"changes", "connections", "resources"},
            *[{"tools": {}, "resources": {"subscribe": True}}] * 2,
        ),
        (
            {"capabilities": {"completions": {}}, "prompts": [PROMPT]},
            {"completions", "prompts"},
            *[{"tools": {}, "prompts": {}, "completions": {}}] * 2,
        ),
        (
            {"clientCapabilities": {"elicitation": {}}},
            {"elicitation", "questions"},
            *[{"tools": {"listChanged": False}}] * 2,
        ),
        pytest.param(
            {"tools": [tool("a"), {**tool("b"), "task": "optional"}]},
            {"task", "tasks", "task_client", "task_store"},
            {"tools": {}},
            {"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}},
            marks=of_the_sdk,
        ),
    ],
    ids=["nothing", "logging", "tools", "subscribe", "completions", "elicitation", "tasks"],
)
def test_a_server_has_and_announces_only_what_its_spec_declares(
    tmp_path: Path,
    check: WireCheck,
    declared: dict[str, Any],
    modules: set[str],
    legacy: Message,
    modern: Message,
) -> None:
    spec = {"name": "small", "version": "1", "tools": [tool("a"), tool("b")], **declared}
    project = generate(spec, tmp_path / "small")
    generated = {path.stem for path in (project.source / "_generated" / "runtime").iterdir()}
    assert generated & OPTIONAL == modules
    assert announced(project, check, LEGACY[-1]) == legacy
    assert announced(project, check, MODERN) == modern
