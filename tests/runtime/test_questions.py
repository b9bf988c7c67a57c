"""Questions to the client and its user, in both eras: forms, answers, and answers that are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from pydantic import BaseModel, Field

from templates.python.runtime.command import SettingsError
from templates.python.runtime.elicitation import ElicitingContext
from templates.python.runtime.handlers import Calls, Model, ToolError
from templates.python.runtime.questions import ask_first
from templates.python.runtime.sampling import SamplingContext
from templates.python.runtime.state_keys import security_from
from tests.runtime.serving import server_of
from tests.runtime.test_tools import ERAS, text_of

pytestmark = pytest.mark.anyio


WITH_TOOLS = types.SamplingCapability(tools=types.SamplingToolsCapability())


class Context(ElicitingContext[None], SamplingContext[None]):
    """What a generated `Context` is."""


class Day(BaseModel):
    day: str


def asking(*handlers: Callable[..., Any], **more: Any) -> Server[Any]:
    """Return a server with the middleware that a generated one has for questions."""
    server = server_of(*handlers, context=Context, **more)
    sealed = RequestStateSecurity.ephemeral()
    server.middleware.append(RequestStateBoundary(sealed, default_audience="served"))
    server.middleware.append(ask_first)
    return server


class User:
    """Answers forms one after the other, and remembers what was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[types.ElicitRequestFormParams] = []

    async def __call__(self, context: object, params: Any) -> types.ElicitResult | types.ErrorData:
        self.asked.append(params)
        answer = self.answers.pop(0)
        if isinstance(answer, types.ErrorData):
            return answer
        if isinstance(answer, str):
            return types.ElicitResult.model_validate({"action": answer})
        return types.ElicitResult(action="accept", content=answer)


async def answer_of(server: Server[Any], user: User, mode: str, **arguments: Any) -> str:
    async with Client(server, mode=mode, elicitation_callback=user) as client:
        return text_of(await client.call_tool("ask", arguments))


@pytest.mark.parametrize("mode", ERAS)
async def test_each_question_gets_its_answer(mode: str) -> None:
    async def ask(arguments: Model, context: Context) -> str:
        first = await context.elicit("From?", Day, name="first")
        last = await context.elicit("To?", Day, name="last")
        return f"{first!r} {last!r}"

    user = User({"day": "Monday"}, "decline")
    assert await answer_of(asking(ask), user, mode) == "Day(day='Monday') 'decline'"
    assert [params.message for params in user.asked] == ["From?", "To?"]


@pytest.mark.parametrize("mode", ERAS)
async def test_a_plain_function_asks_by_its_context(mode: str) -> None:
    def ask(arguments: Model, context: Context) -> str:
        return repr(context.wait(context.elicit("When?", Day)))

    assert await answer_of(asking(ask), User({"day": "Monday"}), mode) == "Day(day='Monday')"


@pytest.mark.parametrize("mode", ERAS)
async def test_questions_in_a_group_are_asked_together_and_end_nothing(mode: str) -> None:
    async def ask(arguments: Model, context: Context) -> str:
        async with asyncio.TaskGroup() as group:
            names = ("one", "two", "three")
            asked = [group.create_task(context.elicit("?", Day, name=name)) for name in names]
        return " ".join(reply.result().day for reply in asked)  # type: ignore[union-attr]

    user = User(*({"day": day} for day in ("Monday", "Tuesday", "Friday")))
    answer = await answer_of(asking(ask), user, mode)
    assert sorted(answer.split()) == ["Friday", "Monday", "Tuesday"]
    if mode == "auto":
        async with Client(asking(ask), elicitation_callback=User()) as client:
            assert len((await round_of(client)).input_requests) == 3


async def test_the_time_of_the_user_does_not_count_as_time_of_the_call() -> None:
    class Slow(User):
        async def __call__(self, context: object, params: Any) -> Any:
            await asyncio.sleep(1.2)
            return await super().__call__(context, params)

    async def ask(arguments: Model, context: Context) -> str:
        answer = await context.elicit("When?", Day)
        await asyncio.sleep(0 if arguments.model_extra == {} else 60)
        return repr(answer)

    server = asking(ask, calls=Calls(seconds=1))
    assert await answer_of(server, Slow({"day": "Monday"}), "legacy") == "Day(day='Monday')"
    late = await answer_of(server, Slow({"day": "Monday"}), "legacy", more=1)
    assert late == "The call took longer than 1 seconds"


async def test_a_refused_answer_only_fails_its_call() -> None:
    async def ask(arguments: Model, context: Context) -> str:
        return repr(await context.elicit("When?", Day))

    refusal = types.ErrorData(code=-32000, message="Nobody is there")
    user = User(refusal, {"day": "Monday"})
    async with Client(asking(ask), mode="legacy", elicitation_callback=user) as client:
        assert "Nobody is there" in text_of(await client.call_tool("ask", {}))
        assert text_of(await client.call_tool("ask", {})) == "Day(day='Monday')"


async def test_after_a_refused_answer_the_time_of_the_call_goes_on() -> None:
    async def ask(arguments: Model, context: Context) -> str:
        with suppress(ToolError):
            await context.elicit("When?", Day)
        await asyncio.sleep(60)
        return "late"

    user = User(types.ErrorData(code=-32000, message="Nobody is there"))
    answer = await answer_of(asking(ask, calls=Calls(seconds=0.3)), user, "legacy")
    assert answer == "The call took longer than 0.3 seconds"


async def round_of(client: Client, state: str | None = None, **answers: Any) -> Any:
    """Call the tool as 2026-07-28 does, with answers to what an earlier call asked."""
    given: Any = {
        name: types.ElicitResult(action="accept", content=value) for name, value in answers.items()
    }
    return await client.session.call_tool(
        "ask",
        {},
        input_responses=given or None,
        request_state=state,
        allow_input_required=True,
    )


async def test_previous_answers_are_sealed() -> None:
    async def ask(arguments: Model, context: Context) -> str:
        first = await context.elicit("From?", Day, name="first")
        last = await context.elicit("To?", Day, name="last")
        return f"{first!r} {last!r}"

    monday, friday, sunday = ({"day": day} for day in ("Monday", "Friday", "Sunday"))
    async with Client(asking(ask), elicitation_callback=User()) as client:
        asked = await round_of(client)
        assert list(asked.input_requests) == ["first"]
        asked = await round_of(client, asked.request_state, first=monday)
        assert list(asked.input_requests) == ["last"]
        state = asked.request_state
        result = await round_of(client, state, first=sunday, last=friday)
        assert text_of(result) == "Day(day='Monday') Day(day='Friday')"
        assert "Monday" not in state
        with pytest.raises(MCPError):
            await round_of(client, f"{state[:-4]}AAAA", last=friday)


def test_rotating_the_keys_refuses_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any replica goes on with a question: `tests/production/test_proxy.py` has real ones."""
    old, new = "o" * 32, "n" * 32

    def sealing(keys: str) -> Any:
        monkeypatch.setenv("STATE_KEYS", keys)
        return security_from("STATE_KEYS").codec

    before, during, after = sealing(old), sealing(f"{old}, {new}\n"), sealing(f"{new},{old}")
    for sealer, opener in [(before, during), (during, before), (during, after), (after, during)]:
        assert opener.unseal(sealer.seal(b"state")) == b"state"


@pytest.mark.parametrize("keys", ["short", f"{'k' * 32},short", f"{'k' * 32},{'k' * 32}"])
def test_an_invalid_key_is_reported_with_its_variable(
    keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_KEYS", keys)
    with pytest.raises(SettingsError, match=r"^STATE_KEYS: .*keys\b") as raised:
        security_from("STATE_KEYS")
    assert "kkkk" not in str(raised.value)


async def test_a_form_too_deep_for_clients_is_a_logged_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Days(BaseModel):
        days: list[Day]

    async def ask(arguments: Model, context: Context) -> None:
        await context.elicit("Which days?", Days)

    assert (await answer_of(asking(ask), User(), "auto")).startswith("Internal error")
    assert "'days' rendered as" in caplog.text


async def test_two_questions_with_the_same_name_are_a_logged_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def ask(arguments: Model, context: Context) -> None:
        await context.elicit("From?", Day)
        await context.elicit("To?", Day)

    user = User({"day": "Monday"}, {"day": "Friday"})
    assert (await answer_of(asking(ask), user, "auto")).startswith("Internal error")
    assert "two questions are called Day: give one another name" in caplog.text


@dataclass
class Booking:
    seats: int = field(default=2, metadata={"title": "How many", "minimum": 1, "maximum": 9})
    row: Literal["front", "back"] = "front"
    note: str | None = None


class BookingModel(BaseModel):
    seats: int = Field(2, title="How many", ge=1, le=9)
    row: Literal["front", "back"] = "front"
    note: str | None = None


PROPERTIES = {
    "seats": {"type": "integer", "title": "How many", "default": 2, "minimum": 1, "maximum": 9},
    "row": {"type": "string", "title": "Row", "default": "front", "enum": ["front", "back"]},
    "note": {"type": "string", "title": "Note"},
}


@pytest.mark.parametrize("form", [Booking, BookingModel])
@pytest.mark.parametrize("mode", ERAS)
async def test_a_form_is_a_dataclass_or_a_model(mode: str, form: Any) -> None:
    async def ask(arguments: Model, context: Context) -> str:
        booking = await context.elicit("Which seats?", form)
        assert isinstance(booking, form)
        return f"{booking.seats} {booking.row} {booking.note}"

    user = User({"seats": 3, "note": None})
    assert await answer_of(asking(ask), user, mode) == "3 front None"
    [params] = user.asked
    assert params.requested_schema["properties"] == PROPERTIES


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("form", [Day, Booking])
@pytest.mark.parametrize(
    "content", [{"day": 7, "row": "middle"}, {"day": ["Monday"], "seats": 10}, {"seats": 1.5}]
)
async def test_an_answer_that_does_not_fit_is_the_client_s_mistake(
    content: dict[str, Any], form: type[Any], mode: str
) -> None:
    async def ask(arguments: Model, context: Context) -> str:
        return repr(await context.elicit("When?", form, name="form"))

    async with Client(asking(ask), mode=mode, elicitation_callback=User(content)) as client:
        with pytest.raises(MCPError, match=r"^The answer does not fit: form$") as raised:
            await client.call_tool("ask", {})
    assert raised.value.error.code == types.INVALID_PARAMS


@dataclass
class Ticket:
    seats: int
    holder: str = field(default_factory=lambda: "Ada")
    price: int = field(init=False)

    def __post_init__(self) -> None:
        self.price = 5 * self.seats


@pytest.mark.parametrize("mode", ERAS)
async def test_a_form_does_not_ask_for_computed_fields(mode: str) -> None:
    async def ask(arguments: Model, context: Context) -> str:
        return repr(await context.elicit("Which seats?", Ticket))

    user = User({"seats": 3})
    assert "Ticket(seats=3, holder='Ada', price=15)" in await answer_of(asking(ask), user, mode)
    [params] = user.asked
    assert params.requested_schema["properties"].keys() == {"seats", "holder"}
    assert params.requested_schema["required"] == ["seats"]


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("offers", [None, types.SamplingCapability(), WITH_TOOLS])
async def test_the_model_is_offered_tools_if_the_client_knows_how(
    mode: str, offers: types.SamplingCapability | None
) -> None:
    tool = types.Tool(name="add", input_schema={"type": "object"})
    calls = [types.ToolUseContent(id=id, name="add", input={}) for id in "ab"]

    async def ask(arguments: Model, context: Context) -> str:
        message = types.SamplingMessage(role="user", content=types.TextContent(text="Add."))
        request = types.CreateMessageRequestParams(messages=[message], max_tokens=9, tools=[tool])
        assert context.can("sampling.tools") == (offers is WITH_TOOLS)
        result = await context.sample(request)
        return " ".join(reply.id for reply in result.content_as_list if reply.type == "tool_use")

    async def sample(context: object, params: types.CreateMessageRequestParams) -> Any:
        return types.CreateMessageResultWithTools(role="assistant", content=[*calls], model="m")

    given: Any = {"sampling_callback": sample, "sampling_capabilities": offers} if offers else {}
    async with Client(asking(ask), mode=mode, **given) as client:
        if offers is WITH_TOOLS:
            assert text_of(await client.call_tool("ask", {})) == "a b"
        elif mode == "legacy":
            text = text_of(await client.call_tool("ask", {}))
            assert text == "This needs a client with the capability sampling.tools"
        else:
            with pytest.raises(MCPError) as raised:
                await client.call_tool("ask", {})
            needed: dict[str, Any] = {"sampling": {"tools": {}}}
            assert raised.value.error.data == {"requiredCapabilities": needed}


@pytest.mark.parametrize("mode", ERAS)
async def test_the_client_is_asked_for_texts_and_folders(mode: str) -> None:
    async def ask(arguments: Model, context: Context) -> str:
        title = await context.sample("A title, please", max_tokens=20)
        [root] = await context.roots()
        return f"{title} {root.name} {context.can('sampling')}"

    async def sample(context: object, params: types.CreateMessageRequestParams) -> Any:
        text = params.messages[0].content.text.upper()  # type: ignore[union-attr]
        content = types.TextContent(text=text)
        return types.CreateMessageResult(role="assistant", content=content, model="m")

    async def roots(context: object) -> types.ListRootsResult:
        return types.ListRootsResult(
            roots=[types.Root.model_validate({"uri": "file:///home", "name": "home"})]
        )

    async with Client(
        asking(ask), mode=mode, sampling_callback=sample, list_roots_callback=roots
    ) as client:
        assert text_of(await client.call_tool("ask", {})) == "A TITLE, PLEASE home True"
