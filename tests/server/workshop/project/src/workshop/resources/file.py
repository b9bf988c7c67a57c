"""A file, its path with slashes."""

from workshop._generated.contract import (
    Context,
    FileArguments,
    ReadResourceResult,
    ResourceResult,
    TextResourceContents,
)


def file(arguments: FileArguments, context: Context) -> ResourceResult:
    contents = [
        TextResourceContents(uri=f"files:///{arguments.path}", text=part)
        for part in arguments.path.split("/")
    ]
    return ReadResourceResult(contents=list(contents))
