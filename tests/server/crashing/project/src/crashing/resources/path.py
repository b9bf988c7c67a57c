"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import PathArguments


async def path(arguments: PathArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
