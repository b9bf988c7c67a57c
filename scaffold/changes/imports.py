"""Find user code that imports modules or names of ours that do not exist."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.files import Owner, RelPath
from scaffold.disk.lock import read as read_lock
from scaffold.disk.tree import along, is_within
from scaffold.languages.files import CodeFiles, Import
from scaffold.project.inputs import code_files_of

if TYPE_CHECKING:  # not needed if nothing has changed
    from scaffold.disk.plan import Plan
    from scaffold.disk.step import Step


def unresolved(
    root: Path,
    paths: Collection[RelPath],
    generated: Collection[RelPath],
    read: Callable[[RelPath], bytes],
    language: CodeFiles,
    skipped: Collection[RelPath],
    moved: Mapping[RelPath, RelPath] = MappingProxyType({}),
) -> Iterator[Diagnostic]:
    """Yield a warning for each import in user code of a module or a name of ours that is missing.

    `paths` are the project's code, some of which is `generated`; `skipped` are not searched.
    `moved` are new paths of files by the old ones, for hints. This covers names that an update
    removes, and merges of two branches that break without a conflict.
    """
    homes = {path[: path.index(_INSIDE)] for path in generated if _INSIDE in path}
    for home in sorted(homes):
        project = _Code(home, frozenset(paths), frozenset(generated), read, language)
        for path in sorted({*paths} - {*generated} - {*skipped}):
            text = _decoded(read(path))
            if not any(map(project.missing, language.possible_imports(text, path))):
                continue
            for each in language.imports(text, path):
                if missing := project.missing(each):
                    file, subject = missing
                    now = moved.get(file) or project.home_of(each.name, file)
                    hint = f"import it from `{now}`" if now else "edit the import"
                    message = f"`{path}` imports {subject}"
                    place = Place(str(root / path), each.line)
                    yield Diagnostic("gone-name", message, place, hint, Severity.WARNING)


_INSIDE = "/_generated/"
"""The part that the paths of generated modules have in common."""


@dataclass(frozen=True)
class _Code:
    """The code of a project: `home` is the folder of the server's package."""

    home: str
    paths: frozenset[RelPath]
    generated: frozenset[RelPath]
    read: Callable[[RelPath], bytes]
    language: CodeFiles
    defined: dict[RelPath, frozenset[str]] = field(default_factory=dict)
    imported: dict[RelPath, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def suffix(self) -> str:
        """The suffix of a module."""
        return "." + next(iter(self.generated)).rpartition(".")[2]

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders with code."""
        return frozenset(folder for path in self.paths for folder in path.folders)

    def missing(self, imported: Import) -> tuple[RelPath, str] | None:
        """Return the generated file that an import needs, and the name that is missing, if any."""
        module, name = imported.module, imported.name
        parent, _, package = self.home.rpartition("/")
        if module.partition("/")[0] == package or (_INSIDE in f"{module}/" and parent):
            module = module if is_within(module, parent) else f"{parent}/{module}".strip("/")
        if not (is_within(module, self.home) or _INSIDE in f"{module}/"):
            return None
        inner = f"{module}/{name}"
        if name and is_within(inner, self.home) and self._is_module(inner):
            return None
        file = RelPath(f"{module}{self.suffix}")
        if file in self.generated:
            is_defined = not name or name == "*" or self._has(file, name)
            return None if is_defined else (file, f"`{name}`, which `{file}` does not have")
        if self._is_module(module):
            top = self.language.package(file)
            if not name or name == "*" or module not in self.folders:
                return None
            if top in self.paths and self._has(top, name, "*"):
                return None
            file = RelPath(f"{module}/{name}{self.suffix}")
        return file, f"`{file}`, which does not exist"

    def home_of(self, name: str, file: RelPath) -> RelPath | None:
        """Return the generated module that defines a name now, instead of a file."""
        others = (path for path in sorted(self.generated) if path != file)
        return next((path for path in others if self._has(path, name)), None)

    def _is_module(self, module: str) -> bool:
        return module in self.folders or f"{module}{self.suffix}" in self.paths

    def _has(self, module: RelPath, *names: str) -> bool:
        """Return whether a module defines or imports one of the names."""
        if module not in self.defined:
            self.defined[module] = self.language.definitions(self.read(module))
        if not self.defined[module].isdisjoint(names):
            return True
        if module not in self.imported:
            imports = self.language.imports(_decoded(self.read(module)))
            self.imported[module] = frozenset(each.name for each in imports)
        return not self.imported[module].isdisjoint(names)


def code_of(root: Path, language: CodeFiles) -> Iterator[RelPath]:
    """Yield the paths of a project's code, except in hidden folders and virtual environments."""
    start = len(os.path.join(root, ""))
    for parent, folders, names in os.walk(root):
        if "pyvenv.cfg" in names:
            folders.clear()
            continue
        hidden = (".", "node_modules", "__pycache__")
        folders[:] = [folder for folder in folders if not folder.startswith(hidden)]
        for name in filter(language.is_source, names):
            with suppress(ValueError):  # a name that is not portable
                yield RelPath(os.path.join(parent, name)[start:].replace(os.sep, "/"))


def unresolved_now(root: Path) -> Iterator[Diagnostic]:
    """Yield what `unresolved` does for a project that is up to date.

    Files that are as they were written need no search: the modules that they import are there, too.
    """
    lock = read_lock(root)
    if lock is None:
        return
    language = code_files_of(lock)
    paths = [*code_of(root, language)]
    generated = [p for p in paths if p in lock.files and lock.files[p].owner is Owner.GENERATED]

    def read(path: RelPath) -> bytes:
        return _read(os.path.join(root, path))

    def needs_no_search(path: RelPath) -> bool:
        entry = lock.files.get(path)
        if entry is None or entry.owner is Owner.GENERATED:
            return entry is not None
        data = read(path).replace(b"\r\n", b"\n")
        return entry.orphan or hashlib.sha256(data).hexdigest() == entry.sha256

    skipped = {*filter(needs_no_search, paths)}
    if len(skipped) < len(paths):
        yield from unresolved(root, paths, generated, read, language, skipped)


def unresolved_after(plan: Plan, root: Path, language: CodeFiles) -> Iterator[Diagnostic]:
    """Yield what `unresolved` does for a project once the plan is carried out.

    Nothing is yielded while there are conflicts.
    """
    if plan.conflicts:
        return
    here = {RelPath(along(path, plan.moving)): path for path in code_of(root, language)}
    after = {step.path: step.after for step in plan.steps if language.is_source(step.path)}
    moved = {
        RelPath(along(step.source or step.path, plan.moving)): step.path
        for step in plan.steps
        if step.before and step.action.writes and step.after is not None and step.source
    }
    gone = {old for old, new in moved.items() if old != new} - after.keys()
    paths = [path for path in here.keys() - gone if after.get(path, b"") is not None]
    paths += [path for path, data in after.items() if data is not None and path not in here]
    generated = [s.path for s in plan.steps if s.owner is Owner.GENERATED and s.path in {*paths}]

    def read(path: RelPath) -> bytes:
        data = after.get(path)
        return _read(root / here[path]) if data is None else data

    orphans = [step.path for step in plan.orphans]
    yield from unresolved(root, paths, generated, read, language, orphans, moved)


def unread(
    steps: Sequence[Step], root: Path, language: CodeFiles, shared: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Yield a warning for each owned file that would now import a module, had nobody edited it.

    This is for the run in which the first variable arrives. `shared` are the modules, such as that
    of the settings, each with a hint.
    """
    for step in steps:
        is_code = language.is_source(step.path) and not step.path.startswith("tests/")
        if step.owner is not Owner.OWNED or not step.wanted or not is_code:
            continue
        kept = _decoded(step.after or b"")
        for module, hint in shared.items():
            if _uses(step.wanted.text, module, language) and not _uses(kept, module, language):
                message = f"`{step.path}` was edited, and does not import `{module}` yet"
                place = Place(str(root / step.path))
                yield Diagnostic("unread-settings", message, place, hint, Severity.WARNING)


def _uses(text: str, module: str, language: CodeFiles) -> bool:
    return any(imported.module.endswith(f"/{module}") for imported in language.imports(text))


def _read(file: str | Path) -> bytes:
    with suppress(OSError), open(file, "rb") as stream:
        return stream.read()
    return b""


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")
