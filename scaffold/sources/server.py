"""Read the lists of a running server. No tool is called, and what the server asks is refused."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any
from urllib.parse import urlsplit

import anyio
from mcp import Client, MCPError
from mcp.client._transport import TransportStreams
from mcp.client.session import ClientSession
from mcp_types import (
    METHOD_NOT_FOUND,
    ListPromptsRequest,
    ListResourcesRequest,
    ListResourceTemplatesRequest,
    ListToolsRequest,
    PaginatedRequestParams,
)
from msgspec.structs import replace
from pydantic import TypeAdapter, ValidationError

from scaffold.base.diagnostics import ScaffoldError
from scaffold.connect.process import end_of
from scaffold.connect.streams import ClosedError, connected, started
from scaffold.format.fields import JsonObject
from scaffold.sources.lists import from_lists
from scaffold.sources.source import Source

SECONDS = 120.0
"""How long reading may take, with the start of the server: `npx` may have to install it."""

PAGES = 1000

_LISTS: Mapping[str, tuple[str, type[Any]]] = {
    "tools": ("tools", ListToolsRequest),
    "resources": ("resources", ListResourcesRequest),
    "resourceTemplates": ("resources", ListResourceTemplatesRequest),
    "prompts": ("prompts", ListPromptsRequest),
}
"""Each list with the capability that announces it, and its request."""

_RAW: TypeAdapter[Any] = TypeAdapter(dict[str, Any])


def from_command(
    command: Sequence[str],
    seconds: float = SECONDS,
    environment: Mapping[str, str] = MappingProxyType({}),
    name: str | None = None,
) -> Source:
    """Return the source that the server started by a command is; messages call it `name`.

    `environment` is added to that of this process. Raises ScaffoldError, with the end of the
    server's log, if it cannot be read.
    """
    with tempfile.TemporaryFile() as log:
        try:
            env = {**os.environ, **environment}
            return from_process(command, seconds, log, env=env, name=name)
        except ScaffoldError as error:
            [first] = error.diagnostics
            last_lines = end_of(log)
            hint = f"its log ends with: {last_lines}" if last_lines else first.hint
            raise ScaffoldError([replace(first, hint=hint)]) from None


def from_process(
    command: Sequence[str],
    seconds: float,
    log: IO[bytes] | None = None,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Source:
    """Return the source that the server started by a command is, in `folder` and with `env`.

    Its standard error goes to `log`, by default to ours. Raises ScaffoldError if it cannot be read.
    """
    name = name or " ".join(command)
    return _read(lambda: started(command, log, folder, env), name, seconds)


def from_url(
    url: str,
    headers: Mapping[str, str],
    name: str,
    upstream: JsonObject,
) -> Source:
    """Return the source that the server at a URL is, over streamable HTTP or else SSE.

    Messages call it `name`, a spec names it by `upstream`. Where the path ends in `/sse`, SSE comes
    first: some servers keep any other client waiting. Raises ScaffoldError if it cannot be read.
    """

    def read(transport: str) -> Source:
        source = _read(lambda: connected(url, headers, transport), name, SECONDS)
        more = {"transport": transport} if transport == "sse" else {}
        return replace(source, upstream={**upstream, **more})

    ways = ["streamable-http", "sse"]
    if urlsplit(url).path.rstrip("/").endswith("/sse"):
        ways.reverse()
    try:
        return read(ways[0])
    except ScaffoldError as error:
        try:
            return read(ways[1])
        except ScaffoldError:
            raise error from None


def _read(
    connect: Callable[[], AbstractAsyncContextManager[TransportStreams]],
    source: str,
    seconds: float,
) -> Source:
    async def read() -> Source:
        with anyio.fail_after(seconds):
            async with Client(connect(), cache=None) as client:
                return await _listed(client, source)

    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # it logs tracebacks of wrong answers
    try:
        return anyio.run(read)
    except Exception as error:
        reason = _reason(error, seconds).partition("\n")[0]
        message = f"cannot read the server: {reason[:300]}"
        hint = "start it by hand to see its output"
        if "://" in source:
            hint = "name the endpoint of an MCP server, such as `/mcp`; or an OpenAPI document, such as `/openapi.json`"
        raise ScaffoldError.of("not-importable", message, source, hint) from error


async def _listed(client: Client, source: str) -> Source:
    capabilities = client.server_capabilities.model_dump(by_alias=True, exclude_none=True)
    info = client.server_info
    lists = {
        kind: [entry async for entry in _pages(client.session, request, kind)]
        for kind, (capability, request) in _LISTS.items()
        if capability in capabilities
    }
    return from_lists(
        source,
        source.partition("?")[0].split("/")[-1],
        lists,
        info.model_dump(by_alias=True, exclude_none=True) if info else {},
        client.instructions,
        capabilities,
    )


async def _pages(session: ClientSession, request: type[Any], kind: str) -> AsyncIterator[Any]:
    """Yield the entries of all pages of a list, as they were sent."""
    cursor: str | None = None
    for _ in range(PAGES):
        page_request = request(params=PaginatedRequestParams(cursor=cursor))
        try:
            page = await session.send_request(page_request, _RAW)
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND and cursor is None:
                return
            raise
        for entry in page.get(kind, ()):
            yield entry
        before, cursor = cursor, page.get("nextCursor")
        if cursor is None:
            return
        if cursor == before:
            break
    raise ValueError(f"`{kind}` has an endless number of pages")


def _reason(error: BaseException, seconds: float) -> str:
    """Return the reason of a failure as the end of a sentence."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return f"it did not respond within {seconds:g} seconds"
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        at = "/".join(map(str, first["loc"]))
        return f"its response violates the protocol: {at}: {first['msg']}"
    if isinstance(error, ClosedError):
        return "it closed the connection"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__
