"""Tell the variables."""

from crashing._generated.contract import Context, MatrixArguments, ResourceResult


async def matrix(arguments: MatrixArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
