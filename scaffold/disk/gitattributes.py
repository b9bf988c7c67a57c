"""The `.gitattributes` of a project, which keeps git from merging generated files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scaffold.base.files import RECORDS, Owner, RelPath, RenderedFile

PATH = RelPath(".gitattributes")

_HEAD = """\
# Generated files are not merged: after a merge, `mcp-scaffold regenerate` writes them again.
"""


def gitattributes(files: Iterable[RenderedFile], package: str) -> RenderedFile:
    """Return the `.gitattributes` of a project with these files.

    It sets `-merge` for every generated file, which makes git keep one side whole instead of
    leaving conflict markers, and `linguist-generated`, which folds the file in reviews. A folder
    with nothing else in it is named as a whole, so that most edits of a spec do not change the
    text. The name of the `package` is `*`: another branch may have renamed it. People may add lines of their own: the last line never changes, so that git and we can
    merge what they append. (gitattributes(5); github-linguist, "Overrides".)
    """
    files = [*files]
    copies = [f"/{file.path}" for file in files if file.data is not None]
    generated = [re.sub(rf"(?<=/){package}(?=/)", "*", pattern) for pattern in _patterns(files)]
    patterns = [*generated, f"/{RECORDS}/**"]
    # The line ends of these are their own.
    lines = [f"{_quoted(path)} -text\n" for path in (*copies, f"/{RECORDS}/**")]
    lines += [f"{_quoted(pattern)} -merge linguist-generated\n" for pattern in patterns]
    return RenderedFile(PATH, Owner.MERGED, _HEAD + "".join(lines), "mcp-scaffold")


def _patterns(files: list[RenderedFile]) -> Iterator[str]:
    """Yield the patterns of the generated files: their folders, and files in other folders."""
    theirs = {
        folder
        for file in files
        if file.owner is not Owner.GENERATED
        for folder in file.path.folders
    }
    result = {
        next((f"{folder}/**" for folder in file.path.folders if folder not in theirs), file.path)
        for file in files
        if file.owner is Owner.GENERATED
    }
    yield from (f"/{path}" for path in sorted(result))


def _quoted(pattern: str) -> str:
    """Return a pattern as git reads it: with quotes around spaces, and no brackets that match."""
    escaped = pattern.replace("[", "\\[")
    return '"' + escaped.replace("\\", "\\\\") + '"' if " " in pattern else escaped
