"""What the tools do, called as a client calls them."""

import math
import wave
from array import array
from base64 import b64decode
from collections.abc import Generator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import (
    AudioContent,
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)
from pictures import read_png

from everything._generated.runtime.trial import trial
from everything._generated.server import create_server

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with trial() as tried:
        for name, text in tried.variables.items():
            monkeypatch.setenv(name, text)
        yield


async def call(tool: str, **arguments: Any) -> CallToolResult:
    async with Client(create_server()) as client:
        return await client.call_tool(tool, arguments)


async def test_a_colour_is_described_in_a_structured_result() -> None:
    result = await call("colour.describe", colour="teal")
    assert result.structured_content == {
        "hex": "#008080",
        "rgb": [0, 128, 128],
        "hue": 180,
        "luminance": 0.17,
        "text": "white",
        "contrast": 4.77,
    }
    grey = await call("colour.describe", colour="#777777")
    assert grey.structured_content["hue"] is None


async def test_each_link_that_is_found_leads_to_a_drawing() -> None:
    async with Client(create_server()) as client:
        found = await client.call_tool(
            "find_colours", {"name-contains": "re", "max": 2}
        )
        names: list[str] = []
        for link in found.content:
            assert isinstance(link, ResourceLink)
            drawing = await client.read_resource(link.uri)
            assert drawing.contents[0].mime_type == link.mime_type
            names.append(link.name)
    assert names == ["green", "rebeccapurple"]


async def test_names_are_found_in_order_those_of_the_file_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "colours.json"
    file.write_text('{"bottle green": "#006A4E"}')
    monkeypatch.setenv("PALETTE_FILE", str(file))
    result = await call("find_colours", **{"name-contains": "green"})
    names = [link.name for link in result.content if isinstance(link, ResourceLink)]
    assert names == ["bottle green", "green"]


async def test_the_model_is_asked_for_what_the_user_wishes() -> None:
    prompts: list[str] = []

    async def wish(context: object, params: object) -> ElicitResult:
        return ElicitResult(
            action="accept", content={"purpose": "a door", "dark": True}
        )

    async def answer(
        context: object, params: CreateMessageRequestParams
    ) -> CreateMessageResult:
        prompts.extend(
            block.text
            for message in params.messages
            for block in message.content_as_list
            if isinstance(block, TextContent)
        )
        content = TextContent(text="Navy")
        return CreateMessageResult(role="assistant", content=content, model="made up")

    async with Client(
        create_server(), elicitation_callback=wish, sampling_callback=answer
    ) as client:
        result = await client.call_tool("suggest_colour", {})
    assert prompts == ["Name a dark colour for a door, in one lower-case word."]
    assert [getattr(block, "text", "") for block in result.content] == ["navy, #000080"]


async def test_a_gradient_meets_each_stop() -> None:
    stops = [[0, "red"], [0.5, "#00ff00"], [1, "blue"]]
    result = await call("make_gradient", stops=stops, steps=5)
    assert result.structured_content == [
        "#ff0000",
        "#808000",
        "#00ff00",
        "#008080",
        "#0000ff",
    ]


async def test_a_swatch_is_a_picture_of_the_colour_and_the_size_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SWATCH_SIZE", "3")
    result = await call("show_colour", colour="orange")
    [image] = result.content
    assert isinstance(image, ImageContent)
    assert image.mime_type == "image/png"
    assert read_png(b64decode(image.data)) == [[(255, 165, 0)] * 3] * 3


@pytest.mark.parametrize(
    ("colour", "pitch"), [("red", 440), ("aqua", 622), ("gray", 0)]
)
async def test_the_hue_is_the_pitch(colour: str, pitch: int) -> None:
    result = await call("play_colour", colour=colour, seconds=0.5)
    [content] = result.content
    assert isinstance(content, AudioContent)
    with wave.open(BytesIO(b64decode(content.data))) as sound:
        assert sound.getnframes() / sound.getframerate() == 0.5
        samples = array("h", sound.readframes(sound.getnframes()))
    crossings = sum(a < 0 <= b for a, b in pairwise(samples))
    assert math.isclose(crossings / 0.5, pitch, abs_tol=4)


async def test_a_card_has_text_for_the_model_and_pictures_for_people() -> None:
    result = await call("make_colour_card", colour="#663399")
    text, image, drawing = result.content
    assert isinstance(text, TextContent)
    assert isinstance(image, ImageContent)
    assert isinstance(drawing, EmbeddedResource)
    audiences = [
        c.annotations and c.annotations.audience for c in (text, image, drawing)
    ]
    assert audiences == [["assistant"], ["user"], ["user"]]
    assert drawing.resource.uri == "colour://%23663399"
    assert (result.meta or {})["example.com/category"] == "colours"


async def test_a_name_that_is_given_holds_while_the_server_runs() -> None:
    async with Client(create_server()) as client:
        named = await client.call_tool("name_colour", {"name": "ink", "colour": "navy"})
        assert named.content == []
        result = await client.call_tool("colour.describe", {"colour": "ink"})
    assert result.structured_content["hex"] == "#000080"
    assert (await call("colour.describe", colour="ink")).is_error
