"""The text of a file."""

from starter._generated.contract import Context, ResourceResult
from starter._generated.contract import ResourceNotFound
from starter._generated.contract import FileArguments


def file(arguments: FileArguments, context: Context) -> ResourceResult:
    text = context.shared.folder.read(arguments.path)
    if text is None:
        raise ResourceNotFound
    return text
