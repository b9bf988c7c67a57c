"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import QueryArguments


async def query(arguments: QueryArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
