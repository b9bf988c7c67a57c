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
from scaffold.spec.format import Entry, Prompt, Spec, Tool

_ENTRIES = ("tools", "resources", "resource_templates", "prompts")
"""The lists of a spec whose entries have handlers."""

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
    pairs = [*_pairs(named(old), now)] if old else []
    adopted = [*_adopted(new, now, orphans)]
    paths = _moved(pairs, wanted, lock, orphan=False)
    back = _moved(adopted, wanted, lock, orphan=True)
    free = {was: path for was, path in back.items() if path not in paths.values()}
    package = package_name((old or new).name), package_name(new.name)
    names = _new_names(package, new, [*adopted, *pairs])
    return Renames({**free, **paths}, package, names)


def _pairs(old: Sequence[Named], new: Sequence[Named]) -> Iterator[Pair]:
    """Yield the handlers in both specs, matched by `renamedFrom`, name or what they answer."""
    before = {(one.kind, one.about): one for one in old}
    named: dict[tuple[str, str | None], Named] = {(o.kind, o.entry.name): o for o in old}
    after = {(one.kind, one.about): one for one in new}
    gone = [one for key, one in before.items() if key not in after]
    by_name: dict[tuple[str, str | None], Named] = {(o.kind, o.entry.name): o for o in gone}
    for key, one in after.items():
        if was := _renamed(one, before.get(key), named):
            by_name.pop((was.kind, was.entry.name), None)
            yield was, one
            continue
        alike = None if key in before else by_name.pop((one.kind, one.entry.name), None)
        if was := alike or before.get(key):
            yield was, one
            continue
        back = [
            o for o in by_name.values() if (o.kind, o.entry.renamed_from) == (one.kind, one.about)
        ]
        if len(back) == 1:  # the rename is taken back
            yield by_name.pop((one.kind, back[0].entry.name)), one


def _renamed(
    one: Named, same: Named | None, named: Mapping[tuple[str, str | None], Named]
) -> Named | None:
    """Return the former handler of an entry that this edit renames; its old name may be taken now.

    `same` is the former entry of the name that it has.
    """
    if same and same.entry.renamed_from == one.entry.renamed_from:
        return None
    return named.get((one.kind, one.entry.renamed_from))


def _adopted(new: Spec, now: Sequence[Named], orphans: Collection[str]) -> Iterator[Pair]:
    """Yield handlers that take an orphaned file back: by `renamedFrom`, or by their own name."""
    for one in now:
        entry = one.entry
        names = (entry.renamed_from, entry.name)
        name = next((n for n in names if n and f"{one.kind}/{n}" in orphans), None)
        if name and (was := _alone(new, entry, name)):
            yield was, one


def _alone(new: Spec, entry: Entry, name: str) -> Named | None:
    """Return the handler of a tool or a prompt under a name, in a spec with nothing else."""
    if not isinstance(entry, Tool | Prompt):
        return None
    key = "tools" if isinstance(entry, Tool) else "prompts"
    entries = {**dict.fromkeys(_ENTRIES, ()), key: (entry.model_copy(update={"name": name}),)}
    return next(iter(named(new.model_copy(update=entries))), None)


def _moved(
    pairs: Sequence[Pair], wanted: RenderedFiles, lock: Lock, orphan: bool
) -> Mapping[RelPath, RelPath]:
    """Return the new paths of the user's files by the old ones, matched by template and entry."""
    former = {_id(after): _id(before) for before, after in pairs}
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


def _new_names(
    package: tuple[str, str], spec: Spec, pairs: Iterable[tuple[Named, Named]]
) -> dict[str, str]:
    """Return the new dotted names of modules, functions and types, by old dotted name.

    `package` is the old and the new name of the package; `pairs` are handlers before and after.
    The names of their types, nested ones too, begin with the name of the handler's.
    """
    before, now = package
    names: dict[str, str] = {}
    types: dict[str, set[str]] = {}
    pairs = tuple(pairs)
    nested = _types(spec) if pairs else {}
    for was, one in pairs:
        if was.function != one.function:
            module = f"{before}.{was.kind}.{was.module}"
            new_module = f"{now}.{one.kind}.{one.module}"
            names[module] = new_module
            names[f"{module}.{was.function}"] = f"{new_module}.{one.function}"
        own = (one.type_name + end for end in TYPE_SUFFIXES)
        for name in {*own, *nested.get((one.kind, one.about), ())}:
            former = was.type_name + name.removeprefix(one.type_name)
            types.setdefault(former, set()).add(name)
    certain = {former: name for former, (name, *others) in types.items() if not others}
    return names | {
        f"{before}.{_TYPES}.{former}": f"{now}.{_TYPES}.{name}"
        for former, name in certain.items()
        if former != name
    }


def _types(spec: Spec) -> Mapping[tuple[str, str], frozenset[str]]:
    """Return the names that begin with that of their handler, by the handler."""
    return {
        (one.kind, one.about): frozenset(
            name
            for types in typed.types
            for name in types.names.values()
            if name.startswith(one.type_name)
        )
        for one, typed in zip(named(spec), handlers(spec, ""), strict=True)
    }


def _id(one: Named) -> str:
    """Return the id of a handler's spec entry, as the lock has it."""
    return f"{one.kind}/{one.about}"


def _unique(rows: Iterable[tuple[Key, RelPath]]) -> dict[Key, RelPath]:
    """Return the paths of keys that exactly one file has."""
    rows = tuple(rows)
    uses = Counter(key for key, _ in rows)
    return {key: path for key, path in rows if uses[key] == 1}
