"""Tell the variables."""

from crashing._generated.contract import Context, FragmentArguments, ResourceResult


async def fragment(arguments: FragmentArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
