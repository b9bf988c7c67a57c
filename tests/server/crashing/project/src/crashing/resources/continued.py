"""Tell the variables."""

from crashing._generated.contract import Context, ContinuedArguments, ResourceResult


async def continued(arguments: ContinuedArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
