"""Give a colour a name, for as long as the server runs. A name given before is
moved.
"""

from everything._generated.contract import Context, ToolResult
from everything._generated.models import NameColourArguments
from everything.palette import look_up


async def name_colour(arguments: NameColourArguments, context: Context) -> ToolResult:
    colours = context.shared.colours
    colours[arguments.name] = look_up(arguments.colour, colours)
    return None
