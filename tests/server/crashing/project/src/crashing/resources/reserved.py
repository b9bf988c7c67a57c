"""Tell the variables."""

import json

from crashing._generated.contract import Context, ReservedArguments, ResourceResult


async def reserved(arguments: ReservedArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
