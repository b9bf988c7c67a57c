"""Tasks: calls that are answered at once, and whose results clients fetch later.

The extension `io.modelcontextprotocol/tasks` as of 2026-07-28. Tasks end with the server.
"""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_METHOD_HEADER, MCP_NAME_HEADER, decode_header_value
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, Field, ValidationError

from .handlers import CLEANING_UP, BaseContext, Shared
from .task_store import LEASE, OVER, STOPPED, State, TaskStore, ended, failed, time_now
from .tools import Tools, failure

Request: TypeAlias = ServerRequestContext[Any]
Opened = TypeVar("Opened")

EXTENSION: dict[str, Any] = {"io.modelcontextprotocol/tasks": {}}
NEEDS_TASKS = "This needs a client that supports tasks (MCP 2026-07-28)"
TOO_MANY = -32000  # JSON-RPC leaves this range to servers.
MOST_RUNNING = 1000
LARGEST_RESULT = 4 * 2**20


@dataclass(frozen=True)
class TaskRule:
    """How the calls of a tool become tasks. Times are in seconds."""

    required: bool = False
    """Whether clients that do not support tasks are refused."""
    by_handler: bool = False
    """Whether a call becomes one only when its handler awaits `context.start_task()`."""
    ttl: float = 3600
    """Time until a task is forgotten, even if it is running."""
    poll: float = 1
    """Time between two requests for its state."""


class Question(NamedTuple):
    request: types.InputRequest
    kind: type[types.Result]
    answer: asyncio.Future[Any]


class Task:
    """A call that is a task once it has been started."""

    work: asyncio.Task[Any]

    def __init__(self, rule: TaskRule, tasks: "Tasks") -> None:
        self.tasks = tasks
        self.started = asyncio.Event()
        self.scope = anyio.CancelScope()
        self.questions: dict[str, Question] = {}
        self.id, now = secrets.token_urlsafe(24), time_now()
        self.created: State = {
            "taskId": self.id,
            "status": "working",
            "createdAt": now,
            "lastUpdatedAt": now,
            "ttlMs": round(rule.ttl * 1000),
            "pollIntervalMs": round(rule.poll * 1000),
        }

    async def start(self) -> None:
        """Let the client go on, which must find the task when it hears of it."""
        store, ends = self.tasks.store, time.time() + self.created["ttlMs"] / 1000
        await store.run(store.add, owner(), ends, self.created)
        self.tasks.running[self.id] = self
        self.started.set()

    async def ask(
        self, name: str, question: types.InputRequest, kind: type[types.Result]
    ) -> Any:
        """Return the client's answer, whenever it comes."""
        answer = asyncio.get_running_loop().create_future()
        self.questions[name] = Question(question, kind, answer)
        try:
            await self.show_questions()
            return await answer
        finally:
            self.questions.pop(name, None)

    async def answer(self, responses: Mapping[str, Any]) -> None:
        """Pass on the answers to open questions; others are ignored."""
        try:
            answers = {
                name: question.kind.model_validate(responses[name], by_name=False)
                for name, question in self.questions.items()
                if name in responses
            }
        except ValidationError:
            raise MCPError(types.INVALID_PARAMS, "Not an answer") from None
        for name, answer in answers.items():
            self.questions.pop(name).answer.set_result(answer)
        await self.show_questions()

    async def show_questions(self) -> None:
        asked = {name: dump(one.request) for name, one in self.questions.items()}
        status = "input_required" if asked else "working"
        await self.tasks.change(self.id, status=status, inputRequests=asked or None)

    async def run(self, call: Callable[[], Awaitable[types.CallToolResult]]) -> Any:
        """Return the result of a call, or make it the end of the task."""
        end = STOPPED
        try:
            with self.scope:
                result = await call()
                if not self.started.is_set():
                    return result
                end = ended("completed", result=inlined(result))
        except MCPError as error:
            if not self.started.is_set():
                raise
            end = failed(error.error)
        finally:
            if self.started.is_set():
                await self.tasks.change(self.id, **end)
                del self.tasks.running[self.id]


class TaskSession:
    """The client's session, as a handler has it. In a task, nothing is sent to it."""

    def __init__(self, session: Any, task: Task) -> None:
        self.session = session
        self.task = task

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    async def report_progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        if not self.task.started.is_set():
            await self.session.report_progress(done, total, message)
            return
        text = message or (f"{done:g} of {total:g}" if total else f"{done:g}")
        await self.task.tasks.change(self.task.id, statusMessage=text)

    async def send_notification(self, *about: Any) -> None:
        if not self.task.started.is_set():
            await self.session.send_notification(*about)


def task_of(request: Request) -> Task | None:
    """Return the task that a handler runs in, or can start."""
    session: Any = request.session
    return session.task if isinstance(session, TaskSession) else None


class TaskContext(BaseContext[Shared]):
    """A context of handlers that start tasks."""

    async def start_task(self) -> None:
        """Answer a client that supports tasks: what follows is a task."""
        task = task_of(self.request)
        if task and not task.started.is_set():
            await task.start()


class TaskParams(types.RequestParams):
    task_id: str
    input_responses: dict[str, Any] = Field(default_factory=dict[str, Any])


class Tasks:
    """The tasks of a server: calls of the tools that have a rule.

    `listeners` are called with each new state of a task of this process.
    """

    def __init__(self, rules: Mapping[str, TaskRule], tools: Tools, file: str) -> None:
        self.rules = rules
        self.tools = tools
        self.store = TaskStore(file)
        self.running: dict[str, Task] = {}
        self.listeners: set[Callable[[State], None]] = set()

    def attach(self, server: Server[Any]) -> None:
        for handler in (self.get, self.update, self.cancel):
            server.add_request_handler(f"tasks/{handler.__name__}", TaskParams, handler)

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
            with suppress(MCPError):  # It is logged.
                for id in await self.store.run(self.store.renew, [*self.running]):
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
            return failure(NEEDS_TASKS)
        require(ctx)
        if len(self.running) >= MOST_RUNNING:
            raise MCPError(TOO_MANY, "Too many tasks at once: try again later")
        task = Task(rule, self)
        session: Any = TaskSession(ctx.session, task)
        inner = replace(ctx, session=session)
        if not rule.by_handler:
            await task.start()
        call = task.run(lambda: self.tools.call(inner, params))
        task.work = asyncio.create_task(call)
        started = asyncio.create_task(task.started.wait())
        try:
            await asyncio.wait([task.work, started], return_when="FIRST_COMPLETED")
        finally:
            started.cancel()
            if not task.started.is_set():
                task.work.cancel()
        if task.started.is_set():
            return {**task.created, "resultType": "task"}
        return task.work.result()

    async def change(self, id: str, **more: Any) -> None:
        """Change the state of a task, as soon as its file can be written."""
        while True:
            with suppress(MCPError):  # It is logged.
                if state := await self.store.run(self.store.change, id, **more):
                    for hear in self.listeners:
                        hear(state)
                return
            await anyio.sleep(1)

    async def get(self, ctx: Request, params: TaskParams) -> State:
        """Return the state of the task that a request is about."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            raise MCPError(types.METHOD_NOT_FOUND, "Method not found", ctx.method)
        require(ctx)
        headers = ctx.request.headers if ctx.request else {}
        name = decode_header_value(headers.get(MCP_NAME_HEADER))
        # Over streamable HTTP. The SDK does not compare it.
        if MCP_METHOD_HEADER in headers and name != params.task_id:
            raise MCPError(types.HEADER_MISMATCH, "Mcp-Name must be the taskId")
        if state := await self.find(params.task_id):
            return state
        raise MCPError(types.INVALID_PARAMS, "Unknown or expired task")

    async def find(self, id: str) -> State | None:
        return await self.store.run(self.store.find, id, owner())

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
        await self.change(params.task_id, **ended("cancelled"))
        if task := self.running.get(params.task_id):
            task.scope.cancel()
        return {}


def dump(model: BaseModel) -> State:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


def inlined(result: types.CallToolResult) -> State:
    """Return a result as a task holds it, or an error if it is too large to be kept."""
    data = dump(result)
    if len(json.dumps(data)) > LARGEST_RESULT:
        return dump(failure(f"The result has more than {LARGEST_RESULT} bytes"))
    return data


def owner() -> str:
    """Return whose token a request has: nobody else sees its tasks."""
    token = get_access_token()
    return json.dumps(principal_components(token)) if token else ""


def declares(ctx: Request) -> bool:
    """Return whether the client says in this request that it supports tasks."""
    offer = getattr(ctx.session.client_capabilities, "extensions", None) or {}
    is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    return is_modern and EXTENSION.keys() <= offer.keys()


def require(ctx: Request) -> None:
    if not declares(ctx):
        data = {"requiredCapabilities": {"extensions": EXTENSION}}
        code = types.MISSING_REQUIRED_CLIENT_CAPABILITY
        raise MCPError(code, NEEDS_TASKS, data)
