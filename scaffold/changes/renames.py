"""Detect renamed entries between two versions of a spec, and what they rename in a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from scaffold.base.files import Owner, RelPath, RenderedFiles
from scaffold.changes.compare import paired
from scaffold.disk.lock import Lock
from scaffold.disk.moves import Renames
from scaffold.format.spec import Prompt, Spec, Tool
from scaffold.languages.language import Language, Named, Pair

Key: TypeAlias = tuple[str | None, str | None]
"""The key that identifies a file: its template and its spec entry."""


def renames(
    old: Spec | None,
    new: Spec,
    wanted: RenderedFiles,
    lock: Lock,
    language: Language,
) -> Renames:
    """Return what the edit from `old` to `new` renames in the project that the lock describes.

    Without `old`, only the paths of files are known to have changed, from the ids in the lock.
    """
    orphans = {entry.id for entry in lock.files.values() if entry.orphan and entry.id}
    now = language.named(new)
    pairs = [*_pairs(old, new, language.named(old), now)] if old else []
    adopted = [*_adopted(new, now, orphans, language)]
    paths = _moved(pairs, wanted, lock, orphan=False)
    back = _moved(adopted, wanted, lock, orphan=True)
    free = {old: path for old, path in back.items() if path not in paths.values()}
    package = language.package_name((old or new).name), language.package_name(new.name)
    names = language.new_names(package, new, [*adopted, *pairs])
    return Renames({**free, **paths}, package, names)


def _pairs(
    old: Spec, new: Spec, before: Iterable[Named], handlers: Iterable[Named]
) -> Iterator[Pair]:
    """Yield the old and the new handler of each entry that is in both specs."""
    handlers_before = {handler.entry.pointer: handler for handler in before}
    now = {handler.entry.pointer: handler for handler in handlers}
    for key, entries in new.entries.items():
        for former, entry in paired(old.entries[key], entries):
            if former and entry and former.pointer in handlers_before and entry.pointer in now:
                yield handlers_before[former.pointer], now[entry.pointer]


def _adopted(
    new: Spec, now: Sequence[Named], orphans: Collection[str], language: Language
) -> Iterator[Pair]:
    """Yield handlers that reuse an orphaned file: by `renamedFrom`, or by their own name."""
    for handler in now:
        entry = handler.entry
        names = (entry.renamed_from, entry.name)
        name = next((n for n in names if n and f"{handler.folder}/{n}" in orphans), None)
        if name and isinstance(entry, Tool | Prompt):
            [former] = language.named(new, [entry.model_copy(update={"name": name})])
            yield former, handler


def _moved(
    pairs: Sequence[Pair], wanted: RenderedFiles, lock: Lock, orphan: bool
) -> Mapping[RelPath, RelPath]:
    """Map old paths of the user's files to new ones, matched by template and entry."""
    former = {after.id: before.id for before, after in pairs}
    paths = _unique(
        ((entry.template, entry.id), path)
        for path, entry in lock.files.items()
        if entry.template and entry.orphan is orphan
    )
    targets = _unique(
        ((file.template, former.get(file.id or "", file.id)), path)
        for path, file in wanted.items()
        if file.owner is not Owner.GENERATED
    )
    return {old: targets[key] for key, old in paths.items() if targets.get(key, old) != old}


def _unique(rows: Iterable[tuple[Key, RelPath]]) -> dict[Key, RelPath]:
    """Return the paths of keys that exactly one file has."""
    rows = tuple(rows)
    uses = Counter(key for key, _ in rows)
    return {key: path for key, path in rows if uses[key] == 1}
