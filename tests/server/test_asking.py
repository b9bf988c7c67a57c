"""Questions of a handler to its client: honest answers, refusals, and answers that are none."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, Message, StdioClient, WireCheck

ASK_TWICE = """
from pydantic import BaseModel


class Day(BaseModel):
    day: str


async def ask(arguments, context):
    first = await context.elicit("From?", Day, name="first")
    last = await context.elicit("To?", Day, name="last")
    days = (answer.day if isinstance(answer, Day) else answer for answer in (first, last))
    return " to ".join(days)
"""
FORMS: Message = {"elicitation": {}}


class Asked(StdioClient):
    """A client with abilities of its own."""

    def __init__(
        self, project: Generated, version: str, check: WireCheck, abilities: Message
    ) -> None:
        self.abilities = abilities
        super().__init__(project, version, check)

    def handshake(self) -> None:
        hello = {"protocolVersion": self.version, "clientInfo": CLIENT_INFO}
        self.opening = self.request("initialize", hello | {"capabilities": self.abilities})
        self.notify("notifications/initialized")

    def envelope(self) -> Message:
        return super().envelope() | {
            "io.modelcontextprotocol/clientCapabilities": self.abilities,
        }

    def answered(self, **answer: Any) -> Message:
        """Call the tool, and answer what it asks with this."""
        called = self.start_call("ask")
        question = self.unclaimed.get(timeout=20)
        assert question["method"] == "elicitation/create"
        self.send({"jsonrpc": "2.0", "id": question["id"], **answer})
        return called.result(timeout=20)

    def round(self, asked: Message | None = None, **answers: Any) -> Message:
        """Call the tool as 2026-07-28 does, with answers to what an earlier call asked."""
        more: Message = {"inputResponses": answers} if answers else {}
        if asked:
            more["requestState"] = asked["requestState"]
        return self.request("tools/call", {"name": "ask", **more})


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    tool = {"name": "ask", "description": "Ask twice.", "inputSchema": {"type": "object"}}
    spec = {
        "name": "asking",
        "version": "1",
        "tools": [tool],
        "clientCapabilities": {"elicitation": {}},
    }
    folder = tmp_path_factory.mktemp("asking") / "asking"
    return generate(spec, folder, handlers={"tools/ask.py": ASK_TWICE})


@pytest.fixture
def modern(asking: Generated, check: WireCheck) -> Iterator[Asked]:
    with Asked(asking, MODERN, check, FORMS) as client:
        yield client
        assert client.faults == []


@pytest.fixture
def legacy(asking: Generated, check: WireCheck) -> Iterator[Asked]:
    with Asked(asking, LEGACY[-1], check, FORMS) as client:
        yield client
        assert client.faults == []


def filled(day: object) -> Message:
    return {"action": "accept", "content": {"day": day}}


def text_of(answer: Message) -> str:
    (block,) = answer["result"]["content"]
    return str(block["text"])


def test_an_answer_that_was_given_cannot_be_given_again(modern: Asked) -> None:
    asked = modern.round()["result"]
    assert list(asked["inputRequests"]) == ["first"]
    asked = modern.round(asked, first=filled("Monday"))["result"]
    assert list(asked["inputRequests"]) == ["last"]
    told = modern.round(asked, first=filled("Sunday"), last=filled("Friday"))
    assert text_of(told) == "Monday to Friday"


def test_an_answer_that_is_none_is_the_client_s_mistake(modern: Asked) -> None:
    asked = modern.round()["result"]
    sampled = {"role": "assistant", "content": {"type": "text", "text": "Monday"}, "model": "m"}
    for wrong in ({"action": "perhaps"}, {"content": {"day": "Monday"}}, filled(7), sampled):
        params = {"name": "ask", "requestState": asked["requestState"]}
        params["inputResponses"] = {"first": wrong}
        told = modern.start("tools/call", params, valid=False).result(timeout=20)
        assert told["error"]["code"] == -32602, wrong
        assert "Internal" not in told["error"]["message"]


def test_a_client_that_refuses_to_answer_fails_the_call_and_no_more(legacy: Asked) -> None:
    told = legacy.answered(error={"code": -32000, "message": "Nobody is there"})
    assert told["result"]["isError"]
    assert "Nobody is there" in text_of(told)
    told = legacy.answered(error={"code": -32000, "message": "Nobody is there"})
    assert told["result"]["isError"], "the connection still serves"


def test_an_answer_of_the_older_protocol_that_is_none_is_no_internal_error(legacy: Asked) -> None:
    for wrong in ({"action": "perhaps"}, {"content": {"day": "Monday"}}):
        told = legacy.answered(result=wrong)
        assert told["result"]["isError"]
        assert "Internal" not in text_of(told), wrong


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize(
    ("abilities", "asked"),
    [
        ({"elicitation": {}}, True),
        ({"elicitation": {"form": {}}}, True),
        ({"elicitation": {"form": {}, "url": {}}}, True),
        ({"elicitation": {"url": {}}}, False),
        ({}, False),
    ],
)
def test_only_a_client_that_shows_forms_is_asked_to_fill_one_in(
    asking: Generated, check: WireCheck, version: str, abilities: Message, asked: bool
) -> None:
    with Asked(asking, version, check, abilities) as client:
        if version == MODERN:
            told = client.round()
            assert ("inputRequests" in told.get("result", {})) is asked
            assert told.get("error", {}).get("code") == (None if asked else -32021)
        elif asked:
            assert client.answered(error={"code": -1, "message": "No"})["result"]["isError"]
        else:
            told = client.call("ask")
            assert told["result"]["isError"]
            assert "elicitation" in text_of(told)
            assert client.unclaimed.empty()


BOOKINGS = {
    "a dataclass": '''
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Booking:
    """Not for the client."""

    seats: int = field(default=2, metadata={"title": "How many", "minimum": 1, "maximum": 9})
''',
    "a model of pydantic": '''
from typing import Literal

from pydantic import BaseModel, Field


class Booking(BaseModel):
    """Not for the client."""

    seats: int = Field(2, title="How many", ge=1, le=9)
''',
}
CONTEXT = """
    row: Literal["front", "back"] = "front"
    note: str | None = None


from booking._generated.contract import CreateMessageRequestParams, SamplingMessage, TextContent


async def ask(arguments, context):
    await context.progress(1, 3, "asking")
    await context.log.debug("too quiet")
    await context.log.warning({"asked": "Booking"}, logger="bookings")
    answer = await context.elicit("Which seats?", Booking)
    title = await context.sample("A title, please", max_tokens=20)
    message = SamplingMessage(role="user", content=TextContent(text="And a longer one"))
    params = CreateMessageRequestParams(messages=[message], max_tokens=50)
    longer = await context.sample(params, name="longer")
    [root] = await context.roots()
    return f"{answer!r} {title} {longer.model} {root.name} {context.can('sampling')}"
"""
EVERYTHING: Message = {"elicitation": {}, "sampling": {}, "roots": {}}


@pytest.fixture(scope="module", params=BOOKINGS)
def booking(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    tool = {"name": "ask", "description": "Ask for all.", "inputSchema": {"type": "object"}}
    spec = {
        "name": "booking",
        "version": "1",
        "tools": [tool],
        "capabilities": {"logging": {}},
        "clientCapabilities": EVERYTHING,
    }
    folder = tmp_path_factory.mktemp("booking") / "booking"
    handler = BOOKINGS[request.param] + CONTEXT
    return generate(spec, folder, handlers={"tools/ask.py": handler})


def answer_to(question: Message, form: Message) -> Message:
    if question["method"] == "elicitation/create":
        assert question["params"] == {
            "mode": "form",
            "message": "Which seats?",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "seats": {
                        "type": "integer",
                        "title": "How many",
                        "default": 2,
                        "minimum": 1,
                        "maximum": 9,
                    },
                    "row": {
                        "type": "string",
                        "title": "Row",
                        "default": "front",
                        "enum": ["front", "back"],
                    },
                    "note": {"type": "string", "title": "Note"},
                },
                "required": [],
            },
        }
        return form
    if question["method"] == "roots/list":
        return {"roots": [{"uri": "file:///home", "name": "home"}]}
    text = question["params"]["messages"][0]["content"]["text"]
    return {"role": "assistant", "model": "m", "content": {"type": "text", "text": text.upper()}}


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (
            {"action": "accept", "content": {"seats": 3}},
            "Booking(seats=3, row='front', note=None)",
        ),
        (
            {"action": "accept", "content": {"seats": 4.0, "row": "back"}},
            "Booking(seats=4, row='back', note=None)",
        ),
        ({"action": "decline"}, "'decline'"),
        ({"action": "cancel"}, "'cancel'"),
    ],
)
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_a_handler_finds_all_that_it_tells_and_asks_at_its_context(
    booking: Generated, check: WireCheck, version: str, form: Message, told: str
) -> None:
    with Asked(booking, version, check, EVERYTHING) as client:
        meta = {"progressToken": 7}
        if version == MODERN:
            meta |= client.envelope() | {"io.modelcontextprotocol/logLevel": "info"}
        call: Message = {"name": "ask", "_meta": meta}
        heard: list[Message] = []
        ids = itertools.count(100)
        if version == MODERN:

            def round(**more: Any) -> Message:
                message: Message = {"jsonrpc": "2.0", "id": next(ids), "method": "tools/call"}
                message["params"] = call | more
                return dict(client.start_message(message).result(timeout=20)["result"])

            result = round()
            while "inputRequests" in result:
                answers = {
                    name: answer_to(question, form)
                    for name, question in result["inputRequests"].items()
                }
                result = round(inputResponses=answers, requestState=result["requestState"])
            while not client.unclaimed.empty():
                heard.append(client.unclaimed.get())
        else:
            called = client.start("tools/call", call)
            while not called.done() or not client.unclaimed.empty():
                message = client.unclaimed.get(timeout=20)
                if "id" not in message:
                    heard.append(message)
                    continue
                answer = answer_to(message, form)
                client.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
                if message["method"] == "roots/list":
                    break  # The last question.
            result = called.result(timeout=20)["result"]
        (block,) = result["content"]
        assert block["text"] == f"{told} A TITLE, PLEASE m home True"
        progress, log = (message["params"] for message in heard[:2])
        assert progress == {
            "progressToken": 7,
            "progress": 1,
            "total": 3,
            "message": "asking",
        }
        assert log == {"level": "warning", "logger": "bookings", "data": {"asked": "Booking"}}
        assert client.faults == []


@pytest.mark.parametrize("content", [{"seats": 10}, {"seats": 1.5}, {"row": "middle"}])
def test_an_answer_beyond_the_limits_of_the_form_is_the_client_s_mistake(
    booking: Generated, check: WireCheck, content: Message
) -> None:
    with Asked(booking, MODERN, check, EVERYTHING) as client:
        asked = client.round()["result"]
        told = client.round(asked, Booking={"action": "accept", "content": content})
        assert told["error"]["code"] == -32602
        assert told["error"]["message"] == "The answer does not fit the form: Booking"


FAULTS = {
    "tools/deep.py": """
from pydantic import BaseModel


class Day(BaseModel):
    day: str


class Days(BaseModel):
    days: list[Day]


async def deep(arguments, context):
    return await context.elicit("Which days?", Days)
""",
    "tools/ask.py": """
from pydantic import BaseModel


class Day(BaseModel):
    day: str


async def ask(arguments, context):
    await context.elicit("From?", Day)
    await context.elicit("To?", Day)
""",
}


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_a_form_too_deep_for_clients_and_a_name_given_twice_are_faults_that_the_log_explains(
    check: WireCheck, tmp_path: Path, version: str
) -> None:
    tools = [
        {"name": name, "description": "Ask.", "inputSchema": {"type": "object"}}
        for name in ("deep", "ask")
    ]
    spec = {"name": "wrong", "version": "1", "clientCapabilities": FORMS, "tools": tools}
    project = generate(spec, tmp_path / "wrong", handlers=FAULTS)
    with Asked(project, version, check, FORMS) as client:
        assert "Internal error" in text_of(client.call("deep"))
        if version == MODERN:
            twice = client.round(client.round()["result"], Day=filled("Monday"))
        else:
            twice = client.answered(result=filled("Monday"))
        assert "Internal error" in text_of(twice)
        assert client.faults == []
    assert "'days' rendered as" in client.log
    assert "two questions are called Day: give one another name" in client.log
