"""Get a picture that is filled with a colour, as PNG."""

from base64 import b64encode

from everything._generated.contract import (
    Context,
    ImageContent,
    ShowColourArguments,
    ShowColourResult,
)
from everything.palette import look_up
from everything.picture import png


async def show_colour(
    arguments: ShowColourArguments, context: Context
) -> ShowColourResult:
    colour = look_up(arguments.colour, context.shared.colours)
    picture = png([[colour]], context.shared.swatch_size)
    return ImageContent(data=b64encode(picture).decode(), mime_type="image/png")
