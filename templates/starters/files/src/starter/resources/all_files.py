"""The URIs of all files, one on a line."""

from starter._generated.contract import Context, ResourceResult
from starter.folder import uri_of


def all_files(context: Context) -> ResourceResult:
    return "\n".join(uri_of(path) for path, _ in context.shared.folder.files())
