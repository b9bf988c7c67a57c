"""A named colour as a drawing."""

from everything._generated.contract import Context, ResourceResult
from everything._generated.errors import ResourceNotFound, UnknownColour
from everything._generated.models import ColourArguments
from everything.palette import look_up
from everything.picture import svg


async def colour(arguments: ColourArguments, context: Context) -> ResourceResult:
    try:
        return svg(look_up(arguments.name, context.shared.colours))
    except UnknownColour:
        raise ResourceNotFound from None
