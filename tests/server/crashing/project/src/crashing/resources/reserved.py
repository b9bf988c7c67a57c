"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import ReservedArguments


async def reserved(arguments: ReservedArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
