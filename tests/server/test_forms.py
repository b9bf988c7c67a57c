"""Forms of handlers: what the client is asked for, and which answers fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.generated import generate
from tests.raw_client import MODERN, Message, WireCheck
from tests.server.test_asking import Asked

HANDLER = """
import datetime as dt
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Choices:
    colour: Colour
    maybe: Colour | None = None
    more: list[Colour] = field(default_factory=list)


@dataclass
class Defaults:
    colour: Colour = Colour.RED
    day: dt.date = dt.date(2026, 1, 1)


@dataclass
class Own:
    seats: int
    price: int = field(init=False, default=3)


@dataclass
class Size:
    size: Literal[1, 2]


@dataclass
class Limits:
    above: int = field(default=9, metadata={"exclusiveMinimum": 5, "exclusiveMaximum": 10})
    even: float = field(default=0, metadata={"multipleOf": 0.1})
    text: str = field(default="a", metadata={"pattern": "^a$"})
    names: list[Literal["a", "b"]] = field(default_factory=list, metadata={"maxItems": 1})


async def ask(arguments, context):
    return repr(await context.elicit("?", globals()[arguments.model_extra["form"]]))
"""
SPEC: Message = {
    "name": "forms",
    "version": "1",
    "clientCapabilities": {"elicitation": {}},
    "tools": [{"name": "ask", "description": "Ask.", "inputSchema": {"type": "object"}}],
}


@pytest.fixture(scope="module")
def client(check: WireCheck, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("forms") / "forms"
    forms = generate(SPEC, folder, handlers={"tools/ask.py": HANDLER})
    with Asked(forms, MODERN, check, {"elicitation": {}}) as client:
        yield client


def schema(client: Asked, form: str) -> Message:
    asked = client.call("ask", form=form)["result"]["inputRequests"][form]
    properties: Message = asked["params"]["requestedSchema"]["properties"]
    return properties


def answered(client: Asked, form: str, **content: Any) -> Message:
    asked = client.call("ask", form=form)["result"]
    given = {form: {"action": "accept", "content": content}}
    state = {"requestState": asked["requestState"], "inputResponses": given}
    return client.request("tools/call", {"name": "ask", "arguments": {"form": form}, **state})


def test_defaults_are_told_as_json(client: Asked) -> None:
    defaults = {name: one["default"] for name, one in schema(client, "Defaults").items()}
    assert defaults == {"colour": "red", "day": "2026-01-01"}
    assert "Colour.BLUE" in str(answered(client, "Defaults", colour="blue")["result"])


def test_a_choice_is_asked_for_by_its_value_and_answered_as_itself(client: Asked) -> None:
    colours = {"type": "string", "enum": ["red", "blue"]}
    asked = schema(client, "Choices")
    assert asked["colour"] == {"title": "Colour", **colours}
    assert asked["maybe"] == {"title": "Maybe", **colours}
    assert asked["more"]["items"] == colours
    told = str(answered(client, "Choices", colour="blue", more=["red"])["result"])
    assert "Choices(colour=<Colour.BLUE: 'blue'>, maybe=None, more=[<Colour.RED: 'red'>])" in told
    assert answered(client, "Choices", colour="green")["error"]["code"] == -32602


def test_a_field_that_the_form_sets_itself_is_not_asked_for(client: Asked) -> None:
    assert list(schema(client, "Own")) == ["seats"]
    assert "price=3" in str(answered(client, "Own", seats=1, price=4)["result"])


def test_choices_of_numbers_are_numbers(client: Asked) -> None:
    assert schema(client, "Size")["size"] == {"title": "Size", "type": "integer", "enum": [1, 2]}
    assert "size=2" in str(answered(client, "Size", size=2)["result"])
    assert answered(client, "Size", size=True)["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("above", 6, 5),
        ("above", 9, 10),
        ("even", 0.3, 0.35),
        ("text", "a", "zzz"),
        ("names", ["a"], ["a", "b"]),
    ],
)
def test_answers_are_checked_against_what_the_schema_says(
    client: Asked, name: str, right: object, wrong: object
) -> None:
    assert "result" in answered(client, "Limits", **{name: right})
    assert answered(client, "Limits", **{name: wrong})["error"]["code"] == -32602
