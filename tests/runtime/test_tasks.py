"""Tasks: what clients see of them, and what becomes of them whatever happens to the server."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any, TypeAlias

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.extension import advertise
from mcp.server import Server
from mcp.server.auth.provider import AccessToken
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from pydantic import ConfigDict

from templates.python.runtime import task, task_store, tasks
from templates.python.runtime.changes import Changes
from templates.python.runtime.command import SettingsError
from templates.python.runtime.elicitation import ElicitingContext
from templates.python.runtime.handlers import Model
from templates.python.runtime.http import Http
from templates.python.runtime.logs import LoggingContext
from templates.python.runtime.questions import ask_first
from templates.python.runtime.task import TaskRule
from templates.python.runtime.task_client import TaskClient, TaskRequest
from templates.python.runtime.task_questions import AskingTaskContext
from templates.python.runtime.tasks import Tasks
from tests.runtime.serving import asked, options, reached, tools_of
from tests.runtime.test_questions import Day, User
from tests.runtime.test_tools import SIZE, text_of
from tests.waiting import WITHIN

pytestmark = pytest.mark.anyio

SUPPORTS = advertise("io.modelcontextprotocol/tasks")
QUICK = TaskRule(poll=0.05)
State: TypeAlias = dict[str, Any]


class Context(AskingTaskContext[None], ElicitingContext[None], LoggingContext[None]):
    """What a generated `Context` is."""


class Answer(types.Result):
    """Any answer, as it is on the wire."""

    model_config = ConfigDict(extra="allow")


class Work:
    """A handler that works until it is let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.cleaned_up = 0

    async def work(self, arguments: Model, context: Context) -> str:
        try:
            await context.progress(1, 2)
            await self.go.wait()
        finally:
            self.cleaned_up += 1
        return "done"


def serving(
    *handlers: Any, file: str = ":memory:", rule: TaskRule = QUICK, **more: Any
) -> tuple[Server[Any], Tasks]:
    """Return a server whose calls can all be tasks, as a generated one does."""
    tools = tools_of(*handlers, context=Context, **more)
    all_tasks = Tasks({handler.__name__: rule for handler in handlers}, tools, file)

    @asynccontextmanager
    async def lifespan() -> AsyncGenerator[None]:
        yield

    server = Server[Any](
        "served",
        version="1",
        on_list_tools=tools.list,
        on_call_tool=all_tasks.call,
        lifespan=lambda _: all_tasks.around(lifespan()),
    )
    sealed = RequestStateSecurity.ephemeral()
    server.middleware.append(RequestStateBoundary(sealed, default_audience="served"))
    all_tasks.attach(server)
    server.middleware.append(ask_first)
    return server, all_tasks


async def ask(client: Client, method: str, id: str, **more: Any) -> State:
    params = {"taskId": id, **more}
    answer = await client.session.send_request(TaskRequest(method=method, params=params), Answer)
    return answer.model_extra or {}


async def begun(client: Client, tool: str = "work", **arguments: Any) -> State:
    """Call a tool, and return the task that it has become."""
    params = {"name": tool, "arguments": arguments}
    request = types.Request[Any, str](method="tools/call", params=params)
    answer = await client.session.send_request(request, Answer)
    return answer.model_extra or {}


async def until(client: Client, id: str, *statuses: str) -> State:
    async with asyncio.timeout(WITHIN):
        while (state := await ask(client, "tasks/get", id))["status"] not in statuses:
            await asyncio.sleep(0.02)
    return state


async def at_rest(all_tasks: Tasks, left: int = 0) -> None:
    """Wait until no more than some tasks are running."""
    async with asyncio.timeout(WITHIN):
        while len(all_tasks.running) > left:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def connected(server: Server[Any], **more: Any) -> AsyncGenerator[Client]:
    client = Client(server, **{"extensions": [SUPPORTS], **more})
    async with asyncio.timeout(WITHIN), client:
        yield client


async def test_a_call_is_answered_at_once_and_its_result_is_fetched_later() -> None:
    work = Work()
    server, _ = serving(work.work)
    async with connected(server) as client:
        task = await begun(client)
        assert task.pop("resultType") == "task"
        assert task.keys() == {
            *("taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs"),
        }
        assert (task["ttlMs"], task["pollIntervalMs"]) == (3_600_000, 50)
        await asyncio.sleep(0.1)
        state = await ask(client, "tasks/get", task["taskId"])
        assert (state["status"], state["statusMessage"]) == ("working", "1 of 2")
        work.go.set()
        state = await until(client, task["taskId"], "completed")
        assert state["result"]["content"] == [{"type": "text", "text": "done"}]
        assert "statusMessage" not in state
        assert state["lastUpdatedAt"] > state["createdAt"]


async def test_a_tool_error_is_a_result_and_an_error_of_the_protocol_is_a_failure() -> None:
    async def refuse(arguments: Model, context: Context) -> str:
        raise ZeroDivisionError

    async def fail(arguments: Model, context: Context) -> str:
        raise MCPError(-32099, "No such thing")

    server, _ = serving(refuse, fail)
    async with connected(server, extensions=[TaskClient()]) as client:
        result = await client.call_tool("refuse", {})
        assert result.is_error
        assert text_of(result).startswith("Internal error, reference")
        with pytest.raises(MCPError, match="No such thing") as raised:
            await client.call_tool("fail", {})
        assert raised.value.error.code == -32099


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_without_tasks_waits_for_the_result_or_is_refused(mode: str) -> None:
    work = Work()
    work.go.set()
    async with connected(serving(work.work)[0], extensions=[], mode=mode) as client:
        assert text_of(await client.call_tool("work", {})) == "done"
    required, _ = serving(work.work, rule=TaskRule(required=True))
    async with connected(required, extensions=[], mode=mode) as client:
        if mode == "legacy":
            refused = await client.call_tool("work", {})
            assert (refused.is_error, text_of(refused)) == (True, tasks.NEEDS_TASKS)
        else:
            with pytest.raises(MCPError, match=r"supports tasks") as raised:
                await client.call_tool("work", {})
            needed: State = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
            assert raised.value.error.code == -32021
            assert raised.value.error.data == {"requiredCapabilities": needed}
        for method in ("get", "update", "cancel", "list", "result"):
            with pytest.raises(MCPError) as raised:
                await ask(client, f"tasks/{method}", "x")
            is_there = mode == "auto" and method not in ("list", "result")
            assert raised.value.error.code == (-32021 if is_there else -32601)


async def test_a_call_that_cannot_start_becomes_no_task() -> None:
    server, _ = serving(Work().work, schemas={"work": SIZE}, rule=TaskRule(required=True))
    async with connected(server) as client:
        answer = await begun(client, size=0)
        assert answer["content"][0]["text"].startswith("Invalid arguments")


async def test_a_cancelled_task_stays_cancelled_whatever_its_handler_does() -> None:
    class Stubborn(Work):
        async def work(self, arguments: Model, context: Context) -> str:
            while not self.go.is_set():
                try:
                    await self.go.wait()
                except asyncio.CancelledError:
                    self.cleaned_up += 1
                    if self.cleaned_up == 1:
                        return "done after all"
            return "done"

    work = Stubborn()
    server, all_tasks = serving(work.work)
    async with connected(server) as client:
        id = (await begun(client))["taskId"]
        await asyncio.sleep(0.1)
        assert "status" not in await ask(client, "tasks/cancel", id)
        assert (await ask(client, "tasks/get", id))["status"] == "cancelled"
        await at_rest(all_tasks)
        assert work.cleaned_up
        assert await ask(client, "tasks/cancel", id) == {"resultType": "complete"}
        state = await ask(client, "tasks/get", id)
        assert state["status"] == "cancelled"
        assert "result" not in state


async def test_questions_of_a_task_wait_for_their_answers() -> None:
    async def book(arguments: Model, context: Context) -> str:
        names = ("first", "last")
        asked = [context.elicit("When?", Day, name=name) for name in names]
        first, last = await asyncio.gather(*asked)
        return f"{first!r} {last!r}"

    server, _ = serving(book, timeout=2)
    async with connected(server, elicitation_callback=User()) as client:
        id = (await begun(client, "book"))["taskId"]
        state = await until(client, id, "input_required")
        async with asyncio.timeout(WITHIN):
            while len(state["inputRequests"]) < 2:
                state = await ask(client, "tasks/get", id)
        assert state["inputRequests"]["first"]["method"] == "elicitation/create"
        await asyncio.sleep(2.1)  # The time of the user is no time of the call.
        with pytest.raises(MCPError, match="The answer does not fit: first"):
            await ask(client, "tasks/update", id, inputResponses={"first": {"action": "jump"}})
        monday = {"action": "accept", "content": {"day": "Monday"}}
        given = {"first": monday, "other": {"ignored": True}}
        await ask(client, "tasks/update", id, inputResponses=given)
        state = await ask(client, "tasks/get", id)
        assert (state["status"], [*state["inputRequests"]]) == ("input_required", ["last"])
        await ask(client, "tasks/update", id, inputResponses={"last": {"action": "decline"}})
        state = await until(client, id, "completed")
        assert state["result"]["content"][0]["text"] == "Day(day='Monday') 'decline'"


async def test_the_end_of_a_task_ends_its_questions_in_threads_too() -> None:
    ended = threading.Event()

    def book(arguments: Model, context: Context) -> None:
        with suppress(BaseException):
            context.wait(context.elicit("When?", Day))
        ended.set()

    server, _ = serving(book)
    async with connected(server, elicitation_callback=User()) as client:
        id = (await begun(client, "book"))["taskId"]
        await until(client, id, "input_required")
        await ask(client, "tasks/cancel", id)
        assert await asyncio.to_thread(ended.wait, 5)


@pytest.mark.parametrize("library", ["asyncio", "anyio"])
async def test_a_question_ends_if_its_handler_stops_waiting(library: str) -> None:
    async def book(arguments: Model, context: Context) -> str:
        if library == "anyio":
            with anyio.move_on_after(0.3):
                await context.elicit("When?", Day)
        else:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    await context.elicit("When?", Day)
        await asyncio.sleep(60)
        return "on some day"

    server, _ = serving(book)
    async with connected(server, elicitation_callback=User()) as client:
        id = (await begun(client, "book"))["taskId"]
        await until(client, id, "input_required")
        state = await until(client, id, "working")
        assert "inputRequests" not in state


async def test_a_handler_asks_first_and_then_starts_its_task() -> None:
    async def book(arguments: Model, context: Context) -> str:
        day = await context.elicit("When?", Day)
        await context.start_task()
        return f"{day!r} {await context.elicit('Sure?', Day, name='sure')!r}"

    user = User({"day": "Monday"}, "decline")
    server, _ = serving(book, rule=TaskRule(by_handler=True, poll=0.05))
    more: Any = {"elicitation_callback": user}
    async with connected(server, extensions=[TaskClient()], **more) as client:
        assert text_of(await client.call_tool("book", {})) == "Day(day='Monday') 'decline'"
    more = {"elicitation_callback": User("cancel", "cancel")}
    async with connected(server, extensions=[], **more) as client:
        assert text_of(await client.call_tool("book", {})) == "'cancel' 'cancel'"
    more = {"elicitation_callback": User("cancel", types.ErrorData(code=-1, message="Gone"))}
    async with connected(server, extensions=[TaskClient()], **more) as client:
        with pytest.raises(MCPError, match="Gone"):
            await client.call_tool("book", {})


async def test_a_task_sends_no_messages_of_its_own() -> None:
    heard: list[Any] = []

    async def hear(*message: Any, **more: Any) -> None:
        heard.append(message)

    async def tell(arguments: Model, context: Context) -> str:
        await context.log.info("working")
        await context.progress(1, 2, "half")
        return "told"

    server, _ = serving(tell)
    meta: Any = {types.LOG_LEVEL_META_KEY: "debug"}
    async with connected(server, extensions=[TaskClient()], logging_callback=hear) as client:
        await client.call_tool("tell", {}, meta=meta, progress_callback=hear)
    assert heard == []


async def test_subscribers_get_changes_but_poll_the_state_of_tasks() -> None:
    """Notifications of tasks are left to servers (Task Status Notifications: MAY)."""
    server, tasks = serving(Work().work)
    Changes({"tools": ("work",)}).attach(server)
    tasks.attach(server)
    acknowledged = asyncio.Queue[Any]()
    request = types.Request[Any, str](
        method="subscriptions/listen",
        params={"notifications": {"taskIds": ["x"], "toolsListChanged": True}},
    )
    async with connected(server, message_handler=acknowledged.put) as client:
        listening = asyncio.create_task(client.session.send_request(request, Answer))
        granted = (await acknowledged.get()).params.notifications
        assert granted.model_dump(by_alias=True, exclude_none=True) == {"toolsListChanged": True}
        listening.cancel()
    async with connected(server, extensions=[]) as client:
        with pytest.raises(MCPError) as refused:
            await client.session.send_request(request, Answer)
        assert refused.value.code == -32021


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "tasks.sqlite3")


async def test_a_stopping_server_fails_its_tasks_in_time(file: str) -> None:
    let_go = asyncio.Event()

    async def block(arguments: Model, context: Context) -> None:
        while not let_go.is_set():  # Whoever asks it to end earlier.
            with suppress(asyncio.CancelledError):
                await let_go.wait()

    work = Work()
    server, _ = serving(work.work, block, file=file)
    async with connected(server) as client:
        ids = [(await begun(client, tool))["taskId"] for tool in ("work", "block", "work")]
        await asyncio.sleep(0.1)
    let_go.set()
    assert work.cleaned_up == 2
    async with connected(serving(work.work, file=file)[0]) as client:
        for id in ids:
            state = await ask(client, "tasks/get", id)
            assert (state["status"], state["error"]["code"]) == ("failed", -32603)
            assert state["statusMessage"] == "The task was stopped"


async def test_a_task_of_a_crashed_server_fails(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_store, "LEASE", 2)  # Nobody renews it: that takes 5 seconds.
    server, _ = serving(Work().work, file=file)
    other, _ = serving(Work().work, file=file)
    async with connected(server) as client, connected(other) as another:
        id = (await begun(client))["taskId"]
        assert (await ask(another, "tasks/get", id))["status"] == "working"
        await asyncio.sleep(2.1)
        assert (await ask(another, "tasks/get", id))["status"] == "failed"
        assert (await ask(client, "tasks/get", id))["status"] == "failed"


async def test_a_task_outlives_a_suspended_machine() -> None:
    work = Work()
    server, all_tasks = serving(work.work)
    async with connected(server) as client:
        id = (await begun(client))["taskId"]
        all_tasks.store.database.execute("UPDATE tasks SET lease = 0")  # It was asleep for hours.
        assert (await ask(client, "tasks/get", id))["status"] == "working"
        work.go.set()
        assert (await until(client, id, "completed"))["result"]["isError"] is False


async def test_another_server_with_the_file_can_cancel_a_task_but_not_answer_it(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (tasks, task_store):
        monkeypatch.setattr(module, "LEASE", 3)
    work = Work()
    server, all_tasks = serving(work.work, file=file)
    other, _ = serving(Work().work, file=file)
    async with connected(server) as client, connected(other) as another:
        id = (await begun(client))["taskId"]
        await asyncio.sleep(3.5)
        assert (await ask(another, "tasks/get", id))["status"] == "working"
        with pytest.raises(MCPError, match="another process"):
            await ask(another, "tasks/update", id, inputResponses={})
        await ask(another, "tasks/cancel", id)
        assert (await ask(client, "tasks/get", id))["status"] == "cancelled"
        await at_rest(all_tasks)
        assert work.cleaned_up
        assert (await ask(client, "tasks/get", id))["status"] == "cancelled"


async def test_a_task_is_forgotten_after_its_time_and_ends(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "LEASE", 0.3)
    work = Work()
    server, all_tasks = serving(work.work, file=file, rule=TaskRule(ttl=2))
    async with connected(server) as client:
        id = (await begun(client))["taskId"]
        assert (await ask(client, "tasks/get", id))["status"] == "working"
        await asyncio.sleep(2)
        with pytest.raises(MCPError, match="expired"):
            await ask(client, "tasks/get", id)
        await at_rest(all_tasks)
        assert work.cleaned_up
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(*) FROM tasks").fetchone() == (0,)


async def test_a_locked_file_delays_no_call_and_loses_no_result(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_store, "PATIENCE", 2)
    monkeypatch.setattr(tasks, "LEASE", 0.3)
    work = Work()

    async def echo(arguments: Model, context: Context) -> str:
        return "heard"

    server, all_tasks = serving(work.work, echo, file=file)
    del all_tasks.rules["echo"]  # type: ignore[attr-defined]
    async with connected(server) as client:
        id = (await begun(client))["taskId"]
        await asyncio.sleep(0.1)
        with closing(sqlite3.connect(file)) as database:
            database.execute("BEGIN EXCLUSIVE")
            new = asyncio.create_task(begun(client))
            assert text_of(await client.call_tool("echo", {})) == "heard"
            assert not new.done()
            with pytest.raises(MCPError, match="Tasks are not available now") as raised:
                await new
            assert raised.value.error.code == -32603
            work.go.set()  # What is in the file can be read.
            assert (await ask(client, "tasks/get", id))["status"] == "working"
            await asyncio.sleep(0.5)
        state = await until(client, id, "completed")
        assert state["result"]["content"][0]["text"] == "done"
        assert all_tasks.running == {}


async def test_a_result_that_exceeds_the_file_limit_fails_its_task(
    file: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(task_store, "SETUP", task_store.SETUP.replace("262144", "24"))

    async def write(arguments: Model, context: Context) -> str:
        return "x" * int((arguments.model_extra or {})["size"])

    server, all_tasks = serving(write, file=file)
    async with connected(server) as client:
        for size, status in ((100_000, "failed"), (10, "completed")):
            id = (await begun(client, "write", size=size))["taskId"]
            state = await until(client, id, "completed", "failed")
            assert state["status"] == status
            assert state.get("statusMessage") == (task_store.TOO_MUCH if size > 10 else None)
            await at_rest(all_tasks)
    assert caplog.text.count("database or disk is full") == 1


@pytest.mark.parametrize("content", [b"no database", None])
async def test_a_server_that_cannot_keep_tasks_does_not_start(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "tasks.sqlite3"
    file.write_bytes(content) if content else file.mkdir()
    with pytest.raises(SettingsError, match=r"^--tasks .*tasks.sqlite3: "):
        serving(Work().work, file=str(file))[1].store.open()


async def test_only_the_owner_can_read_the_file(file: str) -> None:
    async with connected(serving(Work().work, file=file)[0]):
        assert Path(file).stat().st_mode & 0o077 == 0
        assert Path(file).parent.stat().st_mode & 0o077 == 0


async def test_tasks_are_limited_in_number_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "MOST_RUNNING", 2)
    monkeypatch.setattr(task, "LARGEST_RESULT", 1000)

    async def write(arguments: Model, context: Context) -> str:
        return "x" * 1000

    server, all_tasks = serving(Work().work, write)
    async with connected(server) as client:
        id = (await begun(client, "write"))["taskId"]
        state = await until(client, id, "completed")
        assert state["result"]["isError"]
        assert state["result"]["content"][0]["text"] == "The result has more than 1000 bytes"
        await at_rest(all_tasks)
        started = [await begun(client) for _ in range(2)]
        with pytest.raises(MCPError, match="Too many tasks at once"):
            await begun(client)
        await ask(client, "tasks/cancel", started[0]["taskId"])
        await at_rest(all_tasks, 1)
        await begun(client)


class TwoTokens:
    """A verifier that knows two users."""

    async def verify_token(self, token: str) -> AccessToken | None:
        known = token in ("ann", "ben")
        return (
            AccessToken(token=token, client_id="app", scopes=[], subject=token) if known else None
        )


async def test_a_task_is_visible_only_to_its_owner_and_by_its_id() -> None:
    server, _ = serving(Work().work)
    capabilities: State = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    async with reached(Http(lambda _: server).app(options(), TwoTokens())) as client:

        async def post(user: str, method: str, name: str, params: State) -> tuple[int, Any]:
            answer = await asked(client, user, method, name, params, capabilities)
            return answer.status_code, answer.json()

        call = {"name": "work", "arguments": {}}
        _, answer = await post("ann", "tools/call", "work", call)
        id = answer["result"]["taskId"]
        about = {"taskId": id}
        for method in ("tasks/get", "tasks/update", "tasks/cancel"):
            for name in ("another", ""):
                status, refused = await post("ann", method, name, about)
                assert (status, refused["error"]["code"]) == (400, -32020)
            _, refused = await post("ben", method, id, about)
            assert refused["error"]["code"] == -32602
        _, answer = await post("ann", "tasks/get", id, about)
        assert answer["result"]["status"] == "working"
