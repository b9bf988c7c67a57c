"""Formatted texts of the last run, reused for files whose template output is unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.bases import read_bases
from scaffold.disk.lock import Entry, sha256
from scaffold.disk.tree import Tree
from scaffold.files import RelPath, RenderedFile, RenderedFiles


def formatted_before(
    files: RenderedFiles, last: Mapping[RelPath, Entry], root: Path
) -> dict[RelPath, str]:
    """Return the formatted text of each file whose template output is unchanged.

    The lock has only hashes, so the text is read from the project at `root`. Files that were edited
    or deleted are left out, except merged ones: their bases are known. None is reused
    if there are other modules at the top now: which imports are the project's own depends on them.
    """
    if _top(files) != _top(path for path, entry in last.items() if not entry.orphan):
        return {}
    tree = Tree(root)
    bases = read_bases(tree)
    texts = {
        path: _text(file, entry, tree, bases)
        for path, file in files.items()
        if (entry := last.get(path))
        and file.data is None
        and not file.as_written
        and sha256(file.text) == (entry.source or entry.sha256)
    }
    return {path: text for path, text in texts.items() if text is not None}


def _text(file: RenderedFile, entry: Entry, tree: Tree, bases: Mapping[RelPath, str]) -> str | None:
    if entry.source is None:
        return file.text
    if (base := bases.get(file.path)) and sha256(base) == entry.sha256:
        return base
    with suppress(ScaffoldError):  # the plan reports it
        found = tree.read(file.path)
        if found and found.sha256 == entry.sha256:
            return (found.text() or "").replace("\r\n", "\n")
    return None


def _top(paths: Iterable[RelPath]) -> set[str]:
    """Return the names at the top of the project, and in `src`."""
    return {path.removeprefix("src/").partition("/")[0] for path in paths}
