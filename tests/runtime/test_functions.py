"""What functions return, as results of tools, resources and prompts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from mcp_types import AudioContent, ImageContent, PromptMessage, TextContent

from templates.python.runtime import functions
from templates.python.runtime.handlers import Model


class Found(Model):
    result: list[str]


@dataclass
class Book:
    title: str
    added: date


class Picture:
    def to_image_content(self) -> ImageContent:
        return ImageContent(data="AA==", mime_type="image/png")


class Sound:
    def to_audio_content(self) -> AudioContent:
        return AudioContent(data="AA==", mime_type="audio/wav")


BOOK = Book("a", date(2026, 1, 2))
PLAIN = {"title": "a", "added": "2026-01-02"}


@pytest.mark.parametrize("value", [["a"], {"result": ["a"]}])
def test_a_return_value_becomes_the_property_result(value: Any) -> None:
    assert functions.result(Found, value, "result") == Found(result=["a"])


def test_without_a_property_the_return_value_is_the_whole_result() -> None:
    assert functions.result(dict[str, Any], BOOK) == PLAIN
    with pytest.raises(ValueError, match="valid dictionary"):
        functions.result(Found, ["a"])


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (None, None),
        ("a", "a"),
        (BOOK, PLAIN),
        (Picture(), ImageContent(data="AA==", mime_type="image/png")),
        (["a", Sound()], [TextContent(text="a"), AudioContent(data="AA==", mime_type="audio/wav")]),
        (TextContent(text="a"), TextContent(text="a")),
    ],
    ids=["none", "text", "object", "image", "list", "block"],
)
def test_without_a_schema_the_return_value_becomes_content(value: Any, content: Any) -> None:
    assert functions.content(value) == content


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", "a"), (b"\0", b"\0"), (BOOK, '{"title":"a","added":"2026-01-02"}'), ([1], "[1]")],
    ids=["text", "bytes", "object", "list"],
)
def test_a_resource_is_text_bytes_or_json(value: Any, text: Any) -> None:
    assert functions.text(value) == text


SAID = PromptMessage(role="user", content=TextContent(text="a"))
ANSWERED = PromptMessage(role="assistant", content=TextContent(text="b"))


@dataclass
class Messages:
    messages: list[Any]


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("a", "a"),
        (["a", {"role": "assistant", "content": "b"}], [SAID, ANSWERED]),
        ({"role": "assistant", "content": {"type": "text", "text": "b"}}, [ANSWERED]),
        (Messages([SAID, ANSWERED]), [SAID, ANSWERED]),
    ],
    ids=["text", "list", "message", "messages"],
)
def test_a_prompt_is_text_or_messages(value: Any, messages: Any) -> None:
    assert functions.messages(value) == messages
