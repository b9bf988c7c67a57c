"""Whether a tool's schema is a JSON Schema that servers and clients can work with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kind
from jsonschema_rs import Validator

from scaffold.spec.document import Document, pointer
from scaffold.spec.finding import FAULTS, Finding, listing, nearest, shown
from scaffold.spec.mismatch import boolean, findings_of, literal
from scaffold.spec.patterns import problem
from scaffold.spec.references import reference_faults
from scaffold.spec.subschemas import DIALECTS, Index, Subschema

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")

MOST_SCHEMAS = 10_000
"""Schemas in one; the largest that a public server is known to have holds 500."""

LONGEST_PATTERNS = 100_000
"""Characters of all patterns in one schema; compiled, each takes a hundred times the memory."""

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


def faults(
    schema: dict[str, Any], at: str, document: Document, *, of_arguments: bool
) -> Iterator[Finding]:
    """What keeps the schema at pointer `at` from being used, for arguments or for a result."""
    written_in = dialect(schema)
    if written_in is None:
        yield _unknown_dialect(schema["$schema"], at)
        return
    index = Index.of(schema)
    if len(index.all) > MOST_SCHEMAS:
        yield Finding(
            at,
            "expensive-schema",
            f"there are {len(index.all):,} schemas in this one, and {MOST_SCHEMAS:,} are allowed",
            "split the tool, or describe the variants in `description`",
        )
        return
    every = chain(
        _meta_faults(schema, written_in, at, document),
        _pattern_faults(index, at),
        reference_faults(index, at),
        _dialect_faults(index, at),
        _header_faults(index, at) if of_arguments else (),
    )
    found = list(islice(every, FAULTS))
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
        f"the dialect {_word(declared)} is not supported",
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
        elif last == "required" and isinstance(error.instance, bool):
            yield _required_property(here, error.instance_path)
        else:
            yield from findings_of(error, {}, at, document)


def _required_property(here: str, path: Sequence[str | int]) -> Finding:
    """`required: true` beside the type of a property, as it was before draft 4."""
    name = path[-2] if path[1:] and len(path) > 2 and path[-3] == "properties" else "…"
    return Finding(
        here,
        "wrong-type",
        "`required` is a list of names, and stands beside `properties`",
        f"remove this, and write `required: [{name}]` beside `properties`",
        at_key=True,
    )


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


def _word(value: Any) -> str:
    """A value where a text is expected, as it was written."""
    return shown(value) if isinstance(value, str) else literal(value)


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
        elif isinstance(value, str) and (meant := boolean(value)) is not None:
            hint = f"write `{literal(meant)[1:-1]}`, without quotes"
    return Finding(here, "not-a-schema", f"{shown(last)} {message}", hint)


def _pattern_faults(index: Index, at: str) -> Iterator[Finding]:
    length = 0
    for subschema in index.all.values():
        here = at + subschema.pointer
        found = [(f"{here}/pattern", subschema.schema.get("pattern"), False)]
        if isinstance(names := subschema.schema.get("patternProperties"), dict):
            found += [(f"{here}/patternProperties{pointer(name)}", name, True) for name in names]
        for where, pattern, at_key in found:
            length += len(pattern) if isinstance(pattern, str) else 0
            if length > LONGEST_PATTERNS:
                yield Finding(
                    where,
                    "bad-pattern",
                    f"the patterns of this schema have more than {LONGEST_PATTERNS:,} characters",
                    "write shorter patterns, or list the values in `enum`",
                    at_key,
                )
                return
            if isinstance(pattern, str) and (trouble := problem(pattern)):
                yield Finding(
                    where, "bad-pattern", f"{shown(pattern)}: {trouble[0]}", trouble[1], at_key
                )


def _dialect_faults(index: Index, at: str) -> Iterator[Finding]:
    """Schemas inside a schema that declare another dialect than it."""
    for subschema in index.all.values():
        declared = subschema.schema.get("$schema") if subschema.pointer else None
        if declared and dialect(subschema.schema) != dialect(index.root):
            yield Finding(
                f"{at}{subschema.pointer}/$schema",
                "unknown-dialect",
                "a schema inside another cannot be of a different dialect",
                "remove this `$schema`, and write the whole schema in one dialect",
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
                f"{_word(header)} cannot be part of a header's name",
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
