"""A file, its path with slashes."""

from workshop._generated.contract import (
    Context,
    ReadResourceResult,
    ResourceResult,
    TextResourceContents,
)
from workshop._generated.models import FileArguments


def file(arguments: FileArguments, context: Context) -> ResourceResult:
    contents = [
        TextResourceContents(uri=f"files:///{arguments.path}", text=part)
        for part in arguments.path.split("/")
    ]
    return ReadResourceResult(contents=list(contents))
