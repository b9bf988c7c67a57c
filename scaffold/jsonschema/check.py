"""Check that a JSON Schema is valid and that validators can use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any

from jsonschema_rs import ValidationErrorKind as Kind
from jsonschema_rs import Validator

from scaffold.diagnostics import FAULTS
from scaffold.diagnostics.wording import did_you_mean, join, quote
from scaffold.jsonschema.index import VALIDATORS, Index, dialect_of
from scaffold.jsonschema.keywords import TYPES
from scaffold.jsonschema.mismatch import boolean, findings_of, literal, shown
from scaffold.jsonschema.patterns import problem
from scaffold.jsonschema.references import reference_faults
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.finding import Finding

MOST_SCHEMAS = 10_000
"""The maximum number of nested schemas; the largest known public server has 500."""

LONGEST_PATTERNS = 100_000
"""The maximum characters in all patterns of a schema; compiling takes 100 times the memory."""

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
"""Names of JSON types in other languages."""


def faults(index: Index, at: str, document: Document) -> Iterator[Finding]:
    """Yield the errors of the schema at pointer `at`."""
    if dialect_of(index.root.schema) is None:
        yield _unknown_dialect(index.root.keywords["$schema"], at)
        return
    if len(index.all) > MOST_SCHEMAS:
        message = f"{len(index.all):,} nested schemas; at most {MOST_SCHEMAS:,} are allowed"
        hint = "split the tool, or describe the variants in `description`"
        yield Finding(at, "expensive-schema", message, hint)
        return
    every = chain(
        _meta_faults(index, at, document),
        _pattern_faults(index, at),
        reference_faults(index, at),
        _dialect_faults(index, at),
    )
    found = list(islice(every, FAULTS))
    yield from found
    if not found and (reason := index.problem()):
        yield Finding(at, "bad-schema", f"the schema cannot be compiled: {reason}", "change it")


def _unknown_dialect(declared: Any, at: str) -> Finding:
    message = f"the dialect {shown(declared)} is not supported"
    hint = f'remove `$schema` for 2020-12, the default, or write "{_META["draft-07"]}" for draft-07'
    return Finding(f"{at}/$schema", "unknown-dialect", message, hint)


@cache
def _meta_validator(dialect: str) -> Validator:
    validator: Validator = VALIDATORS[dialect]({"$ref": _META[dialect]}, offline=True)
    return validator


def _meta_faults(index: Index, at: str, document: Document) -> Iterator[Finding]:
    """Yield violations of the dialect's meta-schema."""
    validator, schema = _meta_validator(index.dialect), index.root.schema
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
            yield from findings_of(error, at, document)


def _required_property(here: str, path: Sequence[str | int]) -> Finding:
    """Return the finding for `required: true` in a property, as before draft 4."""
    name = path[-2] if path[1:] and len(path) > 2 and path[-3] == "properties" else "…"
    message = "`required` must be a list of names beside `properties`"
    hint = f"remove this, and write `required: [{name}]` beside `properties`"
    return Finding(here, "wrong-type", message, hint, at_key=True)


def _unknown_types(here: str, value: Any) -> Iterator[Finding]:
    names = (
        {f"{here}/{n}": v for n, v in enumerate(value)}
        if isinstance(value, list)
        else {here: value}
    )
    unknown = {at: name for at, name in names.items() if name not in TYPES}
    if not unknown:
        message, hint = "a type is listed twice", "list each type once"
        if not names:
            message, hint = "the list of types is empty", "name a type"
        yield Finding(here, "unknown-type", message, hint)
    for at, name in unknown.items():
        every = f"the types are {join(TYPES, 'and')}"
        message = f"{shown(name)} is not a JSON Schema type"
        if name is None:
            message, hint = "unquoted `null` is a value, not the name of a type", "write `'null'`"
        elif not isinstance(name, str):
            hint = every
        elif other := _OTHER_TYPES.get(name.lower()):
            hint = f"did you mean `{other}`?"
        else:
            hint = did_you_mean(name, TYPES, every)
        yield Finding(at, "unknown-type", message, hint)


def _not_a_schema(here: str, value: Any) -> Finding:
    last = here.rpartition("/")[2]
    found, hint = f", not {literal(value)}", "write a mapping of keywords, such as `{type: string}`"
    if value is None:
        found, hint = ", but has no value", "write `{}` to allow any value"
    elif isinstance(value, list) and last == "items":
        hint = "write `prefixItems` for one schema per position (2020-12)"
    elif isinstance(value, str) and (name := _OTHER_TYPES.get(value, value)) in TYPES:
        hint = f"write `{{type: {name}}}`"
    elif isinstance(value, str) and (meant := boolean(value)) is not None:
        hint = f"write {literal(meant)}, without quotes"
    return Finding(here, "not-a-schema", f"{quote(last)} must be a schema{found}", hint)


def _pattern_faults(index: Index, at: str) -> Iterator[Finding]:
    length = 0
    for subschema in index.all.values():
        here = at + subschema.pointer
        found = [(f"{here}/pattern", subschema.keywords.get("pattern"), False)]
        if isinstance(names := subschema.keywords.get("patternProperties"), dict):
            found += [(f"{here}/patternProperties{pointer(name)}", name, True) for name in names]
        for where, pattern, at_key in found:
            length += len(pattern) if isinstance(pattern, str) else 0
            if length > LONGEST_PATTERNS:
                message = f"the patterns of this schema exceed {LONGEST_PATTERNS:,} characters"
                hint = "write shorter patterns, or list the values in `enum`"
                yield Finding(where, "bad-pattern", message, hint, at_key)
                return
            if isinstance(pattern, str) and (trouble := problem(pattern)):
                message = f"{quote(pattern)}: {trouble[0]}"
                yield Finding(where, "bad-pattern", message, trouble[1], at_key)


def _dialect_faults(index: Index, at: str) -> Iterator[Finding]:
    """Yield nested schemas that declare a different dialect."""
    for subschema in index.all.values():
        declared = subschema.keywords.get("$schema") if subschema.pointer else None
        if declared and dialect_of(subschema.schema) != index.dialect:
            message = "a nested schema cannot use a different dialect"
            hint = "remove this `$schema`, and write the whole schema in one dialect"
            yield Finding(f"{at}{subschema.pointer}/$schema", "unknown-dialect", message, hint)
