"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import UnsafeArguments


async def unsafe(arguments: UnsafeArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
