"""What a handler returns, and what the client is sent for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.raw_client import MODERN, Message, RawClient
from tests.server.conftest import every_version

ECHO = "com.example.workshop/echo.v2"
DEFAULTS = {"class": None, "two words": 0.5, "nested": {"a": [1]}}


def text(value: str) -> Message:
    return {"type": "text", "text": value}


def result_of(answer: Message) -> Message:
    """The result without what only the newest version adds."""
    result = dict(answer["result"])
    for key in ("resultType", "_meta", "isError"):
        if not result.get(key) or key != "isError":
            result.pop(key, None)
    return result


def test_text_is_text_and_a_default_is_filled_in(client: RawClient) -> None:
    answer = client.call("greet", name="Ada")
    assert result_of(answer) == {"content": [text("Hello, Ada!")]}


def test_an_argument_that_is_given_wins_over_its_default(client: RawClient) -> None:
    answer = client.call("greet", name="Ada", punctuation="?")
    assert result_of(answer) == {"content": [text("Hello, Ada?")]}


def test_an_object_is_structured_content_and_the_same_as_text(client: RawClient) -> None:
    result = result_of(client.call("sum", numbers=[1, 2, 39]))
    assert result["structuredContent"] == {"sum": 42, "count": 3}
    assert [json.loads(block["text"]) for block in result["content"]] == [{"sum": 42, "count": 3}]


@every_version
def test_a_list_is_structured_only_where_the_protocol_has_that(client: RawClient) -> None:
    result = result_of(client.call("evens", limit=7))
    assert json.loads(result["content"][0]["text"]) == [0, 2, 4, 6]
    if client.version == MODERN:
        assert result["structuredContent"] == [0, 2, 4, 6]
    else:
        assert "structuredContent" not in result


def test_one_content_block_needs_no_list(client: RawClient) -> None:
    result = result_of(client.call("one_block"))
    image = {"type": "image", "data": "aW1hZ2U=", "mimeType": "image/png"}
    assert result == {"content": [image]}


def test_a_whole_result_is_sent_as_it_is(client: RawClient) -> None:
    answer = client.call("whole", weight=1.5)
    assert result_of(answer) == {
        "content": [text("as it is")],
        "structuredContent": {"weight": 1.5},
    }
    assert answer["result"]["_meta"]["example.org/kept"] is True


def test_a_whole_result_that_says_it_failed_owes_no_structure(client: RawClient) -> None:
    answer = client.call("whole", is_error=True)
    assert result_of(answer) == {"content": [text("as it is")], "isError": True}


def test_nothing_is_empty_content(client: RawClient) -> None:
    assert result_of(client.call("nothing")) == {"content": []}


def test_arguments_that_are_left_out_are_none(client: RawClient) -> None:
    assert result_of(client.request("tools/call", {"name": "nothing"})) == {"content": []}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"class": 1, "two words": 2},
        {"class": None, "two words": 1.0, "anything": [{"deep": [None, True, "☃"]}]},
        {"$ref": "#/nowhere", "x-hint": "ada@example.org", "unknown": {"": ""}},
        {"nested": {"inner": "mine"}},
    ],
    ids=["defaults", "names", "values", "keywords", "nested"],
)
def test_the_handler_gets_the_arguments_as_they_were_sent(
    client: RawClient, arguments: dict[str, Any]
) -> None:
    """A default is new in each call, whatever the handler did to it in the last."""
    result = result_of(client.call(ECHO, **arguments))
    inner = arguments.get("nested", {}).get("inner", "filled in")
    content = {"arguments": DEFAULTS | arguments, "inner": inner}
    assert result["structuredContent"] == content
