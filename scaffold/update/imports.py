"""What the user's code imports from generated modules, where the spec no longer asks for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, Severity
from scaffold.disk.lock import Entry, Lock
from scaffold.disk.moves import user_python
from scaffold.disk.step import Step
from scaffold.disk.swap import file_hash
from scaffold.disk.table import Action
from scaffold.files import Owner, RelPath

SETTINGS = "_generated/settings.py"

_DEFINED = re.compile(r"^(?:class|def|async def) (\w+)|^(\w+) *[:=(]", re.MULTILINE)


def importers(root: Path, lock: Lock, end: str) -> tuple[RelPath, ...]:
    """Return the user's files that import a generated module, given how its path ends."""
    if not any(path.endswith(f"/{end}") for path in lock.files):
        return ()
    module = end.removesuffix(".py").replace("/", ".")
    owned = [path for path, entry in lock.files.items() if entry.owner is Owner.OWNED]
    return tuple(
        path
        for path in user_python(owned, root)
        if not _is_as_written(root / path, lock.files.get(path))
        and any(
            f".{base}.{name}.".find(f".{module}.") >= 0 for base, name, _ in _imports(root / path)
        )
    )


def _is_as_written(file: Path, entry: Entry | None) -> bool:
    """Whether a file is a stub that nobody has touched, which changes with the spec."""
    return entry is not None and file_hash(file) == entry.sha256


def gone(steps: Iterable[Step], root: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each name that the user's code imports and generated modules lose."""
    steps = tuple(steps)
    lost = {
        name: step.path
        for step in steps
        if step.owner is Owner.GENERATED and step.path.endswith(".py") and step.action.writes
        for name in _defined(step.before.data if step.before else b"") - _defined(step.after or b"")
    }
    kept = {
        name
        for step in steps
        if step.owner is Owner.GENERATED and step.after
        for name in _defined(step.after)
    }
    lost = {name: path for name, path in lost.items() if name not in kept}
    if not lost:
        return
    for path, text in _texts(steps, root):
        if lost.keys().isdisjoint(re.findall(r"\w+", text)):
            continue
        for base, name, line in _imported(text):
            if name in lost and "_generated" in base.split("."):
                yield _warning(path, name, lost[name], line, root)


def _texts(steps: Sequence[Step], root: Path) -> Iterator[tuple[RelPath, str]]:
    """Yield the Python files of the user's, as they will be."""
    for step in steps:
        stays = step.after is not None and step.action is not Action.CONFLICT
        if stays and step.owner is not Owner.GENERATED and step.path.endswith(".py"):
            yield step.path, _decoded(step.after or b"")
    seen = {path for step in steps for path in (step.path, step.source)}
    owned = [step.path for step in steps if step.owner is Owner.OWNED]
    for path in user_python(owned, root):
        if path not in seen:
            with suppress(OSError):
                yield path, _decoded((root / path).read_bytes())


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def retained(step: Step, importers: Sequence[RelPath], root: Path) -> Step:
    """The step, where it keeps the settings for those who import them, as one that says so.

    The lock has the file as an orphan, so that each run looks whether it is still imported.
    """
    if not (step.path.endswith(f"/{SETTINGS}") and step.wanted and step.entry):
        return step
    message = (
        f"`{step.path}` has no variables any more, and stays while `{importers[0]}` imports it"
    )
    hint = "remove the import, and the next run removes the file"
    place = Place(str(root / importers[0]))
    problem = Diagnostic("kept-settings", message, place, hint, Severity.WARNING)
    entry = replace(step.entry, orphan=True)
    return replace(step, entry=entry, problem=step.problem or problem)


def _warning(path: RelPath, name: str, module: RelPath, line: int, root: Path) -> Diagnostic:
    where = module[module.find("_generated/") :]  # the package may have another name now
    message = f"`{path}` imports `{name}`, which `{where}` no longer has"
    hint = "edit it; a type checker shows each use"
    if not module.endswith("/contract.py"):  # which stands in for types that are gone
        hint = "edit it: until then the server cannot start"
    return Diagnostic("gone-name", message, Place(str(root / path), line), hint, Severity.WARNING)


def _defined(data: bytes) -> set[str]:
    """Return the names that a generated module defines at its top."""
    found = _DEFINED.findall(data.decode("utf-8", "replace").replace("\r\n", "\n"))
    return {one or other for one, other in found}


def _imports(file: Path) -> Iterator[tuple[str, str, int]]:
    try:
        yield from _imported(file.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError):
        return


def _imported(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield each module and name that a text imports, and the line; no name for a whole module."""
    try:
        nodes = [*ast.walk(ast.parse(text))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name, alias.lineno) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "", alias.lineno) for alias in node.names)
