"""Find user code that imports generated modules or names that the spec no longer asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.files import Owner, RelPath
from scaffold.disk.decision import Action
from scaffold.disk.moves import user_code
from scaffold.disk.plan import Plan
from scaffold.disk.step import Step
from scaffold.disk.tree import Tree, along
from scaffold.languages.files import CodeFiles


def gone(plan: Plan, root: Path, language: CodeFiles) -> Iterator[Diagnostic]:
    """Yield a warning for each import in user code of a module that goes, or of a name in it.

    Modules go if the plan deletes them, or moves them without their folder.
    """
    names: dict[RelPath, frozenset[str]] = {}
    lost: dict[RelPath, frozenset[str]] = {}
    moved: dict[RelPath, RelPath] = {}
    for step in plan.steps:
        if not language.is_source(step.path):
            continue
        old = RelPath(along(step.source or step.path, plan.moving))
        is_generated = step.owner is Owner.GENERATED
        if step.after is not None:
            names[step.path] = language.definitions(step.after) if is_generated else frozenset()
        if step.before and step.action.writes:
            if old != step.path:
                moved[old] = step.path
            if is_generated or old != step.path or step.after is None:
                imported = {one.name for one in language.imports(_decoded(step.after or b""))}
                lost[old] = language.definitions(step.before.data) - imported
    lost = {path: found - names.get(path, frozenset()) for path, found in lost.items()}
    for path, text in _texts(plan.steps, root, language) if lost else ():
        for module, name, line in language.imports(text, path):
            for file, found in lost.items():
                if file in names:
                    is_lost, what = name in found and _names(module, file), f"`{name}`, which "
                    what += f"`{file}` no longer has"
                else:
                    meant = [one for one in (module, f"{module}/{name}") if _names(one, file)]
                    others = (other for other in names if any(_names(m, other) for m in meant))
                    is_lost, what = bool(meant) and not any(others), f"`{file}`, which is gone"
                if is_lost:
                    homes = (other for other, has in names.items() if name in has)
                    now = moved.get(file) or next(homes, None)
                    hint = f"import it from `{now}`" if now else "edit the import"
                    message, place = f"`{path}` imports {what}", Place(str(root / path), line)
                    yield Diagnostic("gone-name", message, place, hint, Severity.WARNING)


def _names(module: str, path: RelPath) -> bool:
    """Return whether a module of two words or more may be the one at a path."""
    return "/" in module and f"/{path.rpartition('.')[0]}".endswith(f"/{module}")


def unread(steps: Sequence[Step], root: Path, language: CodeFiles) -> Iterator[Diagnostic]:
    """Yield a warning for each owned file that would now import the settings, had nobody edited it.

    This is for the run in which the first variable arrives. The same goes for the HTTP API.
    """
    for step in steps:
        if step.owner is not Owner.OWNED or not step.wanted or step.path.startswith("tests/"):
            continue
        if not language.is_source(step.path):
            continue
        kept = _decoded(step.after or b"")
        for module, (what, hint) in _SHARED.items():
            if _uses(step.wanted.text, module, language) and not _uses(kept, module, language):
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


def _uses(text: str, module: str, language: CodeFiles) -> bool:
    return any(one.module.endswith(f"/{module}") for one in language.imports(text))


def _texts(steps: Sequence[Step], root: Path, language: CodeFiles) -> Iterator[tuple[RelPath, str]]:
    """Yield the user's code as it will be after the run, except files in conflict or left over."""
    for step in steps:
        is_code = step.owner is not Owner.GENERATED and language.is_source(step.path)
        is_used = step.action not in (Action.CONFLICT, Action.ORPHAN)
        if is_code and is_used and step.after is not None:
            yield step.path, _decoded(step.after)
    seen = {path for step in steps for path in (step.path, step.source)}
    owned = [step.path for step in steps if step.owner is Owner.OWNED]
    for path in user_code(owned, Tree(root), language):
        if path not in seen:
            yield path, _text(root / path)


def _text(file: Path) -> str:
    with suppress(OSError):
        return _decoded(file.read_bytes())
    return ""


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")
