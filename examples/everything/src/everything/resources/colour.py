"""A named colour as a drawing."""

from everything._generated.contract import (
    ColourArguments,
    Context,
    ResourceNotFound,
    ResourceResult,
    UnknownColour,
)
from everything.palette import look_up
from everything.picture import svg


async def colour(arguments: ColourArguments, context: Context) -> ResourceResult:
    try:
        return svg(look_up(arguments.name, context.shared.colours))
    except UnknownColour:
        raise ResourceNotFound from None
