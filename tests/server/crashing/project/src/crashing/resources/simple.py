"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import SimpleArguments


async def simple(arguments: SimpleArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
