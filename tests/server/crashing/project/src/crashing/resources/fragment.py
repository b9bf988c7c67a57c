"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import FragmentArguments


async def fragment(arguments: FragmentArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
