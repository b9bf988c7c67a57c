"""Tell the variables."""

import json

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import LabelArguments


async def label(arguments: LabelArguments, context: Context) -> ResourceResult:
    return json.dumps(arguments)
