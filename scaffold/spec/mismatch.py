"""What the JSON Schema engine says against a value, in the words of someone who can mend it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema_rs import ValidationError, Validator
from jsonschema_rs import ValidationErrorKind as Kind

from scaffold.spec.document import Document, pointer, tokens
from scaffold.spec.finding import Finding, listing, nearest, shown
from scaffold.spec.subschemas import value_at

Schema = Mapping[str, Any]

_NOUNS = {
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}
_TRUE = ("yes", "on", "y", "true")
_FALSE = ("no", "off", "n", "false")
_RELATIONS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "minLength": "at least",
    "maxLength": "at most",
    "minItems": "at least",
    "maxItems": "at most",
    "minProperties": "at least",
    "maxProperties": "at most",
    "multipleOf": "a multiple of",
}


def mismatches(
    validator: Validator, schema: Schema, value: Any, at: str, document: Document
) -> Iterator[Finding]:
    """All that `validator`, which was made from `schema`, finds in the value at pointer `at`."""
    if not validator.is_valid(value):
        for error in validator.iter_errors(value):
            yield from findings_of(error, schema, at, document)


def findings_of(
    error: ValidationError, schema: Schema, at: str, document: Document
) -> Iterator[Finding]:
    """One error of the engine. `schema` is what it was made from; from elsewhere, `{}`."""
    here = at + pointer(*error.instance_path)
    rules = _rules(schema, error.schema_path)
    subject = _subject(here, document)
    value: Any = error.instance
    kind: Any = error.kind
    match kind:
        case Kind.Type():
            yield _wrong_type(here, subject, kind.types, value, rules, document)
        case Kind.Required():
            if not _misspelt(kind.property, value, rules):
                yield _missing_key(here, subject, kind.property, rules, schema)
        case Kind.AdditionalProperties():
            for key in kind.unexpected:
                yield _unknown_key(here, subject, key, rules)
        case Kind.Enum():
            yield _unknown_value(here, subject, value, kind.options)
        case Kind.Constant():
            yield _unknown_value(here, subject, value, [kind.expected_value])
        case Kind.Pattern():
            yield _misfit(here, subject, value, kind.pattern, rules)
        case Kind.MaxLength() | Kind.MinLength():
            limit = f"{_RELATIONS[kind.name]} {kind.limit}"
            message = f"{subject} has {len(value)} characters, and must have {limit}"
            yield Finding(here, "wrong-length", message, "shorten it" if value else "write a text")
        case Kind.MaxItems() | Kind.MinItems() | Kind.MaxProperties() | Kind.MinProperties():
            limit = f"{_RELATIONS[kind.name]} {kind.limit}"
            message = f"{subject} has {len(value)} entries, and must have {limit}"
            hint = "take some away" if value else "add one, or remove the key"
            yield Finding(here, "wrong-length", message, hint)
        case Kind.UniqueItems():
            yield _repeated_item(here, subject, value)
        case _ if kind.name in _RELATIONS:
            bound = kind.multiple_of if isinstance(kind, Kind.MultipleOf) else kind.limit
            message = f"{subject} is {literal(value)}, and must be {_RELATIONS[kind.name]} {bound}"
            yield Finding(here, "out-of-range", message, "change the number")
        case _:
            yield Finding(here, "bad-value", f"{subject}: {error.message}", "change the value")


def boolean(text: str) -> bool | None:
    """What a text means to those who think of YAML 1.1, if that is true or false."""
    return text.lower() in _TRUE if text.lower() in _TRUE + _FALSE else None


def literal(value: Any) -> str:
    """A value in a message: a scalar as YAML has it, the rest by its kind."""
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str():
            return f"the text {shown(value)}"
        case _:
            return f"`{json.dumps(value)}`"


def _wrong_type(
    here: str, subject: str, types: Sequence[str], value: Any, rules: Schema, document: Document
) -> Finding:
    wanted = " or ".join(_NOUNS[name] for name in _NOUNS if name in types)
    found = f"is {literal(value)}"
    match value:
        case None if not here:
            found, hint = "is empty", "begin with `name:`, `version:` and `tools:`"
        case None:
            found, hint = "has no value", "give a value, or remove the line"
        case bool() | int() | float() if "string" in types:
            hint = f'put it in quotes: "{document.written(here)}"'
        case list() | dict() if "string" in types:
            hint = "put the text in quotes if it begins with `[` or `{` or holds a `: `"
        case str() if "boolean" in types and (meant := boolean(value)) is not None:
            hint = f"write `{json.dumps(meant)}`, without quotes"
        case str() if "integer" in types or "number" in types:
            hint = "write a number, without quotes"
        case dict() if "array" in types:
            hint = "write a list: each item on a line of its own that begins with `- `"
        case _ if "array" in types:
            hint = "write a list: `[…]`"
        case list() if not here:
            hint = "put the list under `tools:`, after `name:` and `version:`"
        case list() if "object" in types:
            hint = "write `key: value` lines, without `- `"
        case _ if "examples" in rules:
            hint = f"write `{_flow(rules['examples'][0])}`"
        case _:
            hint = f"write {wanted}"
    return Finding(here, "wrong-type", f"{subject} {found}, and must be {wanted}", hint)


def _misfit(here: str, subject: str, value: str, pattern: str, rules: Schema) -> Finding:
    """A text that is not of the pattern of its place."""
    if "title" not in rules:
        message = f"{subject} is {literal(value)}, and must match {shown(pattern)}"
        return Finding(here, "bad-value", message, "change the text")
    title: str = rules["title"]
    article = "an" if title[0] in "aeio" else "a"
    return Finding(
        here,
        f"bad-{title.lower().replace(' ', '-')}",
        f"{shown(value)} is not {article} {title}",
        rules["patternErrorMessage"],
    )


def _misspelt(key: str, value: Any, rules: Schema) -> bool:
    """Whether a missing key is there under a name that is reported as unknown."""
    known = rules.get("properties", {})
    return any(nearest(name, known) == key for name in value if name not in known)


def _missing_key(here: str, subject: str, key: str, rules: Schema, schema: Schema) -> Finding:
    about = rules.get("properties", {}).get(key, {})
    if "$ref" in about:
        about = about | value_at(schema, about["$ref"][1:])
    example = about.get("const") or next(iter(about.get("examples", ())), None)
    line = f"{key}: {_flow(example)}" if example is not None else f"{key}:"
    return Finding(here, "missing-key", f"{subject} has no `{key}`", f"add `{line}`", at_key=True)


def _unknown_key(here: str, subject: str, key: str, rules: Schema) -> Finding:
    known = rules.get("properties", {})
    meant = nearest(key, known)
    every = f"it can have {listing(known, 'and')}" if known else "leave it empty: `{}`"
    hint = f"did you mean `{meant}`?" if meant else every
    message = f"{subject} cannot have a key {shown(key)}"
    return Finding(here + pointer(key), "unknown-key", message, hint, at_key=True)


def _unknown_value(here: str, subject: str, value: Any, options: Sequence[Any]) -> Finding:
    words = [option for option in options if isinstance(option, str)]
    meant = nearest(value, words) if isinstance(value, str) else None
    message = f"{subject} is {literal(value)}, and must be {listing(map(_flow, options))}"
    only = f"write `{_flow(options[0])}`" if len(options) == 1 else "choose one of these"
    hint = f"did you mean `{meant}`?" if meant else only
    return Finding(here, "unknown-value", message, hint)


def _repeated_item(here: str, subject: str, values: Sequence[Any]) -> Finding:
    seen: dict[str, int] = {}
    for index, value in enumerate(values):
        first = seen.setdefault(json.dumps(value, sort_keys=True), index)
        if first != index:
            break
    message = f"{literal(values[index])} is in {subject} twice"
    return Finding(f"{here}/{index}", "duplicate-item", message, "remove one of the two")


def _subject(here: str, document: Document) -> str:
    """How people call the value at a pointer: by its key, its name, or its number in a list."""
    path = tokens(here)
    if not path:
        return "the spec"
    if not isinstance(value_at(document.value, here.rpartition("/")[0]), list):
        return shown(path[-1])
    item = value_at(document.value, here)
    if isinstance(item, dict) and isinstance(item.get("name"), str):
        return shown(item["name"])
    return f"item {int(path[-1]) + 1} of {shown(path[-2])}" if path[1:] else f"item {path[-1]}"


def _rules(schema: Any, schema_path: Sequence[str | int]) -> Schema:
    """The schema that holds the keyword at a path."""
    for part in schema_path[:-1]:
        if isinstance(schema, Mapping) and part not in schema:
            return {}
        schema = schema[part]
    return schema if isinstance(schema, Mapping) else {}


def _flow(value: Any) -> str:
    """A value as it can be written in YAML."""
    return value if isinstance(value, str) else json.dumps(value)
