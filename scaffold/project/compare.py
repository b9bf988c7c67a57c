"""Compare two versions of a spec: what changes for people who write handlers."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice, zip_longest
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from scaffold.base.diagnostics.wording import nearest
from scaffold.schema.index import Index, Property
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import types_of
from scaffold.spec.fields import JsonObject
from scaffold.spec.format import (
    DomainError,
    Entry,
    Prompt,
    Resource,
    ResourceTemplate,
    Spec,
    Tool,
    Variable,
)
from scaffold.spec.handled import prompt_arguments
from scaffold.yaml.document import Json

Item: TypeAlias = Entry | DomainError | Variable
I = TypeVar("I", bound=Item)

_Pair: TypeAlias = tuple[frozenset[str], frozenset[str]]
"""Where the keywords of a value are, before and after."""

_DEFINITIONS = ("$defs", "definitions")
_NAMING = frozenset({*_DEFINITIONS, "$ref", "$dynamicRef", "$id", "$anchor", "$schema", "allOf"})
"""Keywords that do not constrain a value themselves."""

_TEXTS = frozenset({"description", "title", "examples"})

_FAR = 100
"""The maximum number of schemas of one value that are compared."""

_LISTED = 100
"""The maximum number of changes inside the arguments or the result of a tool that are listed."""

_MANY = 10_000  # pairs of names to compare; each takes about 10 µs


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
    `hits[].score: maximum 20 → 50`. `pointer` is the JSON Pointer of its name in the new spec, if it is there.
    """

    kind: str
    name: str
    how: How
    details: tuple[str, ...] = ()
    before: str | None = None
    """The old name, if it was renamed."""
    pointer: str | None = None


def compare(old: Spec, new: Spec) -> tuple[EntryChange, ...]:
    """Return everything added, removed, renamed or changed for handlers, kind by kind."""
    return tuple(
        change
        for kind, before, after in (
            ("tool", old.tools, new.tools),
            ("resource", old.resources, new.resources),
            ("resource template", old.resource_templates, new.resource_templates),
            ("prompt", old.prompts, new.prompts),
            ("error", old.errors, new.errors),
            ("variable", old.env, new.env),
        )
        for change in _compared(kind, before, after)
    )


def similar(found: Sequence[EntryChange]) -> Iterator[tuple[str, EntryChange]]:
    """Yield the names of removed entries, each with an added entry of a similar name."""
    for kind in ("tool", "resource", "resource template", "prompt"):
        added = {c.name: c for c in found if c.kind == kind and c.how is How.ADDED}
        gone = [c.name for c in found if c.kind == kind and c.how is How.REMOVED]
        if len(added) * len(gone) > _MANY:
            continue
        for name in gone:
            if near := nearest(name, added):
                yield name, added.pop(near)


def edited(old: Json, new: Json) -> frozenset[str]:
    """Return JSON Pointers to what differs in the new document, down to the entries of its lists.

    `/tools/-` stands for the number of tools.
    """
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return frozenset([""])
    pointers = set[str]()
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, list) and isinstance(before, list):
            pairs = zip_longest(value, before[: len(value)])
            pointers |= {
                f"/{key}/{n}"
                for n, (now, was) in enumerate(pairs)
                if now != was and now not in before
            }
            pointers |= {f"/{key}/-"} if len(value) != len(before) else set()
        elif value != before:
            pointers.add(f"/{key}")
    return frozenset(pointers)


def paired(old: Sequence[I], new: Sequence[I]) -> Iterator[tuple[I | None, I | None]]:
    """Yield each entry before and after: those of the new list in order, then those that are gone.

    An entry is found by its former name, its name, or what it answers.
    """
    left = {entry.name: entry for entry in old}
    kept = {entry.name for entry in new}
    for entry in new:
        yield left.pop(_former_name(entry, left, kept), None), entry
    yield from ((entry, None) for entry in left.values())


def _compared(kind: str, old: Sequence[Item], new: Sequence[Item]) -> Iterator[EntryChange]:
    concerned = ([entry for entry in entries if _concerns_people(entry)] for entries in (old, new))
    for before, entry in paired(*concerned):
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


def _concerns_people(entry: Item) -> bool:
    """Return whether the entry has a handler, or handlers use it."""
    return not (isinstance(entry, Resource | Prompt) and entry.is_static)


def _former_name(entry: Item, old: Mapping[str, Item], kept: Collection[str]) -> str:
    """Return the name of an entry in the old spec: its present one or a former one."""
    if not isinstance(entry, Entry):
        return entry.name
    same = old.get(entry.name)
    is_new = not isinstance(same, Entry) or same.renamed_from != entry.renamed_from
    if is_new and entry.renamed_from and entry.renamed_from in old:
        return entry.renamed_from
    if entry.name in old:
        return entry.name
    alike = (o.name for o in old.values() if _address(o) and _address(o) == _address(entry))
    return next((name for name in alike if name not in kept), entry.name)


def _address(entry: Item) -> str | None:
    match entry:
        case Resource(uri=address) | ResourceTemplate(uri_template=address):
            return address
    return None


def _details(old: Item | None, new: Item) -> Iterator[str]:
    match old, new:
        case Tool(), Tool() if old.written != new.written:
            yield from _properties(old.arguments, new.arguments)
            if old.result and new.result:
                yield from (f"result: {detail}" for detail in _properties(old.result, new.result))
            elif old.result or new.result:
                yield f"{'+' if new.result else '-'} result"
        case Prompt(), Prompt():
            yield from _properties(*(Index.of(prompt_arguments(prompt)) for prompt in (old, new)))
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
    """Yield what changed between two object schemas: property by property, then the rest."""
    before, after = ({one.name: one for one in index.members} for index in (old, new))
    inside = _Comparison(old, new, set()).changes(before, after)
    found = [*islice(inside, _LISTED), *(["…"] if next(inside, None) else [])]
    found += _keywords(_root(old), _root(new))
    if not found:  # maybe a definition changed that only inner schemas use
        found += _keywords(_definitions(old), _definitions(new))
    yield from found


class _Comparison(Struct, frozen=True):
    """Two schemas, and the pairs of values in them that turned out to be `equal`.

    What is equal is compared once: if each definition uses the next one twice, the number of paths
    doubles with each.
    """

    old: Index
    new: Index
    equal: set[_Pair]

    def changes(
        self,
        before: Mapping[str, Property],
        after: Mapping[str, Property],
        path: str = "",
        around: frozenset[_Pair] = frozenset(),
    ) -> Iterator[str]:
        """Yield what changed between the properties of two objects, which are at a path."""
        for name in {**after, **before}:
            if name not in before:
                yield f"+ {path}{name} ({_words(self.new, after[name])})"
            elif name not in after:
                yield f"- {path}{name}"
            else:
                was, now = before[name], after[name]
                required = "required" if now.required else "optional"
                details = [required] if was.required != now.required else []
                values = (was.schemas or was.variants), (now.schemas or now.variants)
                yield from self._value_changes(*values, path + name, details, around)

    def _value_changes(
        self,
        was: Sequence[Subschema],
        now: Sequence[Subschema],
        path: str,
        details: Sequence[str],
        around: frozenset[_Pair],
    ) -> Iterator[str]:
        """Yield what changed between the schemas of a value, and of all that is inside it.

        A recursive schema is compared once: not in itself, if its pair is one of those `around`.
        """
        both = (self.old, was), (self.new, now)
        pair = _places(self.old, was), _places(self.new, now)
        items = [_items(index, parts) for index, parts in both]
        inside = {"properties", "required"} | ({"items"} if all(items) else set())
        value, new_value = (_value(index, parts) for index, parts in both)
        keywords = [] if pair in around else [*_keywords(value, new_value, inside)]
        if own := [*keywords, *details]:
            yield f"{path}: {', '.join(own)}"
        if pair in around or pair in self.equal:
            return
        around |= {pair}
        before, after = (
            {one.name: one for one in index.properties(*parts, most=_FAR)} for index, parts in both
        )
        is_equal = not keywords
        for change in self.changes(before, after, f"{path}.", around):
            is_equal = False
            yield change
        if all(items):
            for change in self._value_changes(items[0], items[1], f"{path}[]", (), around):
                is_equal = False
                yield change
        if is_equal:
            self.equal.add(pair)


def _places(index: Index, schemas: Sequence[Subschema]) -> frozenset[str]:
    """Return where the keywords are that schemas apply to a value, by reference or not."""
    applied = index.applied(*schemas, most=_FAR)
    return frozenset(part.pointer for part in applied if part.keywords.keys() - _NAMING)


def _items(index: Index, schemas: Sequence[Subschema]) -> list[Subschema]:
    """Return the schemas of all items of an array; none if positions have their own."""
    return [
        item
        for part in index.applied(*schemas, most=_FAR)
        if isinstance(part.keywords.get("items"), Mapping)
        for item in index.children(part, "items")
    ]


def _root(index: Index) -> JsonObject:
    """Return the keywords that a schema applies to an object as a whole."""
    keywords = _merged(index.applied(index.root))
    return {key: value for key, value in keywords.items() if key not in ("properties", "required")}


def _value(index: Index, schemas: Sequence[Subschema]) -> Any:
    """Return the keywords that schemas apply to a value, wherever they are."""
    if len(schemas) == 1 and isinstance(schemas[0].schema, bool):
        return schemas[0].schema
    return _merged(index.applied(*schemas, most=_FAR))


def _merged(applied: Iterable[Subschema]) -> JsonObject:
    """Merge the keywords of schemas that all apply, without those that only refer to others."""
    merged: dict[str, Any] = {}
    for part in applied:
        for key, value in part.keywords.items():
            if key not in _NAMING:
                merged.setdefault(key, value)
    return merged


def _definitions(index: Index) -> JsonObject:
    return {key: value for key, value in index.root.keywords.items() if key in _DEFINITIONS}


def _keywords(old: Any, new: Any, without: Collection[str] = ()) -> Iterator[str]:
    """Yield what changed between two schemas, keyword by keyword, without texts and some others."""
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        if old != new:
            yield f"{_json(old)} → {_json(new)}"
        return
    for keyword in dict.fromkeys((*old, *new)):
        if keyword in _TEXTS or keyword in without or old.get(keyword) == new.get(keyword):
            continue
        if keyword not in old:
            yield f"+ {keyword} {_json(new[keyword])}"
        elif keyword not in new:
            yield f"- {keyword}"
        else:
            yield f"{keyword} {_json(old[keyword])} → {_json(new[keyword])}"


def _words(index: Index, one: Property) -> str:
    kind = (
        " or ".join(types_of(index.applied(*(one.schemas or one.variants), most=_FAR)) or ())
        or "any type"
    )
    return f"{'required' if one.required else 'optional'} {kind}"


def _json(value: object) -> str:
    """Return a value on one line: strings without quotes, long values truncated."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
