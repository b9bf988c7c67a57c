"""Tell the variables."""

from crashing._generated.contract import Context, QueryArguments, ResourceResult


async def query(arguments: QueryArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
