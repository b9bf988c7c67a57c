"""Detect renamed entries between two versions of a spec, and what they rename in a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from scaffold.base.files import Owner, RelPath, RenderedFiles
from scaffold.disk.lock import Lock
from scaffold.disk.moves import Renames
from scaffold.languages.python.handlers import Named, handlers, named
from scaffold.languages.python.names import TYPE_SUFFIXES, package_name
from scaffold.project.compare import paired
from scaffold.spec.format import Prompt, Spec, Tool

_TYPES = "_generated.contract"
"""The module of the generated types, relative to the package."""

Pair: TypeAlias = tuple[Named, Named]
"""A handler before and after."""

Key: TypeAlias = tuple[str | None, str | None]
"""The key that identifies a file: its template and its spec entry."""


def renames(
    old: Spec | None,
    new: Spec,
    wanted: RenderedFiles,
    lock: Lock,
) -> Renames:
    """Return what the edit from `old` to `new` renames in the project that the lock describes.

    Without `old`, only the paths of files are known to have changed, from the ids in the lock.
    """
    orphans = {entry.id for entry in lock.files.values() if entry.orphan and entry.id}
    now = named(new)
    pairs = [*_pairs(old, new, now)] if old else []
    adopted = [*_adopted(new, now, orphans)]
    paths = _moved(pairs, wanted, lock, orphan=False)
    back = _moved(adopted, wanted, lock, orphan=True)
    free = {was: path for was, path in back.items() if path not in paths.values()}
    package = package_name((old or new).name), package_name(new.name)
    names = _new_names(package, new, [*adopted, *pairs])
    return Renames({**free, **paths}, package, names)


def _pairs(old: Spec, new: Spec, handlers: Iterable[Named]) -> Iterator[Pair]:
    """Yield the handlers of entries in both specs; `handlers` are those of the new one."""
    before = {one.entry.pointer: one for one in named(old)}
    now = {one.entry.pointer: one for one in handlers}
    for key, entries in new.entries.items():
        for was, entry in paired(old.entries[key], entries):
            if was and entry and was.pointer in before and entry.pointer in now:
                yield before[was.pointer], now[entry.pointer]


def _adopted(new: Spec, now: Sequence[Named], orphans: Collection[str]) -> Iterator[Pair]:
    """Yield handlers that take an orphaned file back: by `renamedFrom`, or by their own name."""
    for one in now:
        entry = one.entry
        names = (entry.renamed_from, entry.name)
        name = next((n for n in names if n and f"{one.folder}/{n}" in orphans), None)
        if name and isinstance(entry, Tool | Prompt):
            [was] = named(new, [entry.model_copy(update={"name": name})])
            yield was, one


def _moved(
    pairs: Sequence[Pair], wanted: RenderedFiles, lock: Lock, orphan: bool
) -> Mapping[RelPath, RelPath]:
    """Return the new paths of the user's files by the old ones, matched by template and entry."""
    former = {after.id: before.id for before, after in pairs}
    lie = _unique(
        ((entry.template, entry.id), path)
        for path, entry in lock.files.items()
        if entry.template and entry.orphan is orphan
    )
    shall_lie = _unique(
        ((file.template, former.get(file.id or "", file.id)), path)
        for path, file in wanted.items()
        if file.owner is not Owner.GENERATED
    )
    return {old: shall_lie[key] for key, old in lie.items() if shall_lie.get(key, old) != old}


def _new_names(package: tuple[str, str], spec: Spec, pairs: Sequence[Pair]) -> dict[str, str]:
    """Return the new dotted names of modules, functions and types, by old dotted name.

    `package` is the old and the new name of the package; `pairs` are handlers before and after.
    The names of their types, nested ones too, begin with the name of the handler's.
    """
    before, now = package
    names: dict[str, str] = {}
    for was, one in pairs:
        if was.function != one.function:
            module = f"{before}.{was.folder}.{was.function}"
            new_module = f"{now}.{one.folder}.{one.function}"
            names[module] = new_module
            names[f"{module}.{was.function}"] = f"{new_module}.{one.function}"
    if all(was.type_name == one.type_name for was, one in pairs):
        return names
    types: dict[str, set[str]] = {}
    nested = {one.id: one.type_names for one in handlers(spec, now)}
    for was, one in pairs:
        own = (one.type_name + end for end in TYPE_SUFFIXES)
        for name in {*own, *nested[one.id]}:
            former = was.type_name + name.removeprefix(one.type_name)
            types.setdefault(former, set()).add(name)
    certain = {former: name for former, (name, *others) in types.items() if not others}
    return names | {
        f"{before}.{_TYPES}.{former}": f"{now}.{_TYPES}.{name}"
        for former, name in certain.items()
        if former != name
    }


def _unique(rows: Iterable[tuple[Key, RelPath]]) -> dict[Key, RelPath]:
    """Return the paths of keys that exactly one file has."""
    rows = tuple(rows)
    uses = Counter(key for key, _ in rows)
    return {key: path for key, path in rows if uses[key] == 1}
