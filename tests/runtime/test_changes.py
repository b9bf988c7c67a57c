"""Entries that come and go, and clients that are told of it, in both eras."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError

from templates.python.runtime import changes as runtime
from templates.python.runtime.changes import Changes
from templates.python.runtime.connections import CONNECTIONS
from tests.runtime.serving import server_of
from tests.runtime.test_tools import ERAS
from tests.waiting import WITHIN

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:.*is removed as of 2026-07-28"),
]

URI = "news://today"


async def echo(arguments: Any, context: object) -> str:
    return "heard"


async def admin(arguments: Any, context: object) -> str:
    return "done"


LISTS: dict[str, list[dict[str, Any]]] = {
    "tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "admin")],
    "resources": [{"name": "today", "uri": URI}],
    "prompts": [{"name": "plan"}],
}


def changing() -> tuple[Any, Changes]:
    """Return a server, and what changes it."""
    names = {"tools": ("echo", "admin"), "resources": (URI,), "prompts": ("plan",)}
    changes = Changes(names, subscribe=True)
    server = server_of(echo, admin)

    async def listed(ctx: Any, call_next: Any) -> Any:
        kind, _, method = ctx.method.partition("/")
        if method != "list":
            return await call_next(ctx)
        whole = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        return {kind: LISTS[kind], **whole}

    changes.attach(server)
    server.middleware.append(listed)
    return server, changes


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("mode", ERAS)
async def test_hidden_entries_do_not_exist_until_they_are_shown(mode: str) -> None:
    server, changes = changing()
    hidden = (("tools", "admin"), ("resources", URI), ("prompts", "plan"))
    async with Client(server, mode=mode, cache=None) as client:

        async def listed() -> list[str]:
            tools = (await client.list_tools()).tools
            resources = (await client.list_resources()).resources
            prompts = (await client.list_prompts()).prompts
            return [entry.name for entry in (*tools, *resources, *prompts)]

        for kind, name in hidden:
            await changes.hide(kind, name)
        assert await listed() == ["echo"]
        with pytest.raises(MCPError, match=r"^Unknown tool: admin$"):
            await client.call_tool("admin", {})
        with pytest.raises(MCPError, match=r"^Unknown prompt: plan$"):
            await client.get_prompt("plan")
        with pytest.raises(MCPError, match=r"^Resource not found$") as raised:
            await client.read_resource(URI)
        assert raised.value.code == (-32002 if mode == "legacy" else types.INVALID_PARAMS)
        for kind, name in hidden:
            await changes.show(kind, name)
        assert await listed() == ["echo", "admin", "today", "plan"]
        assert not (await client.call_tool("admin", {})).is_error


async def test_only_listed_entries_can_be_hidden() -> None:
    _, changes = changing()
    with pytest.raises(ValueError, match="'amdin' is not among the tools: echo, admin"):
        await changes.hide("tools", "amdin")


class Ears:
    """What a client hears, as texts."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            self.heard.append(message.params.uri)
        elif isinstance(message, types.ToolListChangedNotification):
            self.heard.append("tools")

    async def hear(self, *expected: str) -> None:
        """Wait until this has been heard, and forget it."""
        with anyio.move_on_after(WITHIN):
            while len(self.heard) < len(expected):
                await anyio.sleep(0.01)
        assert self.heard == list(expected)
        self.heard.clear()


async def test_updates_are_sent_only_during_a_subscription() -> None:
    server, changes = changing()
    ears = Ears()
    async with Client(server, mode="legacy", message_handler=ears) as client:
        await changes.resource_updated(URI)
        await client.session.subscribe_resource(URI)
        await changes.resource_updated(URI)
        await changes.resource_updated("news://tomorrow")
        await changes.hide("tools", "admin")
        await settled()
        assert ears.heard == [URI, "tools"]
        await client.session.unsubscribe_resource(URI)
        await changes.resource_updated(URI)
        await settled()
        assert ears.heard == [URI, "tools"]


async def test_subscriptions_of_a_client_are_limited() -> None:
    server, _ = changing()
    async with Client(server, mode="legacy") as client:
        with pytest.raises(MCPError, match="too long"):
            await client.session.subscribe_resource("news://" + "x" * 3000)
        for number in range(runtime.MOST_SUBSCRIPTIONS):
            await client.session.subscribe_resource(f"news://{number}")
        with pytest.raises(MCPError, match="Too many subscriptions"):
            await client.session.subscribe_resource(URI)
        await client.session.unsubscribe_resource("news://0")
        await client.session.subscribe_resource(URI)


async def test_unread_changes_do_not_pile_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime, "MOST_EVENTS", 10)
    server, changes = changing()
    ears = Ears()
    async with Client(server, mode="legacy", message_handler=ears) as client:
        await client.session.subscribe_resource(URI)
        await asyncio.gather(*(changes.resource_updated(URI) for _ in range(1000)))
        await settled()
        assert 0 < len(ears.heard) <= 11


async def test_subscriptions_end_with_their_clients() -> None:
    server, _ = changing()
    gc.collect()
    before = len(CONNECTIONS)
    async with Client(server, mode="legacy") as client:
        await client.session.subscribe_resource(URI)
        assert len(CONNECTIONS) == before + 1
    del client
    await settled()
    gc.collect()
    assert len(CONNECTIONS) == before
