# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The client of client.py and the tests: how it reaches the server and asks it."""

import os
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, redirect_stdout
from typing import Any, TextIO

from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.stdio import stdio_client
from mcp.server import Server
from mcp_types import Request, Result

from .runtime.handlers import first
from .runtime.references import ReferringChecks
from .runtime.schema import Schema
from .runtime.trial import Trial


def started(
    environment: Mapping[str, str] = os.environ, log: TextIO = sys.stderr
) -> Transport:
    """Return a transport to a new server, which logs nothing but warnings."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "reading_list", "--log-level", "warning"],
        env={**environment},
    )
    return stdio_client(server, log)


def inside(environment: Mapping[str, str] = os.environ) -> Server[Any]:
    """Return a new server in this process, for one call: it starts in half the time."""
    os.environ.update(environment)
    # What handlers print is no result.
    sys.stdout = os.fdopen(os.dup(1), "w", encoding=sys.stdout.encoding)
    os.dup2(2, 1)
    with redirect_stdout(sys.stderr):
        from .server import create_server

        return create_server()


@asynccontextmanager
async def connected(
    server: Any, mode: str = "auto", tried: Trial | None = None
) -> AsyncGenerator["Connection"]:
    """Connect to a server, or a transport that leads to one. Raises ConnectionError."""
    connection = Connection()
    if tried:
        connection.count_requests = lambda: tried.requests
    client = Client(server, mode=mode)
    try:
        async with client:
            connection.client, connection.version = client, client.protocol_version
            yield connection
    except (
        ExceptionGroup,
        MCPError,
        OSError,
    ) as group:  # The SDK groups whatever is raised.
        error = first(group)
        if isinstance(error, (MCPError, OSError)):
            raise ConnectionError(str(error).partition("\n")[0]) from error
        raise error from None


class Connection(ReferringChecks):
    """The checks, over a client of the SDK."""

    client: Client

    async def response(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        result: Result
        try:
            match method:
                case "tools/call":
                    result = await self.client.call_tool(**params)
                case _:
                    request = Request[Any, str](method=method, params=params or None)
                    result = await self.client.session.send_request(request, Anything)
        except MCPError as error:
            return {"error": {"code": error.code, "message": error.message}}
        data = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"result": data}

    def faults(self, schema: Any, value: Any) -> list[str]:
        return Schema(schema).faults(value)


class Anything(Result, extra="allow"):
    """A result as it comes: the client's types drop what they do not know."""
