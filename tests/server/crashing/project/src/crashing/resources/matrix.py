"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import MatrixArguments


async def matrix(arguments: MatrixArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
