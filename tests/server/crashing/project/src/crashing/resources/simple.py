"""Tell the variables."""

from crashing._generated.contract import Context, ResourceResult, SimpleArguments


async def simple(arguments: SimpleArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
