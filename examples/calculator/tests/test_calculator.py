"""What the tools do, called as a client calls them."""

import json

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextResourceContents

from calculator._generated.server import create_server

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


ARITHMETIC = "com.example.calculator/arithmetic"
CURRENT = "com.example.weather/current"


async def call(tool: str, **arguments: object) -> CallToolResult:
    async with Client(create_server()) as client:
        return await client.call_tool(tool, arguments)


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(block, "text", "") for block in result.content)


async def test_units_are_imperial_unless_said_otherwise() -> None:
    result = await call(CURRENT, location="San Francisco")
    assert result.structured_content == {
        "place": "San Francisco",
        "observed": "2026-06-15T12:00:00Z",
        "conditions": "Partly cloudy",
        "temperature": 68.0,
        "temperatureUnit": "°F",
        "windSpeed": 8.1,
        "windUnit": "mph",
        "windDirection": "W",
        "humidity": 65,
    }
    assert json.loads(text_of(result)) == result.structured_content


@pytest.mark.parametrize(
    ("units", "temperature", "wind"),
    [
        ("metric", (20.0, "°C"), (3.6, "m/s")),
        ("imperial", (68.0, "°F"), (8.1, "mph")),
        ("standard", (293.15, "K"), (3.6, "m/s")),
    ],
)
async def test_each_system_has_its_units(
    units: str, temperature: tuple[float, str], wind: tuple[float, str]
) -> None:
    result = await call(CURRENT, location="San Francisco", units=units)
    weather = result.structured_content
    assert (weather["temperature"], weather["temperatureUnit"]) == temperature
    assert (weather["windSpeed"], weather["windUnit"]) == wind


@pytest.mark.parametrize(
    ("location", "place"),
    [
        ("tokyo", "Tokyo"),
        ("  London , UK", "London"),
        ("NEW YORK, NY, USA", "New York"),
        ("Sao Paulo", "São Paulo"),
        ("Reykjavik", "Reykjavík"),
    ],
)
async def test_a_place_is_found_however_it_is_written(
    location: str, place: str
) -> None:
    result = await call(CURRENT, location=location)
    assert result.structured_content["place"] == place


@pytest.mark.parametrize(
    ("location", "places"),
    [
        ("Lodnon", "London"),
        ("San Fransisco", "San Francisco"),
        (
            "Ouagadougou",
            "Cape Town, London, New York, Reykjavík, San Francisco, São Paulo, Singapore, Tokyo",
        ),
    ],
)
async def test_an_unknown_place_comes_with_known_ones(
    location: str, places: str
) -> None:
    result = await call(CURRENT, location=location)
    assert result.is_error
    assert text_of(result) == f"No weather is known for {location}. Try {places}."


async def test_each_place_of_the_resource_has_weather() -> None:
    async with Client(create_server()) as client:
        (contents,) = (await client.read_resource("weather://places")).contents
        assert isinstance(contents, TextResourceContents)
        assert contents.mime_type == "application/json"
        places = json.loads(contents.text)
        assert len(places) == 8
        for place in places:
            assert -90 <= place["latitude"] <= 90
            result = await client.call_tool(CURRENT, {"location": place["place"]})
            assert result.structured_content["place"] == place["place"]
