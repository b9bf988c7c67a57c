"""A picture that is filled with a named colour, of a size in pixels."""

from everything._generated.contract import (
    Context,
    ResourceNotFound,
    ResourceResult,
    SwatchArguments,
    UnknownColour,
)
from everything.palette import look_up
from everything.picture import parse_size, png


async def swatch(arguments: SwatchArguments, context: Context) -> ResourceResult:
    size = arguments.size
    try:
        colour = look_up(arguments.name, context.shared.colours)
        return png([[colour]], parse_size(size) if size else context.shared.swatch_size)
    except (UnknownColour, ValueError):
        raise ResourceNotFound from None
