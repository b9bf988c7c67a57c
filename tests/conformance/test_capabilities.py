"""A spec's capabilities: what is announced, what is generated for it, and what it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, Message, StdioClient, WireCheck

OPTIONAL = {"changes.py", "client.py", "connections.py"}
"""The generated modules that only some servers need."""


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"Do {name}.", "inputSchema": {"type": "object"}}


PROMPT = {
    "name": "plan",
    "description": "Plan a day.",
    "arguments": [{"name": "day", "description": "Which."}],
    "messages": [{"role": "user", "content": "Plan {day}."}],
}
RESOURCE = {"uri": "news://today", "name": "today", "description": "News.", "text": "None."}


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
            {"client.py", "connections.py"},
            *[{"tools": {}, "logging": {}}] * 2,
        ),
        (
            {"capabilities": {"tools": {"listChanged": True}}},
            {"changes.py", "connections.py"},
            *[{"tools": {"listChanged": True}}] * 2,
        ),
        (
            {"capabilities": {"resources": {"subscribe": True}}, "resources": [RESOURCE]},
            {"changes.py", "connections.py"},
            *[{"tools": {}, "resources": {"subscribe": True}}] * 2,
        ),
        (
            {"capabilities": {"completions": {}}, "prompts": [PROMPT]},
            set(),
            *[{"tools": {}, "prompts": {}, "completions": {}}] * 2,
        ),
        (
            {"clientCapabilities": {"elicitation": {}}},
            {"client.py"},
            *[{"tools": {"listChanged": False}}] * 2,
        ),
    ],
    ids=["nothing", "logging", "tools", "subscribe", "completions", "elicitation"],
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
    generated = {path.name for path in (project.source / "_generated").iterdir()}
    assert generated & OPTIONAL == modules
    assert announced(project, check, LEGACY[-1]) == legacy
    assert announced(project, check, MODERN) == modern


HANDLERS = {
    "tools/retire.py": """
from typing import Any

from shop._generated.changes import hide, show


async def retire(arguments: Any, context: Any) -> str:
    for kind, name in (("tools", "old"), ("prompts", "plan"), ("resources", "news://today")):
        await (show if arguments.model_extra.get("back") else hide)(kind, name)
    return "done"
""",
    "tools/old.py": """
async def old(arguments, context):
    return "still here"
""",
    "tools/ask.py": """
import anyio.from_thread
from pydantic import BaseModel


class Day(BaseModel):
    day: str


def ask(arguments, context):
    return f"On {anyio.from_thread.run(context.elicit, 'Which day?', Day).day}"
""",
    "tools/ask_in_group.py": """
import asyncio

from pydantic import BaseModel


class Day(BaseModel):
    day: str


async def ask_in_group(arguments, context):
    async with asyncio.TaskGroup() as group:
        first = group.create_task(context.elicit("From?", Day, name="first"))
        last = group.create_task(context.elicit("To?", Day, name="last"))
    return f"{first.result().day} to {last.result().day}"
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server whose entries come and go, and that asks when to deliver."""
    spec = {
        "name": "shop",
        "version": "1",
        "tools": [tool("retire"), tool("old"), tool("ask"), tool("ask_in_group")],
        "prompts": [PROMPT],
        "resources": [RESOURCE],
        "capabilities": {kind: {"listChanged": True} for kind in ("tools", "prompts", "resources")},
        "clientCapabilities": {"elicitation": {}},
    }
    return generate(spec, tmp_path_factory.mktemp("shop") / "shop", handlers=HANDLERS)


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_a_hidden_entry_is_not_there_until_it_is_shown_again(
    shop: Generated, check: WireCheck, version: str
) -> None:
    with StdioClient(shop, version, check) as client:

        def listed() -> list[str]:
            results = [client.request(f"{k}/list")["result"] for k in ("tools", "prompts")]
            resources = client.request("resources/list")["result"]["resources"]
            names = [
                e["name"] for r, k in zip(results, ("tools", "prompts"), strict=True) for e in r[k]
            ]
            return [*names, *(entry["uri"] for entry in resources)]

        everything = ["retire", "old", "ask", "ask_in_group", "plan", "news://today"]
        assert listed() == everything
        client.call("retire")
        assert listed() == ["retire", "ask", "ask_in_group"]
        assert client.call("old")["error"]["code"] == -32602
        assert client.request("prompts/get", {"name": "plan"})["error"]["code"] == -32602
        code = -32602 if version == MODERN else -32002
        assert client.request("resources/read", {"uri": "news://today"})["error"]["code"] == code
        client.call("retire", back=True)
        assert listed() == everything
        assert client.call("old")["result"]["content"][0]["text"] == "still here"
        assert client.faults == []


def test_a_handler_in_a_thread_and_one_with_a_task_group_can_ask(
    shop: Generated, check: WireCheck
) -> None:
    with StdioClient(shop, MODERN, check) as client:
        abilities = {
            **client.envelope(),
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }

        def call(name: str, **more: Any) -> Message:
            params = {"name": name, "_meta": abilities, **more}
            id_ = f"{name} {more}"
            message = {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}
            return dict(client.start_message(message).result(timeout=20)["result"])

        def fill_in(asked: Message, day: str) -> Message:
            answer = {"action": "accept", "content": {"day": day}}
            return {
                "requestState": asked["requestState"],
                "inputResponses": dict.fromkeys(asked["inputRequests"], answer),
            }

        asked = call("ask")
        assert list(asked["inputRequests"]) == ["Day"]
        assert call("ask", **fill_in(asked, "Monday"))["content"][0]["text"] == "On Monday"
        asked = call("ask_in_group")
        assert list(asked["inputRequests"]) == ["first", "last"]
        told = call("ask_in_group", **fill_in(asked, "Monday"))
        assert told["content"][0]["text"] == "Monday to Monday"
        forged = {**fill_in(asked, "Monday"), "requestState": asked["requestState"][:-2] + "AA"}
        message = {"name": "ask", "_meta": abilities, **forged}
        refused = client.request("tools/call", message)
        assert refused["error"]["code"] == -32602
        assert client.faults == []


def test_a_second_handshake_is_refused_and_the_first_holds(
    shop: Generated, check: WireCheck
) -> None:
    with StdioClient(shop, LEGACY[-1], check) as client:
        hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": CLIENT_INFO}
        assert client.request("initialize", hello)["error"]["code"] == -32600
        client.notify("notifications/initialized")
        client.call("retire")
        client.call("retire", back=True)
        changes = [client.unclaimed.get(timeout=5)["method"] for _ in range(6)]
        assert len(set(changes)) == 3
        assert client.call("old")["result"]
        assert client.unclaimed.empty()
        assert client.faults == []
