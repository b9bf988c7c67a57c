"""Find user code that imports generated modules or names that the spec no longer asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, Severity
from scaffold.disk.decision import Action
from scaffold.disk.moves import user_code
from scaffold.disk.step import Step
from scaffold.files import Owner, RelPath
from scaffold.language import Language

SETTINGS = "_generated/settings"
"""The end of the path of the settings module, without a suffix."""

_TYPES = "models"
"""The module of the types, which keeps a placeholder for each name that is gone."""


def importers(
    steps: Sequence[Step], root: Path, language: Language, module: str
) -> tuple[RelPath, ...]:
    """Return the user's files that will import a generated module that is there until now.

    The path of the module ends with `module`. The answer is the same before and after the run of
    these steps: it depends only on the code that the run leaves.
    """
    ours = [step.path for step in steps if step.owner is Owner.GENERATED]
    if not any(_is_module(path, module, language) for path in ours):
        return ()
    dotted = module.replace("/", ".")
    return tuple(
        path
        for path, text in _texts(steps, root, language)
        if any(f".{dotted}." in f".{one.module}.{one.name}." for one in language.imports(text))
    )


def gone(steps: Sequence[Step], root: Path, language: Language) -> Iterator[Diagnostic]:
    """Yield a warning for each name that user code imports and generated modules lose."""
    generated = [
        step for step in steps if step.owner is Owner.GENERATED and language.is_source(step.path)
    ]
    kept = {name for step in generated for name in language.definitions(step.after or b"")}
    lost = {
        name: step.path
        for step in generated
        if step.action.writes and step.before
        for name in language.definitions(step.before.data) - kept
    }
    if not lost:
        return
    undecided = {step.path for step in steps if step.action is Action.CONFLICT}
    for path, text in _texts(steps, root, language):
        if path in undecided or lost.keys().isdisjoint(re.findall(r"\w+", text)):
            continue
        for module, name, line in language.imports(text):
            if name in lost and "_generated" in module.split("."):
                yield _warning(path, name, lost[name], line, root, language)


def unread(steps: Sequence[Step], root: Path, language: Language) -> Iterator[Diagnostic]:
    """Yield a warning for each owned file that would now import the settings, had nobody edited it.

    This is for the run in which the first variable arrives.
    """
    for step in steps:
        if step.owner is Owner.OWNED and step.wanted and language.is_source(step.path):
            kept = _decoded(step.after or b"")
            if _reads_settings(step.wanted.text, language) and not _reads_settings(kept, language):
                message = f"`{step.path}` was edited, and does not read the settings yet"
                hint = (
                    "add `settings: Settings` to `Shared`, and yield "
                    "`Shared(Settings.from_environment())`"
                )
                place = Place(str(root / step.path))
                yield Diagnostic("unread-settings", message, place, hint, Severity.WARNING)


def _reads_settings(text: str, language: Language) -> bool:
    dotted = SETTINGS.replace("/", ".")
    return any(one.module.endswith(f".{dotted}") for one in language.imports(text))


def retained(step: Step, importers: Sequence[RelPath], root: Path, language: Language) -> Step:
    """Return the step, with a warning if it keeps the settings module for files that import it.

    The lock marks the file as an orphan, so each run checks whether it is still imported.
    """
    if not (_is_module(step.path, SETTINGS, language) and step.wanted and step.entry):
        return step
    message = (
        f"`{step.path}` has no variables any more, and stays while `{importers[0]}` imports it"
    )
    hint = "remove the import, and the next run removes the file"
    place = Place(str(root / importers[0]))
    problem = Diagnostic("kept-settings", message, place, hint, Severity.WARNING)
    entry = replace(step.entry, orphan=True)
    return replace(step, entry=entry, problem=step.problem or problem)


def _is_module(path: RelPath, module: str, language: Language) -> bool:
    folder = path.rpartition("/")[0]
    return f"{folder}/{language.module(path)}".endswith(f"/{module}")


def _texts(steps: Sequence[Step], root: Path, language: Language) -> Iterator[tuple[RelPath, str]]:
    """Yield the user's code as it will be after the run; a file in conflict stays as it is."""
    for step in steps:
        found = step.before.data if step.before else None
        after = found if step.action is Action.CONFLICT else step.after
        is_code = step.owner is not Owner.GENERATED and language.is_source(step.path)
        if is_code and after is not None:
            yield step.path, _decoded(after)
    seen = {path for step in steps for path in (step.path, step.source)}
    owned = [step.path for step in steps if step.owner is Owner.OWNED]
    for path in user_code(owned, root, language):
        if path not in seen:
            yield path, _text(root / path)


def _text(file: Path) -> str:
    with suppress(OSError):
        return _decoded(file.read_bytes())
    return ""


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _warning(
    path: RelPath, name: str, module: RelPath, line: int, root: Path, language: Language
) -> Diagnostic:
    where = module[module.find("_generated/") :]  # the package may have another name now
    message = f"`{path}` imports `{name}`, which `{where}` no longer has"
    hint = "edit it; a type checker shows each use"
    if language.module(module) != _TYPES:
        hint = "edit it: until then the server cannot start"
    return Diagnostic("gone-name", message, Place(str(root / path), line), hint, Severity.WARNING)
