"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import ContinuedArguments


async def continued(arguments: ContinuedArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
