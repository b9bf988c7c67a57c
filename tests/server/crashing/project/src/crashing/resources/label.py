"""Tell the variables."""

from crashing._generated.contract import Context, LabelArguments, ResourceResult


async def label(arguments: LabelArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
