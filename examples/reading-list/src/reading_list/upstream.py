"""The MCP server behind the handlers: one session, opened when it is first needed."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import anyio
import mcp_types as types
from anyio.abc import TaskGroup, TaskStatus
from mcp import Client, MCPError
from pydantic import ValidationError

from reading_list._generated.calls import leaves
from reading_list._generated.contract import Context
from reading_list._generated.errors import UpstreamError
from reading_list._generated.process import started

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer", bound=types.Result)

# Seconds to connect in, and to answer what is no tool call: those have limits of their own.
SECONDS = 60.0
# The session may be gone: the server has ended, or no longer knows it.
LOST = (types.CONNECTION_CLOSED, types.INVALID_REQUEST)
# What the caller should know. Other errors are the server's own, and only logged.
CALLERS = (types.INVALID_PARAMS, types.METHOD_NOT_FOUND, -32002)


class Upstream:
    """The server, with one session for all calls; a new one after it was lost."""

    def __init__(self, tasks: TaskGroup) -> None:
        self.tasks = tasks
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
        sending = asyncio.ensure_future(
            client.session.send_request(
                request,
                kind,
                request_read_timeout_seconds=seconds,
                progress_callback=context.request.session.report_progress,
            )
        )
        try:
            answer = await asyncio.shield(sending)
        except asyncio.CancelledError:
            sending.cancel()  # Once: it then tells the server.
            raise
        except MCPError as error:
            if error.code in CALLERS:
                raise
            logger.warning("%s failed: %s", request.method, error)
            if error.code in LOST and await self.is_lost(client):
                self.forget(client)
                message = "The connection to the upstream server was lost, try again"
                raise UpstreamError(message) from error
            raise UpstreamError("The upstream server has failed") from error
        except ValidationError as error:
            logger.warning("%s: the answer is not MCP: %s", request.method, error)
            raise UpstreamError(
                "The upstream server's answer cannot be read"
            ) from error
        if answer.meta:
            answer.meta.pop(types.SERVER_INFO_META_KEY, None)  # This server answers.
        return answer

    async def is_lost(self, client: Client) -> bool:
        """Tell a lost session from a server whose own error has such a code: that still answers."""
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
        """The open session, or a new one."""
        async with self.opening:
            if self.client is None:
                try:
                    with anyio.fail_after(SECONDS):
                        client: Client = await self.tasks.start(self.hold)
                    return client
                except Exception as error:
                    logger.warning(
                        "cannot reach the upstream server: %s", reasons(error)
                    )
                    message = "The upstream server cannot be reached"
                    raise UpstreamError(message) from error
            return self.client

    async def hold(self, *, task_status: TaskStatus[Client]) -> None:
        """Open a session, and keep it until it is lost."""
        client = None
        try:
            server = started(
                "python",
                ["old_server.py"],
            )
            async with Client(server, cache=None) as client:
                self.client, self.lost = client, anyio.Event()
                task_status.started(client)
                await self.lost.wait()
        except Exception as error:
            if client is None:
                raise
            logger.warning(
                "the session with the upstream server ended: %s", reasons(error)
            )
        finally:
            self.forget(client)

    def forget(self, client: Client | None) -> None:
        """Let the next call open a new session."""
        if self.client is client:
            self.client = None
            self.lost.set()


def reasons(error: Exception) -> str:
    """The errors in a group, for the log."""
    return ", ".join(map(repr, leaves(error)))


@asynccontextmanager
async def opened() -> AsyncGenerator[Upstream, None]:
    """Yield the server. Nothing is sent to it before the first call."""
    async with anyio.create_task_group() as tasks:
        yield Upstream(tasks)
        tasks.cancel_scope.cancel()
