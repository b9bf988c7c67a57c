"""Tell the variables."""

import json

from crashing._generated.contract import Context, FragmentArguments, ResourceResult


async def fragment(arguments: FragmentArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
