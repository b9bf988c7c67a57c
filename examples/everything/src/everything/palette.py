"""Colours by name."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from everything._generated.contract import UnknownColour
from everything.colour import Colour

# Those of CSS 2.1, and the one that CSS 4 named for Rebecca Meyer.
NAMED = {
    "aqua": Colour(0, 255, 255),
    "black": Colour(0, 0, 0),
    "blue": Colour(0, 0, 255),
    "fuchsia": Colour(255, 0, 255),
    "gray": Colour(128, 128, 128),
    "green": Colour(0, 128, 0),
    "lime": Colour(0, 255, 0),
    "maroon": Colour(128, 0, 0),
    "navy": Colour(0, 0, 128),
    "olive": Colour(128, 128, 0),
    "orange": Colour(255, 165, 0),
    "purple": Colour(128, 0, 128),
    "rebeccapurple": Colour(102, 51, 153),
    "red": Colour(255, 0, 0),
    "silver": Colour(192, 192, 192),
    "teal": Colour(0, 128, 128),
    "white": Colour(255, 255, 255),
    "yellow": Colour(255, 255, 0),
}


def read_colours(path: Path) -> dict[str, Colour]:
    """Return the colours of a JSON file, an object of names and `#rrggbb`.

    Raises OSError, TypeError or ValueError.
    """
    named: dict[str, str] | list[Any] | str | float | None
    named = json.loads(path.read_bytes())
    if not isinstance(named, dict):
        raise TypeError("it must be an object of names and colours")
    return {name: Colour.from_hex(text) for name, text in named.items()}


def look_up(text: str, colours: Mapping[str, Colour]) -> Colour:
    """Return the colour of a name or a `#rrggbb`. Raises UnknownColour."""
    if text in colours:
        return colours[text]
    try:
        return Colour.from_hex(text)
    except ValueError:
        raise UnknownColour(name=text) from None


def address(name: str) -> str:
    """Return the URI of the resource that draws the colour of a name."""
    return f"colour://{quote(name, safe='')}"
