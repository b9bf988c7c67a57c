"""Tell the variables."""

from crashing._generated.contract import Context, ResourceResult
from crashing._generated.models import PathArguments


async def path(arguments: PathArguments, context: Context) -> ResourceResult:
    return arguments.model_dump_json(exclude_unset=True)
