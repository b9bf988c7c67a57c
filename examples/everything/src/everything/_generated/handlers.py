# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from everything._generated.contract import Prompt, Resource, ResourceTemplate, Tool
from everything._generated.models import (
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
    ReviewContrastArguments,
    ShowColourArguments,
    ShowColourResult,
    SuggestColourArguments,
    SuggestColourResult,
    SwatchArguments,
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
from everything.tools.suggest_colour import suggest_colour
from everything.tools.wait import wait

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "kotlin-sdk-tool": Tool[KotlinSdkToolArguments, KotlinSdkToolResult](
        KotlinSdkToolArguments, kotlin_sdk_tool
    ),
    "colour.describe": Tool[ColourDescribeArguments, ColourDescribeResult](
        ColourDescribeArguments, colour_describe
    ),
    "find_colours": Tool[FindColoursArguments, FindColoursResult](
        FindColoursArguments, find_colours
    ),
    "make_gradient": Tool[MakeGradientArguments, MakeGradientResult](
        MakeGradientArguments, make_gradient
    ),
    "show_colour": Tool[ShowColourArguments, ShowColourResult](
        ShowColourArguments, show_colour
    ),
    "play_colour": Tool[PlayColourArguments, PlayColourResult](
        PlayColourArguments, play_colour
    ),
    "make_colour_card": Tool[MakeColourCardArguments, MakeColourCardResult](
        MakeColourCardArguments, make_colour_card
    ),
    "name_colour": Tool[NameColourArguments, NameColourResult](
        NameColourArguments, name_colour
    ),
    "wait": Tool[WaitArguments, WaitResult](WaitArguments, wait, timeout=2),
    "suggest_colour": Tool[SuggestColourArguments, SuggestColourResult](
        SuggestColourArguments, suggest_colour
    ),
}

RESOURCES: dict[str, Resource] = {
    "palette://colours": Resource(colours, mime_type="application/json"),
    "palette://chart": Resource(chart, mime_type="image/png"),
}

RESOURCE_TEMPLATES: dict[str, ResourceTemplate[Any]] = {
    "colour://{name}": ResourceTemplate[ColourArguments](
        ColourArguments, colour, mime_type="image/svg+xml"
    ),
    "swatch://{name}{?size}": ResourceTemplate[SwatchArguments](
        SwatchArguments, swatch, mime_type="image/png"
    ),
}

PROMPTS: dict[str, Prompt[Any]] = {
    "review-contrast": Prompt[ReviewContrastArguments](
        ReviewContrastArguments, review_contrast
    ),
}
