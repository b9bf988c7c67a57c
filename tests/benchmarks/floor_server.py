"""The least low-level server that one would write by hand on the SDK: the floor to compare with.

Over stdio, or over HTTP at the port that is the argument.
"""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from starlette.applications import Starlette
from starlette.routing import Route

ECHO = Tool(
    name="echo",
    description="Say it again.",
    input_schema={
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
    },
)


async def list_tools(
    ctx: ServerRequestContext, params: PaginatedRequestParams | None
) -> ListToolsResult:
    return ListToolsResult(tools=[ECHO])


async def call_tool(ctx: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
    text = (params.arguments or {})["text"]
    return CallToolResult(content=[TextContent(text=text)])


def serve(server: Server, port: int) -> None:
    manager = StreamableHTTPSessionManager(server, stateless=True)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield

    routes = [Route("/mcp", StreamableHTTPASGIApp(manager))]
    app = Starlette(routes=routes, lifespan=lifespan)
    uvicorn.run(app, port=port, access_log=False, log_level="warning")


async def main(server: Server) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    floor = Server("floor", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    if len(sys.argv) > 1:
        serve(floor, int(sys.argv[1]))
    else:
        anyio.run(main, floor)
