"""Tell the variables."""

from crashing._generated.contract import Context, PathArguments, ResourceResult


async def path(arguments: PathArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
