"""Tell the variables."""

from crashing._generated.contract import Context, ResourceResult, UnsafeArguments


async def unsafe(arguments: UnsafeArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
