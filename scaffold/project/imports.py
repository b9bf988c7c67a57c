"""Find user code that imports generated modules or names that the spec no longer asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.files import Owner, RelPath
from scaffold.disk.decision import Action
from scaffold.disk.moves import user_code
from scaffold.disk.step import Step
from scaffold.disk.tree import Tree
from scaffold.languages.python import modules as python


def gone(steps: Sequence[Step], root: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each import in user code of what a generated module loses.

    The same goes for modules. A name that another generated module has now is lost too.
    """
    modules = [
        step for step in steps if step.owner is Owner.GENERATED and python.is_source(step.path)
    ]
    lost: dict[str, set[str]] = {}
    kept: dict[str, set[str]] = {}
    for step in modules:
        if step.action.writes and step.before:
            module = _within(step.source or step.path)
            lost.setdefault(module, set()).update(python.definitions(step.before.data))
    for step in modules:
        if (module := _within(step.path)) in lost and step.after is not None:
            found = {one.name for one in python.imports(_decoded(step.after))}
            kept.setdefault(module, found).update(python.definitions(step.after))
    lost = {
        module: names - kept.get(module, set())
        for module, names in lost.items()
        if module not in kept or names - kept[module]
    }
    if not lost:
        return
    for path, text in _texts(steps, root):
        if "_generated" not in text:
            continue
        for module, name, line in python.imports(text):
            _, generated, within = f".{module}.".partition("._generated.")
            if not generated:
                continue
            inside = within.strip(".")
            if file := _file(inside, lost):
                if file not in kept or name in lost[file]:
                    yield _warning(path, name, file, line, root, modules)
            elif (file := _file(f"{inside}.{name}".strip("."), lost)) and file not in kept:
                yield _warning(path, "", file, line, root, modules)


def _within(path: RelPath) -> str:
    """Return the path of a generated module, without what is before `_generated/`."""
    return path[max(path.find("_generated/"), 0) :]


def moved(steps: Sequence[Step], root: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each import in user code of a module elsewhere that moves or goes."""
    gone: dict[RelPath, RelPath | None]
    gone = {step.source: step.path for step in steps if step.source and step.action.writes}
    gone |= {step.path: None for step in steps if step.action is Action.DELETE}
    kept = {step.path for step in steps if step.action is not Action.DELETE}
    gone = {
        path: now
        for path, now in gone.items()
        if python.is_source(path) and path not in kept and "_generated/" not in path
    }
    if not gone:
        return
    for path, text in _texts(steps, root):
        for module, name, line in python.imports(text, path):
            for dotted in filter(None, (module, f"{module}.{name}" if name else "")):
                old = next((old for old in gone if _names(dotted, old)), None)
                if old and not any(_names(dotted, other) for other in kept):
                    message = f"`{path}` imports `{old}`, which is gone"
                    hint = f"import it from `{gone[old]}`" if gone[old] else "remove the import"
                    place = Place(str(root / path), line)
                    yield Diagnostic("gone-name", message, place, hint, Severity.WARNING)


def _names(dotted: str, path: RelPath) -> bool:
    """Return whether a dotted name of two words or more may be that of the module at a path."""
    module = path.rpartition(".")[0].replace("/", ".")
    return "." in dotted and f".{module}".endswith(f".{dotted}")


def _file(dotted: str, files: Iterable[str]) -> str | None:
    """Return the file of a generated module."""
    start = f"_generated/{dotted.replace('.', '/')}."
    return next((file for file in files if file.startswith(start)), None)


def unread(steps: Sequence[Step], root: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each owned file that would now import the settings, had nobody edited it.

    This is for the run in which the first variable arrives. The same goes for the HTTP API.
    """
    for step in steps:
        if step.owner is not Owner.OWNED or not step.wanted or step.path.startswith("tests/"):
            continue
        if not python.is_source(step.path):
            continue
        kept = _decoded(step.after or b"")
        for module, (what, hint) in _SHARED.items():
            if _uses(step.wanted.text, module) and not _uses(kept, module):
                message = f"`{step.path}` was edited, and does not {what} yet"
                place = Place(str(root / step.path))
                yield Diagnostic("unread-settings", message, place, hint, Severity.WARNING)


_SHARED = {
    "_generated/settings": (
        "read the settings",
        "add `settings: Settings` to `Shared`, and yield `Shared(Settings.from_environment())`",
    ),
    "api": (
        "open the API",
        "add `api: Api` to `Shared`, and yield it `async with connected(settings) as api`",
    ),
}
"""What owned files share, by the module that they import for it."""


def _uses(text: str, module: str) -> bool:
    dotted = module.replace("/", ".")
    return any(one.module.endswith(f".{dotted}") for one in python.imports(text))


def _texts(steps: Sequence[Step], root: Path) -> Iterator[tuple[RelPath, str]]:
    """Yield the user's code as it will be after the run, except files in conflict."""
    for step in steps:
        is_code = step.owner is not Owner.GENERATED and python.is_source(step.path)
        if is_code and step.after is not None and step.action is not Action.CONFLICT:
            yield step.path, _decoded(step.after)
    seen = {path for step in steps for path in (step.path, step.source)}
    owned = [step.path for step in steps if step.owner is Owner.OWNED]
    for path in user_code(owned, Tree(root), python):
        if path not in seen:
            yield path, _text(root / path)


def _text(file: Path) -> str:
    with suppress(OSError):
        return _decoded(file.read_bytes())
    return ""


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _warning(
    path: RelPath,
    name: str,
    file: str,
    line: int,
    root: Path,
    modules: Iterable[Step],
) -> Diagnostic:
    message = f"`{path}` imports `{name}`, which `{file}` no longer has"
    if not name:
        message = f"`{path}` imports `{file}`, which no longer exists"
    hint = "edit it: otherwise the server cannot start"
    if now := [s.path for s in modules if name in python.definitions(s.after or b"")]:
        hint = f"import it from `{_within(now[0])}`: otherwise the server cannot start"
    return Diagnostic("gone-name", message, Place(str(root / path), line), hint, Severity.WARNING)
