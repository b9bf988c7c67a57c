"""A call that becomes a task: its state, its questions, its end."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import anyio
import mcp_types as types
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError

from .handlers import BaseContext, Request, Shared
from .task_store import STOPPED, State, TaskStore, ended, failed, time_now
from .tools import text_result

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
    """A call that is a task once it has been started.

    Its handler has it in place of the client's session: a task sends nothing there.
    """

    work: asyncio.Task[Any]

    def __init__(
        self, tool: str, rule: TaskRule, store: TaskStore, session: Any
    ) -> None:
        self.store = store
        self.session = session
        self.started = asyncio.get_running_loop().create_future()
        self.scope = anyio.CancelScope()
        self.questions: dict[str, Question] = {}
        # Who may not call the tool may do nothing with its tasks, either.
        self.id, now = f"{tool}.{secrets.token_urlsafe(24)}", time_now()
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
        await self.store.add(owner(), self.created)
        self.started.set_result(None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    async def report_progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        if not self.started.done():
            await self.session.report_progress(done, total, message)
            return
        text = message or (f"{done:g} of {total:g}" if total else f"{done:g}")
        await self.store.change(self.id, statusMessage=text)

    async def send_notification(
        self, message: Any, related_request_id: Any = None
    ) -> None:
        if not self.started.done():
            await self.session.send_notification(message, related_request_id)

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
            if self.questions.pop(name, None):  # The handler waits no longer.
                with anyio.CancelScope(shield=True):
                    await self.show_questions()

    async def answer(self, responses: Mapping[str, Any]) -> None:
        """Pass on the answers to open questions; others are ignored."""
        answers = dict[str, types.Result]()
        for name in self.questions.keys() & responses.keys():
            kind = self.questions[name].kind
            try:
                answers[name] = kind.model_validate(responses[name], by_name=False)
            except ValidationError:
                wrong = f"The answer does not fit: {name}"
                raise MCPError(types.INVALID_PARAMS, wrong) from None
        for name, answer in answers.items():
            if not (question := self.questions.pop(name)).answer.done():
                question.answer.set_result(answer)
        await self.show_questions()

    async def show_questions(self) -> None:
        asked = {name: dump(row.request) for name, row in self.questions.items()}
        status = "input_required" if asked else "working"
        await self.store.change(self.id, status=status, inputRequests=asked or None)

    async def run(self, call: Callable[[], Awaitable[types.CallToolResult]]) -> Any:
        """Return the result of a call, or make it the end of the task."""
        end = STOPPED
        try:
            with self.scope:
                result = await call()
                if not self.started.done():
                    return result
                end = ended("completed", result=inlined(result))
        except MCPError as error:
            if not self.started.done():
                raise
            end = failed(error.error)
        finally:
            for question in self.questions.values():
                question.answer.cancel()  # A handler in a thread waits for it.
            if self.started.done():
                await self.store.change(self.id, **end)


def task_of(request: Request) -> Task | None:
    """Return the task that a handler runs in, or can start."""
    session: Any = request.session
    return session if isinstance(session, Task) else None


class TaskContext(BaseContext[Shared]):
    """A context of handlers that start tasks."""

    async def start_task(self) -> None:
        """Answer a client that supports tasks: what follows is a task."""
        task = task_of(self.request)
        if task and not task.started.done():
            await task.start()


def dump(model: BaseModel) -> State:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


def inlined(result: types.CallToolResult) -> State:
    """Return a result as a task holds it, or an error if it is too large to be kept."""
    data = dump(result)
    if len(json.dumps(data)) > LARGEST_RESULT:
        text = f"The result has more than {LARGEST_RESULT} bytes"
        return dump(text_result(text, is_error=True))
    return data


def owner() -> str:
    """Return whose token a request has: nobody else sees its tasks."""
    token = get_access_token()
    return json.dumps(principal_components(token)) if token else ""
