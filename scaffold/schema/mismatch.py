"""Explain why a value does not match a JSON Schema, with a hint how to fix it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from jsonschema_rs import ValidationError, Validator
from jsonschema_rs import ValidationErrorKind as Kind

from scaffold.base.diagnostics import Fix, synonyms
from scaffold.base.diagnostics.synonyms import meant
from scaffold.base.diagnostics.wording import did_you_mean, is_certain, join, nearest, quote
from scaffold.editing.fixes import overwritten, renamed
from scaffold.schema import engine
from scaffold.schema.keywords import KEYWORDS
from scaffold.schema.resolver import value_at
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
KINDS = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource template",
    "prompts": "prompt",
    "arguments": "argument",
    "examples": "example",
    "env": "variable",
    "errors": "error",
}
"""The nouns for the items of lists in messages."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
_TRUE = ("yes", "on", "y", "true")
_FALSE = ("no", "off", "n", "false")
_SIZES = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


def mismatches(
    validator: Validator, schema: Schema, value: Any, at: str, document: Document
) -> Iterator[Finding]:
    """Yield the errors of the value at pointer `at`. `validator` is compiled from `schema`."""
    errors = engine.errors(validator, value)
    unknown = {(*e.instance_path, name) for e in errors for name in engine.properties(e)}
    for error in errors:
        match error.kind:
            case Kind.Required(property=key):
                misspelt = _misspelt(key, cast("Schema", error.instance), _rules(error, schema))
                if (*error.instance_path, misspelt) in unknown:  # It is reported as unknown.
                    continue
        yield from findings_of(error, at, document, schema)


def _rules(error: ValidationError, schema: Schema | None) -> Schema:
    """Return the schema whose keyword rejects a value; an empty one if that is unknown."""
    rules = value_at(schema, pointer(*error.schema_path[:-1]))
    return rules if isinstance(rules, Mapping) else {}


def findings_of(
    error: ValidationError, at: str, document: Document, schema: Schema | None = None
) -> Iterator[Finding]:
    """Yield the findings for an error of the engine in a value at pointer `at`.

    `schema` is the schema that rejected the value, if it is known.
    """
    if choice := engine.choices(error):
        inner, options = choice
        here = at + pointer(*inner.instance_path)
        yield _unknown_value(here, _subject(here, document), inner.instance, options)
        return
    if alternatives := engine.nearest(error):
        for inner in alternatives:
            yield from findings_of(inner, at, document, schema)
        return
    here, value = at + pointer(*error.instance_path), cast("Any", error.instance)
    rules, subject = _rules(error, schema), _subject(here, document)
    kind: Any = error.kind
    match kind:
        case _ if types := getattr(kind, "types", None) or engine.types(error):
            yield _wrong_type(here, subject, types, value, rules, document)
        case Kind.Required():
            yield _missing_key(here, subject, kind.property, value, rules, schema)
        case Kind.AdditionalProperties():
            for key in kind.unexpected:
                yield _unknown_key(here, subject, key, value, rules, document)
        case Kind.Enum() | Kind.Constant():
            yield _unknown_value(here, subject, value, engine.values(error), rules)
        case Kind.Pattern():
            yield _misfit(here, subject, value, kind.pattern, rules)
        case Kind.UniqueItems():
            yield _repeated_item(here, subject, value)
        case Kind.PropertyNames(error=inner):
            for finding in findings_of(inner, here, document, schema):
                yield finding._replace(pointer=here + pointer(str(inner.instance)), at_key=True)
        case _:
            id, hint = "bad-value", rules.get("errorMessage", "change the value")
            if kind.name in _SIZES:
                id, hint = "wrong-length", "shorten it" if kind.name[:3] == "max" else "add to it"
            elif kind.name in _BOUNDS:
                id, hint = "out-of-range", "change the number"
            yield Finding(here, id, f"{subject}: {engine.message(error)}", hint)


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
    actual = f", not {literal(value)}"
    fix: Fix | None = None
    match value:
        case str() if not here:
            actual, hint = ", not a text", "write `key: value` lines, with a space after each colon"
        case None if not here:
            actual, hint = ", but is empty", "begin with `name:`, `version:` and `tools:`"
        case _ if "errorMessage" in rules:
            hint = rules["errorMessage"]
        case None:
            actual, hint = ", but has no value", "add a value, or remove the line"
        case bool() | int() | float() if "string" in types:
            hint = f'put it in quotes: "{document.written(here)}"'
            fix = overwritten(document, here, f'"{document.written(here)}"')
        case {"name": str(own)} if "string" in types:
            hint = f"write the name: `{own}`"
        case list() | dict() if "string" in types:
            hint = "write text; quote it if it begins with `[` or `{` or contains `: `"
        case str() if "boolean" in types and (truth := boolean(value)) is not None:
            hint = f"write `{json.dumps(truth)}`, without quotes"
            fix = overwritten(document, here, json.dumps(truth))
        case str() if "integer" in types or "number" in types:
            hint = "write a number, without quotes"
            if _NUMBER.fullmatch(value) and ("number" in types or value.lstrip("-").isdigit()):
                fix = overwritten(document, here, value)
        case dict() if "array" in types and rules.get("items", {}).get("type") == "string":
            hint = f"write a list: `[{', '.join(value)}]`"
        case dict() if "array" in types:
            name = "…" if "name" in value else next(iter(value), "…")
            hint = "write a list: begin each item with `- `"
            hint += f", as in `- name: {name}`" if here.rpartition("/")[2] in KINDS else ""
        case _ if "array" in types:
            hint = f"write a list: `[{document.written(here)}]`"
        case list() if not here:
            hint = "put the list under `tools:`, after `name:` and `version:`"
        case list() if "object" in types:
            hint = "write `key: value` lines, without `- `"
        case str() if "name" in rules.get("required", ()):
            hint = f"write `name: {document.written(here)}`"
        case _ if "examples" in rules:
            hint = f"write `{_flow(rules['examples'][0])}`"
        case _:
            hint = f"write {wanted}"
    return Finding(here, "wrong-type", f"{subject} must be {wanted}{actual}", hint, fix=fix)


def _misfit(here: str, subject: str, value: str, pattern: str, rules: Schema) -> Finding:
    """Return the finding for a string that does not match its pattern."""
    if "patternErrorMessage" not in rules:
        message = f"{subject} must match {quote(pattern)}, not be {literal(value)}"
        return Finding(here, "bad-value", message, "change the text")
    title: str = rules["title"]
    id, message = f"bad-{title.lower().replace(' ', '-')}", f"invalid {title} {quote(value)}"
    hint = rules["patternErrorMessage"]
    if title == "URI" and "{" in value:
        hint = "a URI with variables belongs to `resourceTemplates`, as `uriTemplate`"
    elif near := next(
        (spelling for spelling in _respelt(value) if re.search(pattern, spelling)), None
    ):
        near = f'"{near}"' if near[0].isdigit() else near
        hint = f"did you mean `{near}`? {hint[0].upper()}{hint[1:]}"
    return Finding(here, id, message, hint)


def _respelt(value: str) -> Iterator[str]:
    """Yield a version without its `v`, and a name of words as one word, in several spellings."""
    yield value.removeprefix("v")
    if re.fullmatch(r"[\w -]*[^\W\d_][\w -]*", value):
        words = re.findall(r"[^\W_]+", value.lower())
        yield "_".join(words)
        yield "-".join(words)


def _misspelt(key: str, value: Schema, rules: Schema) -> str | None:
    """Return the unknown key that is most likely meant as `key`, if any."""
    known = rules.get("properties", {})
    unknown = [name for name in value if name not in known]
    return next((name for name in unknown if _known_key(name, value, known) == key), None)


def _missing_key(
    here: str, subject: str, key: str, value: Schema, rules: Schema, schema: Schema | None
) -> Finding:
    misspelt = _misspelt(key, value, rules)
    about = rules.get("properties", {}).get(key)
    about = about if isinstance(about, Mapping) else {}
    referred = value_at(schema, about["$ref"][1:]) if "$ref" in about else None
    stated = {**about, **(referred if isinstance(referred, Mapping) else {})}
    example = stated.get("const") or next(iter(stated.get("examples", ())), None)
    line = f"{key}: {_flow(example)}" if example is not None else f"{key}:"
    hint = f"rename {quote(misspelt)} to `{key}`, or add `{line}`" if misspelt else f"add `{line}`"
    is_map = value and all(isinstance(part, Mapping) for part in value.values())
    if key == "type" and is_map and not value.keys() & KEYWORDS:
        hint = f"write `type: object`, and put {join(list(value)[:3], 'and')} under `properties:`"
    if key not in (known := rules.get("properties", {key: {}})):
        near = nearest(key, known)
        instead = f"which has `{near}`" if near else "or remove it from `required`"
        hint = f"the schema requires `{key}`: add it to `properties`, {instead}"
    message = f"missing key `{key}` in {subject}"
    return Finding(here, "missing-key", message, hint, at_key=True)


def _unknown_key(
    here: str, subject: str, key: str, value: Schema, rules: Schema, document: Document
) -> Finding:
    known = rules.get("properties", {})
    hint = f"the known keys are {join(known, 'and')}" if known else "leave it empty: `{}`"
    fix: Fix | None = None
    if near := _known_key(key, value, known):
        hint = f"did you mean `{near}`?"
        if is_certain(_folded(key), _folded(near)) or meant(key, synonyms.KEYS, (near,)):
            fix = renamed(document, here + pointer(key), near)
    elif value[key] is None and " " in key:
        hint = "if it belongs to the text before it, quote that text: an unquoted comma ends it"
    message = f"unknown key {quote(key)} in {subject}"
    return Finding(here + pointer(key), "unknown-key", message, hint, at_key=True, fix=fix)


def _folded(key: str) -> str:
    return re.sub("[_-]", "", key).lower()


def _known_key(key: str, value: Schema, known: Schema) -> str | None:
    """Return the absent key that an unknown key of `value` stands for, if any."""
    absent = [name for name in known if name not in value]
    return meant(key, synonyms.KEYS, absent) or nearest(key, absent)


def _unknown_value(
    here: str, subject: str, value: Any, options: Sequence[Any], rules: Schema | None = None
) -> Finding:
    """Return the finding for a value that is not among the options; many have an `errorMessage`."""
    message = f"{subject} must be {join(map(_flow, options))}, not {literal(value)}"
    hint = f"write `{_flow(options[0])}`" if len(options) == 1 else "choose one of these"
    if rules and "errorMessage" in rules:
        message, hint = f"{subject} cannot be {literal(value)}", rules["errorMessage"]
    if isinstance(value, str):
        texts = [option for option in options if isinstance(option, str)]
        near = meant(value, synonyms.VALUES, texts)
        hint = f"did you mean `{near}`?" if near else did_you_mean(value, texts, hint)
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
        return document.noun
    if not isinstance(value_at(document.value, here.rpartition("/")[0]), list):
        return quote(path[-1])
    items, item = path[-2] if path[1:] else "the list", value_at(document.value, here)
    if isinstance(item, dict) and isinstance(item.get("name"), str):
        return f"{KINDS.get(items, '')} {quote(item['name'])}".lstrip()
    return f"item {int(path[-1]) + 1} of {quote(items)}"


def _flow(value: Any) -> str:
    """Return a value as YAML in flow style."""
    return value if isinstance(value, str) else json.dumps(value)
