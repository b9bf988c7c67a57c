"""What getting a prompt gives: the spec's own messages, or what a handler returns."""

from __future__ import annotations

import pytest

from tests.raw_client import Message, RawClient
from tests.server.conftest import SPEC


def text(role: str, value: str) -> Message:
    return {"role": role, "content": {"type": "text", "text": value}}


def get(client: RawClient, name: str, **arguments: str) -> list[Message]:
    result = client.request("prompts/get", {"name": name, "arguments": arguments})["result"]
    messages: list[Message] = result["messages"]
    return messages


@pytest.mark.parametrize(
    ("arguments", "filled"),
    [
        ({"thing": "a lamp", "style": "briefly"}, "Summarise a lamp briefly, with {braces}."),
        ({"thing": "a lamp"}, "Summarise a lamp , with {braces}."),
        ({"thing": "{style} {0} %s", "style": "☃"}, "Summarise {style} {0} %s ☃, with {braces}."),
        ({"thing": "a", "style": "b", "else": "c"}, "Summarise a b, with {braces}."),
    ],
    ids=["all", "an optional one left out", "text like a placeholder", "one too many"],
)
def test_the_arguments_are_put_into_the_text(
    client: RawClient, arguments: dict[str, str], filled: str
) -> None:
    first, second, third = get(client, "summarise", **arguments)
    assert first == text("user", filled)
    assert second["content"]["text"] == f"Which {arguments['thing']}?"
    assert second["content"]["annotations"] == {"priority": 1}
    assert third == SPEC["prompts"][0]["messages"][2]


def test_a_handler_gives_the_messages(client: RawClient) -> None:
    assert get(client, "review", thing="lamp shade") == [
        text("user", "Review the lamp shade, calmly."),
        text("assistant", "Gladly."),
    ]
    assert get(client, "review", thing="a", mood="b")[0] == text("user", "Review the a, b.")


def test_text_is_one_message_of_the_user(client: RawClient) -> None:
    assert get(client, "short") == [text("user", "Be brief.")]
    answer = client.request("prompts/get", {"name": "short"})
    assert answer["result"]["messages"] == [text("user", "Be brief.")]


def test_every_missing_argument_is_named(client: RawClient) -> None:
    error = client.request("prompts/get", {"name": "summarise", "arguments": {"style": "x"}})[
        "error"
    ]
    assert error == {"code": -32602, "message": "Missing arguments: thing"}


def test_a_failure_that_the_handler_tells_of_is_told(client: RawClient) -> None:
    params = {"name": "review", "arguments": {"thing": "lamp"}}
    error = client.request("prompts/get", params)["error"]
    assert error == {"code": -32602, "message": "There is no lamp on shelf 3."}
