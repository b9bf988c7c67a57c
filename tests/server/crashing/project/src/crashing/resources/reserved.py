"""Tell the variables."""

from crashing._generated.contract import Context, ReservedArguments, ResourceResult


async def reserved(arguments: ReservedArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
