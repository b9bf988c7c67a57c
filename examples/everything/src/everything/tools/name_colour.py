"""Give a colour a name, for as long as the server runs. A name given before is
moved.
"""

from everything._generated.contract import (
    Context,
    NameColourArguments,
    NameColourResult,
)
from everything.palette import look_up


async def name_colour(
    arguments: NameColourArguments, context: Context
) -> NameColourResult:
    colours = context.shared.colours
    colours[arguments.name] = look_up(arguments.colour, colours)
    return None
