"""Tell the variables."""

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import QueryArguments


async def query(arguments: QueryArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
