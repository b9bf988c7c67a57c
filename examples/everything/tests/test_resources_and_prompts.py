"""Test the resources and the prompts through a client."""

import json
from base64 import b64decode
from pathlib import Path

import pytest
from mcp import Client, MCPError
from mcp_types import (
    BlobResourceContents,
    GetPromptResult,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pictures import read_png

from everything._generated.server import create_server

pytestmark = pytest.mark.anyio


async def read(uri: str) -> str | bytes:
    async with Client(create_server()) as client:
        result = await client.read_resource(uri)
    [contents] = result.contents
    assert contents.uri == uri
    if isinstance(contents, BlobResourceContents):
        return b64decode(contents.blob)
    assert isinstance(contents, TextResourceContents)
    return contents.text


async def ask(prompt: str, **arguments: str) -> GetPromptResult:
    async with Client(create_server()) as client:
        return await client.get_prompt(prompt, arguments)


async def test_the_guide_is_the_file_beside_the_spec() -> None:
    guide = Path(__file__).parent.parent / "guides" / "contrast.md"
    assert await read("guide://contrast") == guide.read_text("utf-8")


async def test_the_palette_has_the_colours_of_the_file_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "colours.json"
    file.write_text('{"bottle green": "#006A4E"}')
    monkeypatch.setenv("PALETTE_FILE", str(file))
    assert '"bottle green": "#006a4e"' in str(await read("palette://colours"))
    assert 'fill="#006a4e"' in str(await read("colour://bottle%20green"))


async def test_the_chart_has_every_colour() -> None:
    chart = await read("palette://chart")
    assert isinstance(chart, bytes)
    colours = json.loads(await read("palette://colours"))
    seen = {f"#{bytes(pixel).hex()}" for row in read_png(chart) for pixel in row}
    assert seen == set(colours.values())


async def test_a_colour_is_a_drawing() -> None:
    drawing = await read("colour://teal")
    assert isinstance(drawing, str)
    assert drawing.startswith("<svg ")
    assert 'fill="#008080"' in drawing


async def test_a_swatch_has_the_size_that_the_address_says() -> None:
    swatch = await read("swatch://red?size=2")
    assert isinstance(swatch, bytes)
    assert read_png(swatch) == [[(255, 0, 0)] * 2] * 2
    usual = await read("swatch://red")
    assert isinstance(usual, bytes)
    assert len(read_png(usual)) == 64


@pytest.mark.parametrize(
    "uri",
    [
        "colour://octarine",
        "swatch://octarine",
        "swatch://red?size=0",
        "swatch://red?size=x",
    ],
)
async def test_a_resource_that_does_not_exist_is_not_found(uri: str) -> None:
    async with Client(create_server()) as client:
        with pytest.raises(MCPError, match="Resource not found") as caught:
            await client.read_resource(uri)
    assert caught.value.error.data == {"uri": uri}


async def test_the_prompt_of_the_kotlin_sample_asks_for_the_project() -> None:
    result = await ask("Kotlin Developer", **{"Project Name": "Otter"})
    [message] = result.messages
    assert message.role == "user"
    text = "Develop a kotlin project named <name>Otter</name>"
    assert message.content == TextContent(text=text)


async def test_the_prompt_of_the_kotlin_sample_requires_a_name() -> None:
    async with Client(create_server()) as client:
        with pytest.raises(MCPError, match="Project Name"):
            await client.get_prompt("Kotlin Developer")


async def test_a_static_prompt_may_have_both_roles_and_links() -> None:
    result = await ask("choose-colours", purpose="a {harbour} map", mood="calm")
    assert [message.role for message in result.messages] == [
        "user",
        "user",
        "assistant",
    ]
    link, question, _ = (message.content for message in result.messages)
    assert isinstance(link, ResourceLink)
    assert isinstance(question, TextContent)
    assert "for a {harbour} map. It should feel like this: calm" in question.text


async def test_a_handled_prompt_may_show_a_picture() -> None:
    result = await ask("review-contrast", text="#767676")
    picture, question = (message.content for message in result.messages)
    assert isinstance(picture, ImageContent)
    row = read_png(b64decode(picture.data))[0]
    assert (row[0], row[-1]) == ((0x76, 0x76, 0x76), (255, 255, 255))
    assert isinstance(question, TextContent)
    assert "Their contrast is 4.54;" in question.text


async def test_a_prompt_that_fails_says_why() -> None:
    async with Client(create_server()) as client:
        with pytest.raises(MCPError, match="There is no colour octarine"):
            await client.get_prompt("review-contrast", {"text": "octarine"})
