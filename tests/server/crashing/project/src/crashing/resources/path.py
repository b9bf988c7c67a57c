"""Tell the variables."""

import json

from crashing._generated.contract import Context, PathArguments, ResourceResult


async def path(arguments: PathArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
