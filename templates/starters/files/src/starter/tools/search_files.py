"""Find the lines that contain a text, in all files of the folder."""

from collections.abc import Iterator
from itertools import islice

from starter._generated.contract import Context
from starter._generated.contract import (
    SearchFilesArguments,
    SearchFilesMatch,
    SearchFilesResult,
)
from starter.folder import Folder, uri_of


def search_files(arguments: SearchFilesArguments, context: Context) -> SearchFilesResult:
    limit = arguments.limit
    found = [*islice(matches(context.shared.folder, arguments.text), limit + 1)]
    return SearchFilesResult(matches=found[:limit], more=len(found) > limit)


def matches(folder: Folder, wanted: str) -> Iterator[SearchFilesMatch]:
    wanted = wanted.casefold()
    for path, text in folder.files():
        for number, line in enumerate(text.splitlines(), start=1):
            if wanted in line.casefold():
                yield SearchFilesMatch(uri=uri_of(path), line=number, text=line)
