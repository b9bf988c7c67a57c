"""Compare the arguments, the results and the texts of a tool in two specs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from scaffold.base.diagnostics.wording import cut, quote
from scaffold.breaking.change import Change, Level, change_of
from scaffold.breaking.differences import Difference, Sort, differences
from scaffold.breaking.parts import alike, encoded
from scaffold.format.spec import Tool
from scaffold.schema.index import Index, Property
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import types_of

_HEADER = "x-mcp-header"
_MAX_DEPTH = 6
_MAX_PROPERTIES = 2000
_FAR = 100
"""The maximum number of schemas of one value that are compared."""


def tool_changes(old: Tool, new: Tool) -> Iterator[Change]:
    """Yield the changes in the schemas and the texts of a tool that is in both specs."""
    about = ["its description"]
    if (old.title, old.description) == (new.title, new.description):
        about.clear()
    if _differ(old.arguments, new.arguments):
        properties = [*_differing(old.arguments, new.arguments)]
        yield from _arguments(old, new, properties)
        about += _described(properties, "arguments")
    if old.result and new.result:
        if _differ(old.result, new.result):
            properties = [*_differing(old.result, new.result)]
            yield from _results(old, new, properties)
            about += _described(properties, "results")
    elif new.result:
        message = f"tool {quote(new.name)} has an output schema now"
        yield _change("output-schema-added", new, f"{new.pointer}/outputSchema", message)
    elif old.result:
        message = f"tool {quote(new.name)} has no output schema any more"
        where = f"{old.pointer}/outputSchema"
        yield _change("output-schema-removed", new, where, message, is_gone=True)
    if about:
        yield _texts(new, about)


def _differ(old: Index, new: Index) -> bool:
    return encoded(old.root.schema) != encoded(new.root.schema)


def header_changes(old: Tool, new: Tool) -> Iterator[Change]:
    """Yield an error for each argument of which a request over HTTP needs a header now."""
    before = {(at, header.lower()) for at, header in _headers(old.arguments)}
    for at, header in _headers(new.arguments):
        if at in old.arguments.all and (at, header.lower()) not in before:
            name = quote(f"Mcp-Param-{header}")
            message = f"calls of tool {quote(new.name)} over HTTP need the header {name} now"
            where = f"{new.pointer}/inputSchema{at}/{_HEADER}"
            yield _change("header-required", new, where, message)


def _headers(index: Index) -> Iterator[tuple[str, str]]:
    for subschema in index.all.values():
        if _HEADER in subschema.keywords:
            yield subschema.pointer, str(subschema.keywords[_HEADER])


def _change(id: str, tool: Tool, where: str, message: str, **more: Any) -> Change:
    return change_of(id, "tool", tool.name, where, message, **more)


class _Described(NamedTuple):
    """The description of a property: the pointer of its schema, its texts and its default as JSON.

    Only a default that servers fill in counts. One in a branch of the schema or behind `$ref` does
    not, nor does null: handlers get None without it, too.
    """

    at: str
    texts: tuple[str, ...]
    default: str | None
    is_required: bool


class _Differing(NamedTuple):
    """A property by the path of its names, before and after; `*` is an item of an array."""

    path: tuple[str, ...]
    old: _Described | None
    new: _Described | None


def _differing(old: Index, new: Index) -> Iterator[_Differing]:
    """Yield the properties that are not described alike, and those inside that are in both."""
    waiting: list[tuple[tuple[str, ...], Sequence[Subschema], Sequence[Subschema]]]
    waiting = [((), [old.root], [new.root])]
    for path, old_schemas, new_schemas in waiting:  # grows
        if len(path) > _MAX_DEPTH or len(waiting) > _MAX_PROPERTIES:
            continue
        before, after = _properties(old, old_schemas), _properties(new, new_schemas)
        for name in {**after, **before}:
            old_property, new_property = before.get(name), after.get(name)
            here = (*path, name)
            if old_property and new_property:
                if _is_alike(old_property, new_property):
                    continue
                waiting.append((here, old_property.schemas, new_property.schemas))
            yield _Differing(here, _describe(old, old_property), _describe(new, new_property))
        old_item, new_item = _items(old, old_schemas), _items(new, new_schemas)
        if old_item and new_item:
            waiting.append(((*path, "*"), old_item, new_item))


def _items(index: Index, schemas: Sequence[Subschema]) -> list[Subschema]:
    return index.children_of(index.applied(*schemas, most=_FAR), "items")


def _properties(index: Index, schemas: Sequence[Subschema]) -> dict[str, Property]:
    """Return the properties that have schemas, if only in branches, by name."""
    return {
        member.name: replace(member, schemas=member.schemas or member.variants)
        for member in index.properties(*schemas, most=_FAR)
        if member.schemas or member.variants
    }


def _is_alike(old: Property, new: Property) -> bool:
    return (
        len(old.schemas) == len(new.schemas) == 1
        and old.required == new.required
        and alike(old.schemas[0].schema, new.schemas[0].schema)
    )


def _describe(index: Index, member: Property | None) -> _Described | None:
    if member is None:
        return None
    texts = tuple(
        str(part.keywords[key])
        for part in index.applied(*member.schemas, most=_FAR)
        for key in ("title", "description")
        if key in part.keywords
    )
    default = next(
        (encoded(value) for value in index.default_of(member) if value is not None), None
    )
    return _Described(member.schemas[0].pointer, texts, default, member.required)


def _arguments(old: Tool, new: Tool, properties: Sequence[_Differing]) -> Iterator[Change]:
    """Yield the changes for calls."""
    refused = differences(old.arguments, new.arguments, is_lenient=True)
    gone = {
        difference.path[0]: difference.old.at
        for difference in properties
        if difference.old and not difference.path[1:]
    }
    for difference in refused:
        if difference.sort is Sort.UNKNOWN:
            yield _ignored(old, new, difference, gone[difference.name or ""])
        else:
            yield _broken(new, difference)
    yield from _added_and_removed(old, new, properties, {difference.name for difference in refused})
    yield from _defaults(new, properties)


_REFUSED: Mapping[Sort, tuple[str, str]] = {
    Sort.REQUIRED: ("argument-required", "{it} is required now"),
    Sort.PROPERTY: ("argument-narrowed", "{it} accepts less"),
    Sort.REST: ("argument-narrowed", "{it} refuses some arguments that it accepted"),
}


def _argument(new: Tool, name: str | None) -> str:
    """Return the subject of a finding: an argument, or the tool."""
    tool = f"tool {quote(new.name)}"
    return f"argument {quote(name)} of {tool}" if name else tool


def _broken(new: Tool, difference: Difference) -> Change:
    id, message = _REFUSED[difference.sort]
    if difference.refusal is None:
        id, message = "argument-unproved", "{it} has another schema, which is not proved safe"
    where, words = f"{new.pointer}/inputSchema{difference.at}", _argument(new, difference.name)
    return _change(id, new, where, message.format(it=words), **_proof(difference))


def _ignored(old: Tool, new: Tool, difference: Difference, at: str) -> Change:
    """Return the change for a removed argument: an error if calls with it fail, else a warning."""
    level, fate = Level.WARNING, "ignored"
    if difference.refusal is not None:
        level, fate = Level.ERROR, "refused"
    message = f"{_argument(new, difference.name)} is gone, and is {fate}"
    more = {**_proof(difference), "level": level, "is_proved": True, "is_gone": True}
    return _change("argument-removed", new, f"{old.pointer}/inputSchema{at}", message, **more)


def _added_and_removed(
    old: Tool, new: Tool, properties: Iterable[_Differing], broken: Collection[str | None]
) -> Iterator[Change]:
    """Yield arguments that are new, and properties inside arguments that are new or gone."""
    tool = f"tool {quote(new.name)}"
    for path, before, after in properties:
        name, is_nested = quote(".".join(path)), len(path) > 1
        if is_nested and path[-2] == "*":
            continue
        if after and not before and (is_nested or not after.is_required):
            message = f"argument {name} of {tool} is new and optional"
            if is_nested:
                message = f"property {name} of the arguments of {tool} is new"
            yield _change("argument-added", new, f"{new.pointer}/inputSchema{after.at}", message)
        if before and not after and is_nested and path[0] not in broken:
            message = f"property {name} of the arguments of {tool} is gone, and is ignored"
            where = f"{old.pointer}/inputSchema{before.at}"
            more = {"level": Level.WARNING, "is_gone": True}
            yield _change("argument-removed", new, where, message, **more)


def _defaults(new: Tool, properties: Iterable[_Differing]) -> Iterator[Change]:
    for path, before, after in properties:
        if (
            before
            and after
            and before.default != after.default
            and not (before.is_required or after.is_required)
        ):
            name, kept = _argument(new, ".".join(path)), before.default or "none"
            message = f"the default of {name} changed from {kept} to {after.default or 'none'}"
            at = f"{new.pointer}/inputSchema{after.at}"
            yield _change("default-changed", new, at, cut(message, 200))


def _results(old: Tool, new: Tool, properties: Iterable[_Differing]) -> Iterator[Change]:
    """Yield the changes for those who read results."""
    assert old.result
    assert new.result
    refused = differences(new.result, old.result, is_lenient=False)
    differing = {
        difference.path[0]: difference for difference in properties if not difference.path[1:]
    }
    # An additional field breaks nothing if the old schema allows it.
    for difference in refused:
        if difference.sort is not Sort.UNKNOWN or difference.refusal is not None:
            yield _lost(old, new, difference, differing.get(difference.name or ""))
    if _only_objects(old.result) and not _only_objects(new.result):
        message = f"the results of tool {quote(new.name)} are not always objects"
        yield _change("output-type-changed", new, f"{new.pointer}/outputSchema", message)


def _lost(old: Tool, new: Tool, difference: Difference, field: _Differing | None) -> Change:
    at, is_gone = f"{new.pointer}/outputSchema", False
    if field and field.new:
        at += field.new.at
    elif field and field.old:
        at, is_gone = f"{old.pointer}/outputSchema{field.old.at}", True
    results = f"the results of tool {quote(new.name)}"
    id = "result-widened"
    name = quote(difference.name or "")
    about = f"field {name} of {results}" if difference.name else results
    if difference.refusal is None:
        id, message = "result-unproved", f"{about} changed, which is not proved safe"
    elif difference.sort is Sort.REQUIRED or (difference.sort is Sort.PROPERTY and is_gone):
        fate = "is gone from" if is_gone else "is not always in"
        id, message = "result-field-lost", f"field {name} {fate} {results}"
    else:
        reason = difference.refusal.partition(": ")[2]
        message = f"{about} may be other than before: {reason:.150}"
    return _change(id, new, at, message, is_gone=is_gone, **_proof(difference))


def _proof(difference: Difference) -> dict[str, Any]:
    is_proved = difference.refusal is not None
    return {"witness": difference.witness, "refusal": difference.refusal, "is_proved": is_proved}


def _only_objects(index: Index) -> bool:
    return types_of(index.applied(index.root)) == ("object",)


def _described(properties: Iterable[_Differing], title: str) -> list[str]:
    """Return how many properties are described differently, in words."""
    count = sum(
        bool(member.old and member.new and member.old.texts != member.new.texts)
        for member in properties
    )
    return [f"{count} of its {title}"] if count else []


def _texts(new: Tool, about: Iterable[str]) -> Change:
    where = f"{new.pointer}/description" if "description" in new.written else new.pointer
    message = f"tool {quote(new.name)} is described differently: {', '.join(about)}"
    return _change("description-changed", new, where, message)
