"""All named colours, those that were named since the start included."""

import json

from everything._generated.contract import Context, ResourceResult


async def colours(context: Context) -> ResourceResult:
    named = {name: colour.hex for name, colour in context.shared.colours.items()}
    return json.dumps(named, indent=2, sort_keys=True)
