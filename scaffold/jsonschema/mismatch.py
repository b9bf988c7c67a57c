"""Explain why a value does not match a JSON Schema, with a hint how to fix it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError, Validator
from jsonschema_rs import ValidationErrorKind as Kind

from scaffold.diagnostics import FAULTS
from scaffold.diagnostics.wording import did_you_mean, join, nearest, quote
from scaffold.jsonschema.faults import Explainer, Fault, Spot
from scaffold.jsonschema.index import value_at
from scaffold.yaml.document import Document, pointer, tokens
from scaffold.yaml.finding import Finding

Schema = Mapping[str, Any]

_NOUNS = {
    "string": "a string",
    "boolean": "`true` or `false`",
    "integer": "an integer",
    "number": "a number",
    "array": "a list",
    "object": "a mapping",
    "null": "`null`",
}
_KINDS = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource template",
    "prompts": "prompt",
    "arguments": "argument",
    "examples": "example",
    "env": "variable",
    "errors": "error",
}
"""What the items of a list are called in messages."""

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
    """Yield the errors of the value at pointer `at`. `validator` is compiled from `schema`."""
    if not validator.is_valid(value):
        for fault in Explainer(schema).find(value, FAULTS):
            yield from _findings(fault, schema, at, document)


def findings_of(error: ValidationError, at: str, document: Document) -> Iterator[Finding]:
    """Yield the findings for an error of jsonschema_rs, without access to its schema."""
    path = tuple(error.instance_path)
    for keyword, rule, about in _parts(error):
        fault = Fault(Spot("", {keyword: rule}, error.instance, path), keyword, about)
        yield from _findings(fault, {}, at, document)


def _parts(error: ValidationError) -> Iterator[tuple[str, Any, Any]]:
    """Yield the keyword, its value and details of each fault in an error."""
    kind: Any = error.kind
    match kind:
        case Kind.Type():
            yield "type", kind.types, ()
        case Kind.Required():
            yield "required", None, (kind.property,)
        case Kind.AdditionalProperties():
            yield from (("additionalProperties", False, (key,)) for key in kind.unexpected)
        case Kind.Enum():
            yield "enum", kind.options, ()
        case Kind.Constant():
            yield "const", kind.expected_value, ()
        case Kind.Pattern():
            yield "pattern", kind.pattern, ()
        case Kind.MultipleOf():
            yield "multipleOf", kind.multiple_of, ()
        case _ if kind.name in _RELATIONS:
            yield kind.name, kind.limit, ()
        case Kind.UniqueItems():
            yield "uniqueItems", True, ()
        case _:
            yield "", None, error.message


def _findings(fault: Fault, root: Schema, at: str, document: Document) -> Iterator[Finding]:
    """Yield the findings for a fault; references in its schema resolve in `root`."""
    (_, rules, value, path), keyword, about = fault
    here = at + pointer(*path)
    subject = _subject(here, document)
    rule: Any = rules.get(keyword) if isinstance(rules, Mapping) else None
    match keyword:
        case "type":
            types = [rule] if isinstance(rule, str) else rule
            yield _wrong_type(here, subject, types, value, rules, document)
        case "required":
            misspelt = _misspelt(about[0], value, rules)
            if misspelt is None or _allows_key(rules, misspelt):  # else it is reported as unknown
                yield _missing_key(here, subject, about[0], misspelt, rules, root)
        case "additionalProperties":
            yield _unknown_key(here, subject, about[0], rules)
        case "enum" | "const":
            yield _unknown_value(here, subject, value, rule if keyword == "enum" else [rule])
        case "pattern":
            yield _misfit(here, subject, value, rule, rules)
        case "minLength" | "maxLength":
            message = f"{subject} must have {_RELATIONS[keyword]} {_count(rule, 'character')}"
            hint = "shorten it" if value else "write a text"
            yield Finding(here, "wrong-length", f"{message}, not {len(value)}", hint)
        case "minItems" | "maxItems" | "minProperties" | "maxProperties":
            message = f"{subject} must have {_RELATIONS[keyword]} {_count(rule, 'item')}"
            hint = "remove some" if value else "add one, or remove the key"
            yield Finding(here, "wrong-length", f"{message}, not {len(value)}", hint)
        case "uniqueItems":
            yield _repeated_item(here, subject, value)
        case _ if keyword in _RELATIONS:
            message = f"{subject} must be {_RELATIONS[keyword]} {rule}, not {literal(value)}"
            yield Finding(here, "out-of-range", message, "change the number")
        case _:
            yield Finding(here, "bad-value", f"{subject}: {fault.words}", "change the value")


def boolean(text: str) -> bool | None:
    """Return the boolean that a string means in YAML 1.1, or None."""
    return text.lower() in _TRUE if text.lower() in _TRUE + _FALSE else None


def literal(value: Any) -> str:
    """Return a value as shown in messages: scalars as JSON, collections by kind."""
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str():
            return f"the string {quote(value)}"
        case _:
            return f"`{json.dumps(value)}`"


def shown(value: Any) -> str:
    """Return a string in backticks, and any other value as `literal` does."""
    return quote(value) if isinstance(value, str) else literal(value)


def _wrong_type(
    here: str, subject: str, types: Sequence[str], value: Any, rules: Schema, document: Document
) -> Finding:
    wanted = " or ".join(_NOUNS[name] for name in _NOUNS if name in types)
    found = f", not {literal(value)}"
    match value:
        case None if not here:
            found, hint = ", but is empty", "begin with `name:`, `version:` and `tools:`"
        case None:
            found, hint = ", but has no value", "add a value, or remove the line"
        case bool() | int() | float() if "string" in types:
            hint = f'put it in quotes: "{document.written(here)}"'
        case list() | dict() if "string" in types:
            hint = "quote the text if it begins with `[` or `{` or contains `: `"
        case str() if "boolean" in types and (meant := boolean(value)) is not None:
            hint = f"write `{json.dumps(meant)}`, without quotes"
        case str() if "integer" in types or "number" in types:
            hint = "write a number, without quotes"
        case dict() if "array" in types:
            hint = "write a list: begin each item with `- `, on its own line"
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
    return Finding(here, "wrong-type", f"{subject} must be {wanted}{found}", hint)


def _misfit(here: str, subject: str, value: str, pattern: str, rules: Schema) -> Finding:
    """Return the finding for a string that does not match its pattern."""
    if "title" not in rules:
        message = f"{subject} must match {quote(pattern)}, not be {literal(value)}"
        return Finding(here, "bad-value", message, "change the text")
    title: str = rules["title"]
    id, message = f"bad-{title.lower().replace(' ', '-')}", f"invalid {title} {quote(value)}"
    return Finding(here, id, message, rules["patternErrorMessage"])


def _misspelt(key: str, value: Any, rules: Schema) -> str | None:
    """Return the unknown key that is most likely a misspelling of `key`, if any."""
    known = rules.get("properties", {})
    return next((name for name in value if name not in known and nearest(name, known) == key), None)


def _allows_key(rules: Schema, key: str) -> bool:
    """Return whether a schema allows a key that is not in its `properties`."""
    others: dict[str, object] = {
        "additionalProperties": rules.get("additionalProperties", True) is not False
    }
    if "patternProperties" in rules:
        others["patternProperties"] = dict.fromkeys(rules["patternProperties"], True)
    return Draft202012Validator(others, offline=True).is_valid({key: None})


def _missing_key(
    here: str, subject: str, key: str, misspelt: str | None, rules: Schema, schema: Schema
) -> Finding:
    about = rules.get("properties", {}).get(key)
    about = about if isinstance(about, Mapping) else {}
    referred = value_at(schema, about["$ref"][1:]) if "$ref" in about else None
    stated = {**about, **(referred if isinstance(referred, Mapping) else {})}
    example = stated.get("const") or next(iter(stated.get("examples", ())), None)
    line = f"{key}: {_flow(example)}" if example is not None else f"{key}:"
    hint = f"rename {quote(misspelt)} to `{key}`, or add `{line}`" if misspelt else f"add `{line}`"
    message = f"missing key `{key}` in {subject}"
    return Finding(here, "missing-key", message, hint, at_key=True)


def _unknown_key(here: str, subject: str, key: str, rules: Schema) -> Finding:
    known = rules.get("properties", {})
    every = f"the known keys are {join(known, 'and')}" if known else "leave it empty: `{}`"
    message, hint = f"unknown key {quote(key)} in {subject}", did_you_mean(key, known, every)
    return Finding(here + pointer(key), "unknown-key", message, hint, at_key=True)


def _unknown_value(here: str, subject: str, value: Any, options: Sequence[Any]) -> Finding:
    message = f"{subject} must be {join(map(_flow, options))}, not {literal(value)}"
    hint = f"write `{_flow(options[0])}`" if len(options) == 1 else "choose one of these"
    if isinstance(value, str):
        hint = did_you_mean(value, [one for one in options if isinstance(one, str)], hint)
    return Finding(here, "unknown-value", message, hint)


def _repeated_item(here: str, subject: str, values: Sequence[Any]) -> Finding:
    seen: dict[str, int] = {}
    for index, value in enumerate(values):
        if seen.setdefault(json.dumps(value, sort_keys=True), index) != index:
            break
    message = f"duplicate item {shown(values[index])} in {subject}"
    return Finding(f"{here}/{index}", "duplicate-item", message, "remove one of them")


def _subject(here: str, document: Document) -> str:
    """Return how messages refer to a value: by its key, its name or its list position."""
    path = tokens(here)
    if not path:
        return "the spec"
    if not isinstance(value_at(document.value, here.rpartition("/")[0]), list):
        return quote(path[-1])
    items, item = path[-2] if path[1:] else "the list", value_at(document.value, here)
    if isinstance(item, dict) and isinstance(item.get("name"), str):
        return f"{_KINDS.get(items, '')} {quote(item['name'])}".lstrip()
    return f"item {int(path[-1]) + 1} of {quote(items)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _flow(value: Any) -> str:
    """Return a value as YAML in flow style."""
    return value if isinstance(value, str) else json.dumps(value)
