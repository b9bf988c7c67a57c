"""Tell the variables."""

import json

from crashing._generated.contract import Context, QueryArguments, ResourceResult


async def query(arguments: QueryArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
