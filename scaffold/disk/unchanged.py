"""Decide from the last run's hashes what can be skipped: everything, or formatting a file.

Most runs end here, so it imports nothing slow: no templates, no spec, no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import SPEC, Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.disk.decision import Action, decide
from scaffold.disk.lock import Entry, Lock, read_bases, sha256, state_of
from scaffold.disk.records import JOURNAL, LAST_SPEC
from scaffold.disk.tree import Tree, has_markers, is_replaced


def unchanged(
    root: Path,
    lock: Lock,
    version: str,
    inputs: Mapping[str, str],
    package: Callable[[RelPath], RelPath | None],
) -> bool:
    """Return whether a run from these inputs would write nothing, and report nothing.

    `version` and `inputs` are what a new lock would hold. If `lock` has the same, the wanted files
    are those written last, and only the disk is checked. `package` is that of `CodeFiles`.
    Raises ScaffoldError if a link or a folder is in the place of a file.
    """
    if lock.version != version or lock.inputs != inputs:
        return False
    tree = Tree(root)
    if tree.read(JOURNAL):
        return False
    spec = tree.read(LAST_SPEC)
    if SPEC in inputs and not (spec and spec.sha256 == inputs[SPEC]):
        return False
    bases = {path: sha256(text) for path, text in read_bases(tree).items()}
    return all(
        (entry.owner is not Owner.MERGED or entry.orphan or bases.get(path) == entry.sha256)
        and _is_as_written(tree, path, entry, package)
        for path, entry in lock.files.items()
    )


def formatted_before(
    files: RenderedFiles,
    last: Mapping[RelPath, Entry],
    root: Path,
    is_source: Callable[[str], bool],
) -> dict[RelPath, str]:
    """Return the formatted text of each file whose template output is unchanged.

    The lock has only hashes, so the text is read from the project at `root`. Files that were edited
    or deleted are left out, except merged ones: their bases are known. Nothing is reused if the
    top-level modules have changed: they decide which imports are the project's own.
    """
    modules = [path for path, entry in last.items() if not entry.orphan and is_source(path)]
    if _top(filter(is_source, files)) != _top(modules):
        return {}
    tree = Tree(root)
    bases = read_bases(tree)
    texts = {
        path: _formatted(file, entry, tree, bases)
        for path, file in files.items()
        if (entry := last.get(path))
        and file.data is None
        and not file.as_written
        and sha256(file.text) == (entry.source or entry.sha256)
    }
    return {path: text for path, text in texts.items() if text is not None}


def _is_as_written(
    tree: Tree,
    path: RelPath,
    entry: Entry,
    package: Callable[[RelPath], RelPath | None],
) -> bool:
    if entry.orphan and entry.id:  # the spec may name it in `renamedFrom`
        return False
    file = tree.read(path, entry.may_be_link)
    if entry.orphan and entry.owner is Owner.MERGED and file and entry.holds(file):
        return False  # a run reports it until somebody deletes it
    if file is None and entry.owner is Owner.OWNED and is_replaced(tree, path, package):
        return True
    wanted = None if entry.orphan else entry.state
    decision = decide(entry.owner, wanted, entry.state, state_of(file, entry))
    if decision.action not in (Action.UNCHANGED, Action.KEEP, Action.ORPHAN):
        return False
    is_theirs = not entry.orphan and entry.owner is not Owner.GENERATED
    return not (is_theirs and file and has_markers(file.data))


def _formatted(
    file: RenderedFile, entry: Entry, tree: Tree, bases: Mapping[RelPath, str]
) -> str | None:
    if entry.source is None:
        return file.text
    if (base := bases.get(file.path)) and sha256(base) == entry.sha256:
        return base
    with suppress(ScaffoldError):  # the plan reports it
        current = tree.read(file.path)
        if current and current.sha256 == entry.sha256:
            return (current.text() or "").replace("\r\n", "\n")
    return None


def _top(paths: Iterable[RelPath]) -> set[str]:
    """Return the names at the top of the project, and those in the folders there."""
    return {"/".join(path.split("/")[:2]) for path in paths}
