"""Questions of a handler to its client: honest answers, refusals, and answers that are none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, Message, StdioClient, WireCheck

ASK_TWICE = """
FORM = {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}


async def ask(arguments, context):
    first = await context.client.elicit("first", "From?", FORM)
    last = await context.client.elicit("last", "To?", FORM)
    return f"{first.content['day']} to {last.content['day']}"
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
