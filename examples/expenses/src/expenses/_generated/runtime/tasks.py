"""Tasks: calls that are answered at once, and whose results clients fetch later.

The extension `io.modelcontextprotocol/tasks` as of 2026-07-28. Tasks end with the server.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar, cast

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_METHOD_HEADER, MCP_NAME_HEADER, decode_header_value
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from .handlers import CLEANING_UP, Request
from .task import Task, TaskRule, dump, owner
from .task_store import LEASE, OVER, State, TaskStore, ended
from .tools import Tools, text_result

Opened = TypeVar("Opened")
Listen: TypeAlias = types.SubscriptionsListenRequestParams

EXTENSION: dict[str, Any] = {"io.modelcontextprotocol/tasks": {}}
LISTEN = "subscriptions/listen"
NEEDS_TASKS = "This needs a client that supports tasks (MCP 2026-07-28)"
TOO_MANY = -32000  # JSON-RPC leaves this range to servers.
MOST_RUNNING = 1000


class TaskParams(types.RequestParams):
    task_id: str
    input_responses: dict[str, Any] = Field(default_factory=dict[str, Any])


class Tasks:
    """The tasks of a server: calls of the tools that have a rule."""

    def __init__(self, rules: Mapping[str, TaskRule], tools: Tools, file: str) -> None:
        self.rules = rules
        self.tools = tools
        self.store = TaskStore(file)
        self.running: dict[str, Task] = {}

    def attach(self, server: Server[Any]) -> None:
        """Serve the extension, after `Changes` and before the middleware of the catalog."""
        server.extensions.update(EXTENSION)
        for handler in (self.get, self.update, self.cancel):
            server.add_request_handler(f"tasks/{handler.__name__}", TaskParams, handler)
        if other := server.get_request_handler(LISTEN):

            async def listen(ctx: Request, params: Listen) -> Any:
                """Notify of no tasks: those who support them ask for their state."""
                if "taskIds" in dump(params.notifications):
                    require(ctx)
                return await other.handler(ctx, params)

            server.add_request_handler(LISTEN, Listen, listen)

    @asynccontextmanager
    async def around(
        self, lifespan: AbstractAsyncContextManager[Opened]
    ) -> AsyncGenerator[Opened]:
        """Keep tasks during a lifespan; they end before what handlers share is closed."""
        self.store.open()
        async with lifespan as shared:
            renewing = asyncio.create_task(self.renew())
            try:
                yield shared
            finally:
                renewing.cancel()
                for task in self.running.values():
                    task.scope.cancel()
                works = [task.work for task in self.running.values()]
                with anyio.CancelScope(shield=True):
                    await asyncio.wait([renewing, *works], timeout=2 * CLEANING_UP)
                    await self.store.close()

    async def renew(self) -> None:
        while True:
            await anyio.sleep(LEASE / 3)
            ids = [id for id, task in self.running.items() if task.started.done()]
            with suppress(MCPError):  # It is logged.
                for id in await self.store.renew(ids):
                    if task := self.running.get(id):
                        task.scope.cancel()

    async def call(self, ctx: Request, params: types.CallToolRequestParams) -> Any:
        """Answer a call with its result, or with a task if the client supports them."""
        rule, supports = self.rules.get(params.name), declares(ctx)
        if rule is None or not (supports or rule.required):
            return await self.tools.call(ctx, params)
        if self.tools.inputs[params.name].faults(params.arguments or {}):
            return await self.tools.call(ctx, params)  # It says what is wrong.
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return text_result(NEEDS_TASKS, is_error=True)
        require(ctx)
        if len(self.running) >= MOST_RUNNING:
            raise MCPError(TOO_MANY, "Too many tasks at once: try again later")
        task = Task(params.name, rule, self.store, ctx.session)
        inner = replace(ctx, session=cast(Any, task))
        if not rule.by_handler:
            await task.start()
        call = task.run(lambda: self.tools.call(inner, params))
        task.work = asyncio.create_task(call)
        task.work.add_done_callback(lambda _: self.running.pop(task.id))
        self.running[task.id] = task
        try:
            await asyncio.wait([task.work, task.started], return_when="FIRST_COMPLETED")
        finally:
            if not task.started.done():
                task.work.cancel()
        if task.started.done():
            return {**task.created, "resultType": "task"}
        return task.work.result()

    async def get(self, ctx: Request, params: TaskParams) -> State:
        """Return the state of the task that a request is about."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            raise MCPError(types.METHOD_NOT_FOUND, "Method not found", ctx.method)
        require(ctx)
        headers: Mapping[str, str] = ctx.request.headers if ctx.request else {}
        name = decode_header_value(headers.get(MCP_NAME_HEADER))
        # Over streamable HTTP. The SDK does not compare it.
        if MCP_METHOD_HEADER in headers and name != params.task_id:
            raise MCPError(types.HEADER_MISMATCH, "Mcp-Name must be the taskId")
        id = params.task_id
        if state := await self.store.find(id, owner(), id in self.running):
            return state
        raise MCPError(types.INVALID_PARAMS, "Unknown or expired task")

    async def update(self, ctx: Request, params: TaskParams) -> State:
        state = await self.get(ctx, params)
        if task := self.running.get(params.task_id):
            await task.answer(params.input_responses)
        elif state["status"] not in OVER:
            words = "The task runs in another process of this server"
            raise MCPError(types.INTERNAL_ERROR, words)
        return {}

    async def cancel(self, ctx: Request, params: TaskParams) -> State:
        await self.get(ctx, params)
        await self.store.change(params.task_id, **ended("cancelled"))
        if task := self.running.get(params.task_id):
            task.scope.cancel()
        return {}


def declares(ctx: Request) -> bool:
    """Return whether the client says in this request that it supports tasks."""
    client = ctx.session.client_capabilities
    is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    offered = (client.extensions if client and is_modern else None) or {}
    return EXTENSION.keys() <= offered.keys()


def require(ctx: Request) -> None:
    if not declares(ctx):
        data = {"requiredCapabilities": {"extensions": EXTENSION}}
        code = types.MISSING_REQUIRED_CLIENT_CAPABILITY
        raise MCPError(code, NEEDS_TASKS, data)
