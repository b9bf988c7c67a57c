"""Tell the red, green and blue of a colour, its hue, and whether black or white text
reads better on it.
"""

from everything._generated.contract import (
    ColourDescribeArguments,
    ColourDescribeResult,
    Context,
)
from everything.palette import NAMED, look_up


async def colour_describe(
    arguments: ColourDescribeArguments,
    context: Context,
) -> ColourDescribeResult:
    colour = look_up(arguments.colour, context.shared.colours)
    black, white = colour.contrast(NAMED["black"]), colour.contrast(NAMED["white"])
    return ColourDescribeResult(
        hex=colour.hex,
        rgb=[*bytes(colour)],
        hue=colour.hue,
        luminance=round(colour.luminance, 4),
        text="black" if black >= white else "white",
        contrast=round(max(black, white), 2),
    )
