"""Tell the variables."""

import json

from crashing._generated.contract import Context, ContinuedArguments, ResourceResult


async def continued(arguments: ContinuedArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
