"""Whether a tool's schema is a JSON Schema that servers and clients can work with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kind
from jsonschema_rs import Validator

from .document import Document, pointer
from .finding import Finding, listing, nearest, shown
from .mismatch import findings_of
from .patterns import problem
from .subschemas import DIALECTS, Index, Subschema, UnresolvedError, references

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")

MOST_STEPS = 10_000
"""Schemas that one value may have to be held against; more and a call could stop the server."""

_VALIDATORS = {
    "2020-12": jsonschema_rs.Draft202012Validator,
    "draft-07": jsonschema_rs.Draft7Validator,
}
_META = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
}
_OTHER_TYPES = {
    "str": "string", "text": "string", "char": "string", "date": "string", "datetime": "string",
    "uuid": "string", "file": "string", "int": "integer", "long": "integer", "float": "number",
    "double": "number", "decimal": "number", "bool": "boolean", "list": "array", "tuple": "array",
    "set": "array", "dict": "object", "map": "object", "mapping": "object", "record": "object",
    "none": "null", "nil": "null", "undefined": "null",
}  # fmt: skip
"""What other languages call the types of JSON."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header name (RFC 9110, 5.6.2)."""


def dialect(schema: Mapping[str, Any]) -> str | None:
    """The dialect of a schema, `2020-12` where it does not say; None where it is not supported."""
    declared = schema.get("$schema", _META["2020-12"])
    return DIALECTS.get(declared.removesuffix("#")) if isinstance(declared, str) else None


def compiled(schema: dict[str, Any]) -> Validator:
    """The engine for a schema that `faults` finds nothing in. It fetches nothing."""
    return _VALIDATORS[dialect(schema) or "2020-12"](schema, offline=True)


def faults(schema: dict[str, Any], at: str, document: Document) -> Iterator[Finding]:
    """What keeps the schema at pointer `at` from being used."""
    written_in = dialect(schema)
    if written_in is None:
        yield _unknown_dialect(schema["$schema"], at)
        return
    found = list(_meta_faults(schema, written_in, at, document))
    index = Index.of(schema)
    found += _pattern_faults(index, at)
    found += _reference_faults(index, at)
    found += _header_faults(index, at)
    yield from found
    if not found:
        try:
            compiled(schema)
        except ValueError as error:
            reason = getattr(error, "message", str(error))
            yield Finding(
                at, "bad-schema", f"the schema cannot be used: {reason}", "change the schema"
            )


def _unknown_dialect(declared: Any, at: str) -> Finding:
    return Finding(
        f"{at}/$schema",
        "unknown-dialect",
        f"the dialect {shown(str(declared))} is not supported",
        "remove `$schema` for 2020-12, the default, or write "
        '"http://json-schema.org/draft-07/schema#" for draft-07',
    )


@cache
def _meta_validator(written_in: str) -> Validator:
    return _VALIDATORS[written_in]({"$ref": _META[written_in]}, offline=True)


def _meta_faults(
    schema: Mapping[str, Any], written_in: str, at: str, document: Document
) -> Iterator[Finding]:
    """Where a schema breaks the schema of its dialect."""
    validator = _meta_validator(written_in)
    if validator.is_valid(schema):
        return
    seen = set()
    for error in validator.iter_errors(schema):
        key = (*error.instance_path, error.kind.name)
        if key in seen or isinstance(error.kind, Kind.Format):
            continue
        seen.add(key)
        here = at + pointer(*error.instance_path)
        last = error.instance_path[-1] if error.instance_path else ""
        if isinstance(error.kind, Kind.AnyOf) and last == "type":
            yield from _unknown_types(here, error.instance)
        elif isinstance(error.kind, Kind.Type) and set(error.kind.types) == {"boolean", "object"}:
            yield _not_a_schema(here, error.instance)
        else:
            yield from findings_of(error, {}, at, document)


def _unknown_types(here: str, value: Any) -> Iterator[Finding]:
    names = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
    if not names:
        yield Finding(here, "unknown-type", "the list of types is empty", "name a type")
    found = False
    for number, name in names:
        if name in TYPES:
            continue
        found = True
        meant = None
        if isinstance(name, str):
            meant = _OTHER_TYPES.get(name.lower()) or nearest(name, TYPES)
        label = "null" if name is None else name if isinstance(name, str) else "this"
        yield Finding(
            here if number is None else f"{here}/{number}",
            "unknown-type",
            f"{shown(label)} is not a JSON Schema type",
            f"did you mean `{meant}`?" if meant else f"the types are {listing(TYPES, 'and')}",
        )
    if names and not found:
        yield Finding(here, "unknown-type", "a type is named twice", "name each type once")


def _not_a_schema(here: str, value: Any) -> Finding:
    last = here.rpartition("/")[2]
    hint = "write a mapping of keywords, such as `{type: string}`"
    if value is None:
        message = "has no value, and must be a schema"
        hint = "write `{}` if anything is allowed"
    elif isinstance(value, list):
        message = "is a list, and must be a schema"
        if last == "items":
            hint = "write `prefixItems` for the schema of each place (2020-12)"
    else:
        message = f"is {shown(str(value))}, and must be a schema"
        if isinstance(value, str) and (name := _OTHER_TYPES.get(value, value)) in TYPES:
            hint = f"write `{{type: {name}}}`"
    return Finding(here, "not-a-schema", f"{shown(last)} {message}", hint)


def _pattern_faults(index: Index, at: str) -> Iterator[Finding]:
    for subschema in index.all.values():
        here = at + subschema.pointer
        found = [(f"{here}/pattern", subschema.schema.get("pattern"), False)]
        if isinstance(names := subschema.schema.get("patternProperties"), dict):
            found += [(f"{here}/patternProperties{pointer(name)}", name, True) for name in names]
        for where, pattern, at_key in found:
            if isinstance(pattern, str) and (trouble := problem(pattern)):
                yield Finding(
                    where, "bad-pattern", f"{shown(pattern)}: {trouble[0]}", trouble[1], at_key
                )


def _reference_faults(index: Index, at: str) -> Iterator[Finding]:
    """References that lead nowhere, out of the schema, or in a circle."""
    found = False
    targets: dict[str, list[str]] = {}
    for subschema in index.all.values():
        for keyword, reference in references(subschema):
            try:
                target = index.resolve(subschema, reference)
                targets.setdefault(subschema.pointer, []).append(target)
            except UnresolvedError as error:
                found = True
                yield _unresolved(f"{at}{subschema.pointer}/{keyword}", reference, error, index)
        inner = subschema.schema.get("$schema")
        if inner and subschema.pointer and dialect(subschema.schema) != dialect(index.root):
            yield Finding(
                f"{at}{subschema.pointer}/$schema",
                "unknown-dialect",
                "a schema inside another cannot be of a different dialect",
                "remove this `$schema`, and write the whole schema in one dialect",
            )
    if not found:
        yield from _endless(index, targets, at)


def _unresolved(where: str, reference: str, error: UnresolvedError, index: Index) -> Finding:
    if error.remote:
        return Finding(
            where,
            "remote-reference",
            f"{shown(reference)} leads out of the schema, and nothing is fetched",
            "copy the definition under `$defs` and refer to it as `#/$defs/…`",
        )
    known = [f"#{at}" for at in index.all if at.startswith(("/$defs/", "/definitions/"))]
    known += [f"#{name.partition('#')[2]}" for name in index.resources if "#" in name]
    meant = nearest(reference, known)
    return Finding(
        where,
        "dangling-reference",
        f"{shown(reference)} leads to nothing in this schema",
        f"did you mean `{meant}`?"
        if meant
        else f"there is {listing(known[:6], 'and')}"
        if known
        else "put the definition under `$defs`",
    )


def _endless(index: Index, targets: Mapping[str, list[str]], at: str) -> Iterator[Finding]:
    """Schemas that a check would go around in, or through, without end.

    What counts are the steps at one value: the schemas that apply to the same value as the schema
    that names them, by `$ref`, `allOf` and the like.
    """
    onward = {
        here: [
            *(child.pointer for child in index.children(subschema, in_place=True)),
            *targets.get(here, ()),
        ]
        for here, subschema in index.all.items()
    }
    steps: dict[str, int] = {}
    for start, leads in onward.items():
        path = {start: iter(leads)}
        while path and start not in steps:
            here = next(reversed(path))
            target = next((target for target in path[here] if target not in steps), None)
            if target is None:
                del path[here]
                steps[here] = 1 + sum(steps.get(target, 0) for target in onward[here])
            elif target in path:
                yield _circle(list(path)[list(path).index(target) :], list(onward), at)
                return
            else:
                path[target] = iter(onward.get(target, ()))
    for here, count in steps.items():
        if count > MOST_STEPS:
            yield Finding(
                at + here,
                "expensive-schema",
                f"one value is held against more than {MOST_STEPS:,} schemas here, and a call "
                "could stop the server",
                "name each definition once in `allOf`, `anyOf` and `oneOf`",
            )
            return


def _circle(circle: list[str], order: list[str], at: str) -> Finding:
    first = circle.index(min(circle, key=order.index))
    circle = circle[first:] + circle[:first]
    here, onward = circle[0], circle[1 % len(circle)]
    inside = onward.startswith(f"{here}/") and len(circle) > 1
    keyword = onward[len(here) + 1 :].partition("/")[0] if inside else "$ref"
    way = " → ".join(f"`#{step}`" for step in (*circle[:4], *(("…",) if circle[4:] else ()), here))
    return Finding(
        f"{at}{here}/{keyword}",
        "endless-schema",
        f"this schema comes back to itself before it looks into the value: {way}",
        "put the reference under `properties` or `items`, or remove it",
    )


def _header_faults(index: Index, at: str) -> Iterator[Finding]:
    """Faults of `x-mcp-header` (MCP 2026-07-28, server/tools#x-mcp-header)."""
    seen: dict[str, str] = {}
    for subschema in index.all.values():
        header = subschema.schema.get("x-mcp-header")
        if header is None and "x-mcp-header" not in subschema.schema:
            continue
        where = f"{at}{subschema.pointer}/x-mcp-header"
        if not isinstance(header, str) or not _TOKEN.fullmatch(header):
            yield Finding(
                where,
                "bad-header",
                f"{shown(str(header))} cannot be part of a header's name",
                "use letters, digits and dashes: `Region`",
            )
        elif not _is_argument(subschema):
            yield Finding(
                where,
                "bad-header",
                "only a property, or a property of a property, can be sent as a header",
                "move it to a property that stands under nothing but `properties`",
            )
        elif subschema.schema.get("type") not in ("string", "integer", "boolean"):
            yield Finding(
                where,
                "bad-header",
                "only a `string`, an `integer` or a `boolean` can be sent as a header",
                "change the type, or remove `x-mcp-header`",
            )
        elif header.lower() in seen:
            yield Finding(
                where,
                "bad-header",
                f"the header {shown(header)} is already that of {seen[header.lower()]}",
                "give each property a header of its own; case does not count",
            )
        else:
            seen[header.lower()] = shown(subschema.pointer.rpartition("/")[2])


def _is_argument(subschema: Subschema) -> bool:
    return re.fullmatch(r"(/properties/[^/]*)+", subschema.pointer) is not None
