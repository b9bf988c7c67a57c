"""The official client against the server, on each transport, with and without a handshake."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import TextContent

from tests.generated import Generated, WebServer
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.server.conftest import SPEC, TRANSPORTS
from tests.wire import Wire

Use = Callable[[Client], Awaitable[None]]


def use(
    project: Generated,
    web: Callable[[str], WebServer],
    check: WireCheck,
    transport: str,
    mode: str,
    steps: Use,
) -> None:
    """Connect, take the steps, and check all that passed."""
    wire = Wire.to(project, web, transport)
    version = LEGACY[-1] if mode == "legacy" else MODERN

    async def main() -> None:
        async with Client(wire(), mode=mode) as client:
            assert client.protocol_version == version
            await steps(client)

    anyio.run(main)
    assert wire.passed
    assert wire.faults(check, version) == []


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_everything_that_the_server_has_can_be_used(
    workshop: Generated,
    web: Callable[[str], WebServer],
    check: WireCheck,
    transport: str,
    mode: str,
) -> None:
    async def steps(client: Client) -> None:
        info = client.server_info
        if mode != MODERN:  # Taken up without a word from the server.
            assert info
            assert (info.name, info.version, info.title) == ("workshop", "1.2.3", SPEC["title"])
            assert client.instructions == SPEC["instructions"]

        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [tool["name"] for tool in SPEC["tools"]]
        assert [tool.input_schema for tool in tools] == [
            tool["inputSchema"] for tool in SPEC["tools"]
        ]
        resources = (await client.list_resources()).resources
        assert [entry.uri for entry in resources] == [entry["uri"] for entry in SPEC["resources"]]
        templates = (await client.list_resource_templates()).resource_templates
        assert [entry.uri_template for entry in templates] == [
            entry["uriTemplate"] for entry in SPEC["resourceTemplates"]
        ]
        prompts = (await client.list_prompts()).prompts
        assert [entry.name for entry in prompts] == [entry["name"] for entry in SPEC["prompts"]]

        called = await client.call_tool("sum", {"numbers": [1, 2]})
        assert called.structured_content == {"sum": 3, "count": 2}
        assert not called.is_error
        refused = await client.call_tool("greet", {"name": ""})
        assert refused.is_error
        read = await client.read_resource("shelf://top/book")
        assert [getattr(part, "text", None) for part in read.contents] == ["book on top"]
        prompt = await client.get_prompt("summarise", {"thing": "it", "style": "well"})
        assert prompt.messages[0].content == TextContent(text="Summarise it well, with {braces}.")

        with pytest.raises(MCPError, match="Unknown tool: no_such_tool"):
            await client.call_tool("no_such_tool", {})
        with pytest.raises(MCPError, match="Resource not found"):
            await client.read_resource("config://nothing")
        with pytest.raises(MCPError, match="Missing arguments: thing"):
            await client.get_prompt("summarise", {})

    use(workshop, web, check, transport, mode, steps)


@pytest.mark.parametrize("mode", ["legacy", MODERN])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_call_that_the_client_gives_up_leaves_the_connection_alone(
    workshop: Generated,
    web: Callable[[str], WebServer],
    check: WireCheck,
    transport: str,
    mode: str,
) -> None:
    async def steps(client: Client) -> None:
        async with anyio.create_task_group() as calls:
            for tool in ("slow", "blocking"):
                calls.start_soon(client.call_tool, tool, {"seconds": 2})
            await anyio.sleep(0.2)
            calls.cancel_scope.cancel()
        called = await client.call_tool("greet", {"name": "Ada"})
        assert called.content == [TextContent(text="Hello, Ada!")]

    use(workshop, web, check, transport, mode, steps)
