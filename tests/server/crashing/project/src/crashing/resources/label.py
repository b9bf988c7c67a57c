"""Tell the variables."""

import json

from crashing._generated.contract import Context, LabelArguments, ResourceResult


async def label(arguments: LabelArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
