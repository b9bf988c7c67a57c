"""Tell the variables."""

import json

from crashing._generated.contract import Context, MatrixArguments, ResourceResult


async def matrix(arguments: MatrixArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
