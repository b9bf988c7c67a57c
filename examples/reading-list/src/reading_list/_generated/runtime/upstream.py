"""The MCP server behind the handlers: one session, opened when it is first needed."""

import logging
import os
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias, TypeVar

import anyio
import httpx2
import mcp_types as types
from anyio.abc import TaskGroup, TaskStatus
from mcp import Client, MCPError
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from pydantic import ValidationError

from .handlers import BaseContext, ToolError, first

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer", bound=types.Result)
Context: TypeAlias = BaseContext[Any]

# Seconds to connect, and to answer requests; tool calls have limits of their own.
SECONDS = 60.0
# Bytes in an event over HTTP.
MAX_BYTES = 32 * 1024 * 1024
# The session may be gone: the server has ended, or no longer knows it.
LOST = (types.CONNECTION_CLOSED, types.INVALID_REQUEST)
# What the caller should know. Other errors are the server's own, and only logged.
CALLERS = (types.INVALID_PARAMS, types.METHOD_NOT_FOUND, -32002)


class UpstreamError(ToolError):
    """The server could not be reached, or has failed."""


class Upstream:
    """The server, with one session for all calls; a new one after it was lost.

    `reach` returns a new transport to it.
    """

    def __init__(self, tasks: TaskGroup, reach: Callable[[], Transport]) -> None:
        self.tasks = tasks
        self.reach = reach
        self.opening = anyio.Lock()
        self.lost = anyio.Event()
        self.client: Client | None = None

    async def call_tool(
        self, name: str, context: Context, arguments: dict[str, Any] | None = None
    ) -> types.CallToolResult:
        """Call a tool with the arguments of this call as they came, or with others."""
        given = (context.request.params or {}).get("arguments")
        params = types.CallToolRequestParams(
            name=name, arguments=given if arguments is None else arguments
        )
        request = types.CallToolRequest(params=params)
        return await self.send(request, types.CallToolResult, context, None)

    async def read_resource(self, context: Context) -> types.ReadResourceResult:
        """Read the resource that this request asks for."""
        uri = (context.request.params or {})["uri"]
        params = types.ReadResourceRequestParams(uri=uri)
        request = types.ReadResourceRequest(params=params)
        return await self.send(request, types.ReadResourceResult, context)

    async def get_prompt(self, name: str, context: Context) -> types.GetPromptResult:
        """Get a prompt with the arguments of this request as they came."""
        given = (context.request.params or {}).get("arguments")
        params = types.GetPromptRequestParams(name=name, arguments=given)
        request = types.GetPromptRequest(params=params)
        return await self.send(request, types.GetPromptResult, context)

    async def complete(
        self, params: types.CompleteRequestParams, context: Context
    ) -> Sequence[str]:
        """Return the suggestions of the server."""
        request = types.CompleteRequest(params=params)
        answer = await self.send(request, types.CompleteResult, context)
        return answer.completion.values

    async def send(
        self,
        request: types.ClientRequest,
        kind: type[Answer],
        context: Context,
        seconds: float | None = SECONDS,
    ) -> Answer:
        """Send a request and return the answer; progress and cancellation are passed on.

        Raises MCPError for what the caller did wrong, and UpstreamError for all else.
        """
        client = await self.session()
        try:
            answer = await client.session.send_request(
                request,
                kind,
                request_read_timeout_seconds=seconds,
                progress_callback=context.request.session.report_progress,
            )
        except MCPError as error:
            if error.code in CALLERS:
                raise
            logger.warning("%s failed: %s", request.method, error)
            if error.code in LOST and await self.is_lost(client):
                self.forget(client)
                words = "The connection to the upstream server was lost, try again"
                raise UpstreamError(words) from error
            raise UpstreamError("The upstream server has failed") from error
        except ValidationError as error:
            logger.warning("%s: the answer is not MCP: %s", request.method, error)
            words = "The upstream server's answer cannot be read"
            raise UpstreamError(words) from error
        if answer.meta:
            answer.meta.pop(types.SERVER_INFO_META_KEY, None)  # Not this server's.
        return answer

    async def is_lost(self, client: Client) -> bool:
        """Return whether a session is lost; else, the error came from the server itself."""
        try:
            await client.session.send_request(
                types.PingRequest(),
                types.EmptyResult,
                request_read_timeout_seconds=SECONDS,
            )
        except MCPError as error:
            return error.code in LOST
        except ValidationError:
            return False
        return False

    async def session(self) -> Client:
        """Return the open session, or a new one."""
        async with self.opening:
            if self.client:
                return self.client
            try:
                with anyio.fail_after(SECONDS):
                    client: Client = await self.tasks.start(self.hold)
                return client
            except Exception as error:
                logger.warning("cannot reach the upstream server: %s", reason(error))
                words = "The upstream server cannot be reached"
                raise UpstreamError(words) from error

    async def hold(self, *, task_status: TaskStatus[Client]) -> None:
        """Open a session, and keep it until it is lost."""
        client = None
        try:
            async with Client(self.reach(), cache=None) as client:
                self.client, self.lost = client, anyio.Event()
                task_status.started(client)
                await self.lost.wait()
        except Exception as error:
            if client is None:
                raise
            logger.warning(
                "the session with the upstream server ended: %s", reason(error)
            )
        finally:
            self.forget(client)

    def forget(self, client: Client | None) -> None:
        """Let the next call open a new session."""
        if self.client is client:
            self.client = None
            self.lost.set()


def reason(error: Exception) -> str:
    """Return an error for the log, without the credentials in a URL."""
    return re.sub(r"(?<=//)[^/\s]*@|\?[^\s']*", "…", repr(first(error)))


@asynccontextmanager
async def streamable_http(
    url: str, headers: Mapping[str, str] = {}
) -> AsyncGenerator[Any]:
    """Reach a server at a URL, with a limit on its messages."""
    timeout = httpx2.Timeout(SECONDS, read=None)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeout) as http,
        streamable_http_client(
            url, http_client=http, max_sse_event_size=MAX_BYTES
        ) as streams,
    ):
        yield streams


@asynccontextmanager
async def reached(
    reach: Callable[[], Transport], instead: str
) -> AsyncGenerator[Upstream]:
    """Yield the server, or the one at the URL in the variable `instead`.

    Nothing is sent to it before the first call.
    """
    if url := os.environ.get(instead):
        reach = partial(streamable_http, url)
    # At the level of information it writes whole URLs: credentials can be in them.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    async with anyio.create_task_group() as tasks:
        yield Upstream(tasks, reach)
        tasks.cancel_scope.cancel()
