"""The least server on the SDK's low level, written by hand, to measure the generated one against.

Usage: plain_server.py TRANSPORT PORT
"""

from __future__ import annotations

import sys
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.sse import SseServerTransport
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

SCHEMA = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}


async def list_tools(ctx: Any, params: Any) -> ListToolsResult:
    return ListToolsResult(tools=[Tool(name="test_x_mcp_header", input_schema=SCHEMA)])


async def call_tool(ctx: Any, params: CallToolRequestParams) -> CallToolResult:
    region = (params.arguments or {})["region"]
    return CallToolResult(content=[TextContent(text=f"The region is {region}.")])


server: Server[Any] = Server(
    "plain",
    get_tool_input_schema=lambda name: SCHEMA,
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_subscriptions_listen=ListenHandler(InMemorySubscriptionBus()),
)


class Sse:
    """Each GET is a client of its own."""

    def __init__(self, transport: SseServerTransport) -> None:
        self.transport = transport

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async with self.transport.connect_sse(scope, receive, send) as (read, write):
            await server.run(read, write, server.create_initialization_options())


async def health(_: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


def app(transport: str) -> Starlette:
    route = Route("/health", health)
    if transport == "streamable-http":
        return server.streamable_http_app(custom_starlette_routes=[route])
    sse = SseServerTransport("/messages/")
    messages = Mount("/messages/", sse.handle_post_message)
    return Starlette(routes=[Route("/sse", Sse(sse)), messages, route])


if __name__ == "__main__":
    uvicorn.run(app(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2]), log_config=None)
