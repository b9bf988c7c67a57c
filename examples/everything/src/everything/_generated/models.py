# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The arguments and results of the handlers."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from everything._generated.contract import ToolResult


class Model(BaseModel):
    """An object that fits its schema, with its properties as attributes.

    An optional property that is absent is None; `model_fields_set` tells it from null.
    `model_extra` has properties that the schema does not name. Of a result, only the
    attributes that were set are sent.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        validate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )


class KotlinSdkToolArguments(Model):
    pass


class ColourDescribeArguments(Model):
    colour: str
    """A name, or "#rrggbb"."""


class ColourDescribeResult(Model):
    hex: str
    rgb: list[int]
    hue: int | None
    """Degrees on the colour wheel; null for grey, which has none."""
    luminance: float
    text: Literal["black", "white"]
    """The colour of text that reads better on it."""
    contrast: float
    """The contrast of that text."""


class FindColoursArguments(Model):
    name_contains: Annotated[str, Field(alias="name-contains")]
    """Letters of the name."""
    max: int = 10
    """How many at most."""


Stop: TypeAlias = list[float | str]


class MakeGradientArguments(Model):
    stops: list[Stop]
    """Positions from 0 to 1, rising, each with a colour."""
    steps: int = 8
    """How many colours."""


MakeGradientResult: TypeAlias = list[str]


ShowColourArguments: TypeAlias = ColourDescribeArguments


class PlayColourArguments(Model):
    colour: str
    """A name, or "#rrggbb"."""
    seconds: float = 1
    """How long."""


MakeColourCardArguments: TypeAlias = ColourDescribeArguments


class NameColourArguments(Model):
    name: str
    """Lower-case letters."""
    colour: str
    """A name, or "#rrggbb"."""


class WaitArguments(Model):
    seconds: float
    """How long."""


class SuggestColourArguments(Model):
    pass


class ColourArguments(Model):
    name: str


class SwatchArguments(Model):
    name: str
    size: str | None = None


class ReviewContrastArguments(Model):
    text: str
    """Colour of the text"""
    background: str | None = None
    """Colour behind it; white if not given"""


# Tools without an `outputSchema`.
KotlinSdkToolResult: TypeAlias = ToolResult
FindColoursResult: TypeAlias = ToolResult
ShowColourResult: TypeAlias = ToolResult
PlayColourResult: TypeAlias = ToolResult
MakeColourCardResult: TypeAlias = ToolResult
NameColourResult: TypeAlias = ToolResult
WaitResult: TypeAlias = ToolResult
SuggestColourResult: TypeAlias = ToolResult


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
