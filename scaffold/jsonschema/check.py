"""Check that a JSON Schema is valid and that validators can use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any

from jsonschema_rs import ValidationErrorKind as Kind
from jsonschema_rs import Validator

from scaffold.diagnostics import FAULTS
from scaffold.diagnostics.wording import join, nearest, quote
from scaffold.jsonschema.index import VALIDATORS, Index, dialect_of
from scaffold.jsonschema.keywords import TYPES
from scaffold.jsonschema.mismatch import boolean, findings_of, literal
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
        yield Finding(
            at,
            "expensive-schema",
            f"there are {len(index.all):,} schemas in this one, and {MOST_SCHEMAS:,} are allowed",
            "split the tool, or describe the variants in `description`",
        )
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
        yield Finding(at, "bad-schema", f"the schema cannot be used: {reason}", "change the schema")


def _unknown_dialect(declared: Any, at: str) -> Finding:
    return Finding(
        f"{at}/$schema",
        "unknown-dialect",
        f"the dialect {_word(declared)} is not supported",
        "remove `$schema` for 2020-12, the default, or write "
        '"http://json-schema.org/draft-07/schema#" for draft-07',
    )


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
        if name is None:
            yield _null_type(here if number is None else f"{here}/{number}")
            continue
        meant = None
        if isinstance(name, str):
            meant = _OTHER_TYPES.get(name.lower()) or nearest(name, TYPES)
        label = name if isinstance(name, str) else "this"
        yield Finding(
            here if number is None else f"{here}/{number}",
            "unknown-type",
            f"{quote(label)} is not a JSON Schema type",
            f"did you mean `{meant}`?" if meant else f"the types are {join(TYPES, 'and')}",
        )
    if names and not found:
        yield Finding(here, "unknown-type", "a type is named twice", "name each type once")


def _null_type(here: str) -> Finding:
    """Return the finding for an unquoted `null`, which is not a string in YAML."""
    return Finding(
        here,
        "unknown-type",
        "the value null is not the name of a type",
        "write it in quotes: `'null'`",
    )


def _word(value: Any) -> str:
    """Return a quoted string, or the description of a value that is not a string."""
    return quote(value) if isinstance(value, str) else literal(value)


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
        message = f"is {quote(str(value))}, and must be a schema"
        if isinstance(value, str) and (name := _OTHER_TYPES.get(value, value)) in TYPES:
            hint = f"write `{{type: {name}}}`"
        elif isinstance(value, str) and (meant := boolean(value)) is not None:
            hint = f"write `{literal(meant)[1:-1]}`, without quotes"
    return Finding(here, "not-a-schema", f"{quote(last)} {message}", hint)


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
                    where, "bad-pattern", f"{quote(pattern)}: {trouble[0]}", trouble[1], at_key
                )


def _dialect_faults(index: Index, at: str) -> Iterator[Finding]:
    """Yield nested schemas that declare a different dialect."""
    for subschema in index.all.values():
        declared = subschema.keywords.get("$schema") if subschema.pointer else None
        if declared and dialect_of(subschema.schema) != index.dialect:
            yield Finding(
                f"{at}{subschema.pointer}/$schema",
                "unknown-dialect",
                "a schema inside another cannot be of a different dialect",
                "remove this `$schema`, and write the whole schema in one dialect",
            )
