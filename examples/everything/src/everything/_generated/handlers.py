# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Which handler answers for what."""

from typing import Any

from everything._generated.contract import (
    ColourArguments,
    ColourDescribeArguments,
    ColourDescribeResult,
    FindColoursArguments,
    FindColoursResult,
    KotlinSdkToolArguments,
    KotlinSdkToolResult,
    MakeColourCardArguments,
    MakeColourCardResult,
    MakeGradientArguments,
    MakeGradientResult,
    NameColourArguments,
    NameColourResult,
    PlayColourArguments,
    PlayColourResult,
    Prompt,
    Resource,
    ResourceTemplate,
    ReviewContrastArguments,
    ShowColourArguments,
    ShowColourResult,
    SwatchArguments,
    Tool,
    WaitArguments,
    WaitResult,
)
from everything.prompts.review_contrast import review_contrast
from everything.resources.chart import chart
from everything.resources.colour import colour
from everything.resources.colours import colours
from everything.resources.swatch import swatch
from everything.tools.colour_describe import colour_describe
from everything.tools.find_colours import find_colours
from everything.tools.kotlin_sdk_tool import kotlin_sdk_tool
from everything.tools.make_colour_card import make_colour_card
from everything.tools.make_gradient import make_gradient
from everything.tools.name_colour import name_colour
from everything.tools.play_colour import play_colour
from everything.tools.show_colour import show_colour
from everything.tools.wait import wait

TOOLS: dict[str, Tool[Any, Any]] = {
    "kotlin-sdk-tool": Tool[KotlinSdkToolArguments, KotlinSdkToolResult](
        kotlin_sdk_tool
    ),
    "colour.describe": Tool[ColourDescribeArguments, ColourDescribeResult](
        colour_describe
    ),
    "find_colours": Tool[FindColoursArguments, FindColoursResult](
        find_colours, defaults={"max": 10}
    ),
    "make_gradient": Tool[MakeGradientArguments, MakeGradientResult](
        make_gradient, defaults={"steps": 8}
    ),
    "show_colour": Tool[ShowColourArguments, ShowColourResult](show_colour),
    "play_colour": Tool[PlayColourArguments, PlayColourResult](
        play_colour, defaults={"seconds": 1}
    ),
    "make_colour_card": Tool[MakeColourCardArguments, MakeColourCardResult](
        make_colour_card
    ),
    "name_colour": Tool[NameColourArguments, NameColourResult](name_colour),
    "wait": Tool[WaitArguments, WaitResult](wait, timeout=2),
}

RESOURCES: dict[str, Resource] = {
    "palette://colours": Resource(colours, mime_type="application/json"),
    "palette://chart": Resource(chart, mime_type="image/png"),
}

RESOURCE_TEMPLATES: dict[str, ResourceTemplate[Any]] = {
    "colour://{name}": ResourceTemplate[ColourArguments](
        colour, mime_type="image/svg+xml"
    ),
    "swatch://{name}{?size}": ResourceTemplate[SwatchArguments](
        swatch, mime_type="image/png"
    ),
}

PROMPTS: dict[str, Prompt[Any]] = {
    "review-contrast": Prompt[ReviewContrastArguments](review_contrast),
}
