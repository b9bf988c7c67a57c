"""Compare two versions of a spec and describe the changes that affect handlers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import zip_longest
from typing import TypeAlias, TypeVar

from msgspec import Struct

from scaffold.base.diagnostics.wording import cut, nearest
from scaffold.format.spec import (
    DomainError,
    Entry,
    Prompt,
    ResourceTemplate,
    Spec,
    Tool,
    Variable,
)
from scaffold.schema.describe import Description, describe
from scaffold.schema.index import Index
from scaffold.schema.keywords import without_texts
from scaffold.schema.mismatch import KINDS

Item: TypeAlias = Entry | DomainError | Variable
I = TypeVar("I", bound=Item)

_LISTED = 100
"""The maximum number of changes in the arguments or the result of a tool that are listed."""

_MAX_LENGTH = 60
"""The maximum length of the old and of the new description of a value."""

_MAX_PAIRS = 10_000  # pairs of names to compare; each takes about 10 µs


class How(StrEnum):
    """How an entry of the spec changed."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"


class EntryChange(Struct, frozen=True):
    """The effect of a spec edit on people who write handlers.

    `kind` is `tool`, `resource`, `resource template`, `prompt`, `error` or `variable`. `details`
    say what changed in its arguments and result, such as `+ language (required string)` or
    `hits[].score: at most 20 → at most 50`. `pointer` is the JSON Pointer of its name in the new
    spec, if it is there.
    """

    kind: str
    name: str
    how: How
    details: tuple[str, ...] = ()
    before: str | None = None
    """The old name, if it was renamed."""
    pointer: str | None = None


def compare(old: Spec, new: Spec) -> tuple[EntryChange, ...]:
    """Return all entries that were added, removed, renamed or changed for handlers, by kind."""
    before, now = lists(old), lists(new)
    return tuple(change for key in now for change in _compared(KINDS[key], before[key], now[key]))


def lists(spec: Spec) -> Mapping[str, Sequence[Item]]:
    """Return the lists of a spec whose items have names, by their keys."""
    return {**spec.entries, "errors": spec.errors, "env": spec.env}


def similar(changes: Sequence[EntryChange]) -> Iterator[tuple[str, EntryChange]]:
    """Yield the names of removed entries with added entries of similar names."""
    for kind in ("tool", "resource", "resource template", "prompt"):
        added = {c.name: c for c in changes if c.kind == kind and c.how is How.ADDED}
        gone = [c.name for c in changes if c.kind == kind and c.how is How.REMOVED]
        if len(added) * len(gone) > _MAX_PAIRS:
            continue
        for name in gone:
            if near := nearest(name, added):
                yield name, added.pop(near)


def paired(old: Sequence[I], new: Sequence[I]) -> Iterator[tuple[I | None, I | None]]:
    """Yield each entry before and after: those of the new list in order, then those that are gone.

    An entry is found by the former name that this edit gives it, by its name or its address, or by
    the former name that this edit takes away. A resource with another address is found by its name.
    """
    left = {identity(entry): entry for entry in old}
    named = {entry.name: entry for entry in old}
    kept = {identity(entry) for entry in new}
    gone = [entry for identity, entry in left.items() if identity not in kept]
    by_name = {entry.name: entry for entry in gone}
    taken_back = {_former_name(entry): entry for entry in gone}
    for entry in new:
        same = left.get(identity(entry))
        is_renamed = same is None or _former_name(same) != _former_name(entry)
        former = named.get(_former_name(entry) or "") if is_renamed else None
        former = former or same or by_name.get(entry.name) or taken_back.get(entry.name)
        yield left.pop(identity(former), None) if former else None, entry
    yield from ((entry, None) for entry in left.values())


def identity(entry: Item) -> str:
    """Return the identifier that clients use for an entry: its address, or else its name."""
    return entry.about if isinstance(entry, Entry) else entry.name


def _former_name(entry: Item) -> str | None:
    return entry.renamed_from if isinstance(entry, Entry) else None


def _compared(kind: str, old: Sequence[Item], new: Sequence[Item]) -> Iterator[EntryChange]:
    for before, entry in paired(_handled(old), _handled(new)):
        if entry is None:
            assert before is not None
            yield EntryChange(kind, before.name, How.REMOVED)
            continue
        details = tuple(_details(before, entry))
        pointer = f"{entry.pointer}/name"
        if before is None:
            yield EntryChange(kind, entry.name, How.ADDED, details, None, pointer)
        elif before.name != entry.name:
            yield EntryChange(kind, entry.name, How.RENAMED, details, before.name, pointer)
        elif details:
            yield EntryChange(kind, entry.name, How.CHANGED, details, None, pointer)


def _handled(entries: Sequence[Item]) -> list[Item]:
    """Return the entries that have a handler, or that handlers use."""
    return [entry for entry in entries if not (isinstance(entry, Entry) and entry.is_static)]


def _details(old: Item | None, new: Item) -> Iterator[str]:
    match old, new:
        case Tool(), Tool() if old.written != new.written:
            yield from _properties(old.arguments, new.arguments)
            if old.result and new.result:
                yield from (f"result: {detail}" for detail in _properties(old.result, new.result))
            elif old.result or new.result:
                yield f"{'+' if new.result else '-'} result"
        case Prompt(), Prompt():
            yield from _properties(old.arguments_schema, new.arguments_schema)
        case ResourceTemplate(), ResourceTemplate():
            if old.uri_template != new.uri_template:
                yield f"{old.uri_template} → {new.uri_template}"
            if old.unsafe != new.unsafe:
                yield "unsafe" if new.unsafe else "safe"
        case DomainError(), DomainError():
            yield from (f"+ {field}" for field in new.fields if field not in old.fields)
            yield from (f"- {field}" for field in old.fields if field not in new.fields)
        case None, Variable(required=True):
            yield "required"
        case Variable(), Variable():
            if old.type != new.type:
                yield f"{old.type} → {new.type}"
            if old.required != new.required:
                yield "required" if new.required else "optional"


def _properties(old: Index, new: Index) -> Iterator[str]:
    """Yield what changed between two object schemas, in the words of the documentation.

    Changes without such words, as of `uniqueItems`, are `other changes in the schema`.
    """
    described_changes = [*_described(old, new)]
    yield from described_changes[:_LISTED]
    if len(described_changes) > _LISTED:
        yield "…"
    if not described_changes and without_texts(old.root.schema) != without_texts(new.root.schema):
        yield "other changes in the schema"


def _described(old: Index, new: Index) -> Iterator[str]:
    """Yield what changed between the descriptions of two object schemas, value by value."""
    before, after = (
        {description.name: description for description in describe(index)} for index in (old, new)
    )
    whole = None
    for name in {**after, **before}:
        if whole is not None and name.startswith((f"{whole}.", f"{whole}[")):
            continue  # the whole value was added or removed
        before_edit, after_edit = before.get(name), after.get(name)
        if before_edit and after_edit:
            details = [
                *_words(before_edit.type, after_edit.type),
                *_words(before_edit.notes, after_edit.notes),
            ]
            if before_edit.required != after_edit.required:
                details.append(_required(after_edit))
            if details:
                yield f"{name}: {', '.join(details)}"
        else:
            whole = name
            yield (
                f"+ {name} ({_required(after_edit)} {after_edit.type})"
                if after_edit
                else f"- {name}"
            )


def _required(description: Description) -> str:
    return "required" if description.required else "optional"


def _words(old: str, new: str) -> Iterator[str]:
    """Yield what changed between two texts; if they are long, from the first difference."""
    if old and new and old != new:
        if max(len(old), len(new)) > _MAX_LENGTH:
            same = next(n for n, (a, b) in enumerate(zip_longest(old, new)) if a != b)
            old, new = (f"…{text[same:]}" if same else text for text in (old, new))
        yield f"{cut(old, _MAX_LENGTH)} → {cut(new, _MAX_LENGTH)}"
    elif old != new:
        yield f"+ {cut(new, _MAX_LENGTH)}" if new else f"- {cut(old, _MAX_LENGTH)}"
