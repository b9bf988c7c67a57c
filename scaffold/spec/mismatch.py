"""What the JSON Schema engine says against a value, in the words of someone who can mend it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema_rs import ValidationError, Validator
from jsonschema_rs import ValidationErrorKind as Kind

from .document import Document, pointer
from .finding import Finding, listing, nearest, shown

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
_OTHER_BOOLEANS = {
    "yes": "true",
    "on": "true",
    "y": "true",
    "no": "false",
    "off": "false",
    "n": "false",
}


def mismatches(
    validator: Validator, schema: Schema, value: Any, at: str, document: Document
) -> Iterator[Finding]:
    """All that `validator`, which was made from `schema`, finds in the value at pointer `at`."""
    seen = set()
    for error in validator.iter_errors(value):
        for finding in _findings(error, schema, at, document):
            if finding not in seen:
                seen.add(finding)
                yield finding


def _findings(
    error: ValidationError, schema: Schema, at: str, document: Document
) -> Iterator[Finding]:
    here = at + pointer(*error.instance_path)
    subject = _subject(here)
    value: Any = error.instance
    kind = error.kind
    rules = _at(schema, error.schema_path[:-1])
    match kind:
        case Kind.Type():
            yield _wrong_type(here, kind.types, value, document)
        case Kind.Required():
            hint = rules.get("properties", {}).get(kind.property, {}).get("description", "")
            yield Finding(
                here,
                "missing-key",
                f"{subject} has no {shown(kind.property)}",
                f"add `{kind.property}:`" + (f" {_lower(hint)}" if hint else ""),
                at_key=True,
            )
        case Kind.AdditionalProperties():
            known = rules.get("properties", {})
            for key in kind.unexpected:
                meant = nearest(key, known)
                yield Finding(
                    f"{here}{pointer(key)}",
                    "unknown-key",
                    f"{shown(key)} is not a key that {subject} can have",
                    f"did you mean `{meant}`?" if meant else f"it can have {listing(known, 'and')}",
                    at_key=True,
                )
        case Kind.Enum() | Kind.Constant():
            options: list[Any] = (
                kind.options if isinstance(kind, Kind.Enum) else [kind.expected_value]
            )
            meant = nearest(value, options) if isinstance(value, str) else None
            yield Finding(
                here,
                "unknown-value",
                f"{subject} is {_display(value)}, and can only be {listing(map(_plain, options))}",
                f"did you mean `{meant}`?" if meant else "choose one of these",
            )
        case Kind.Pattern():
            title = rules.get("title", "value")
            yield Finding(
                here,
                f"bad-{title.lower().replace(' ', '-')}",
                f"{shown(str(value))} is not a {title}",
                rules.get("patternErrorMessage", f"it must match `{kind.pattern}`"),
            )
        case Kind.MaxLength():
            yield Finding(
                here,
                "too-long",
                f"{subject} has {len(value)} characters, and can have {kind.limit}",
                "shorten it",
            )
        case Kind.UniqueItems():
            again, first = _repeated(value)
            yield Finding(
                f"{here}/{again}",
                "duplicate-item",
                f"{_display(value[again])} is already in {subject}, as item {first + 1}",
                "remove one of the two",
            )
        case Kind.MinItems() | Kind.MinLength() | Kind.MinProperties():
            yield Finding(
                here,
                "too-few",
                f"{subject} is empty",
                "give a value, or remove the key",
                at_key=True,
            )
        case Kind.Minimum() | Kind.Maximum() | Kind.ExclusiveMinimum() | Kind.ExclusiveMaximum():
            relation = {
                "minimum": "at least",
                "maximum": "at most",
                "exclusiveMinimum": "more than",
                "exclusiveMaximum": "less than",
            }[kind.name]
            yield Finding(
                here,
                "out-of-range",
                f"{subject} is {_display(value)}, and must be {relation} {kind.limit}",
                "change the number",
            )
        case _:
            yield Finding(here, "bad-value", f"{subject}: {error.message}", "change the value")


def _wrong_type(here: str, types: Sequence[str], value: Any, document: Document) -> Finding:
    subject = _subject(here)
    wanted = " or ".join(_NOUNS[name] for name in sorted(types, key=list(_NOUNS).index))
    if value is None:
        return Finding(
            here,
            "wrong-type",
            f"{subject} has no value, and must be {wanted}",
            "give a value, or remove the key",
        )
    hint = f"write {wanted}"
    if "string" in types and isinstance(value, bool | int | float):
        hint = f'put it in quotes: "{document.written(here)}"'
    elif "string" in types and isinstance(value, list | dict):
        hint = "put the text in quotes if it begins with `[` or `{` or holds a `: `"
    elif "boolean" in types and isinstance(value, str):
        meant = _OTHER_BOOLEANS.get(value.lower(), value.lower())
        if meant in ("true", "false"):
            hint = f"write `{meant}`, without quotes"
    elif {"integer", "number"} & {*types} and isinstance(value, str):
        hint = "write the number without quotes"
    elif "array" in types and isinstance(value, dict):
        hint = "write a list: each item on a line of its own that begins with `- `"
    elif "array" in types:
        hint = "write a list, in brackets: `[…]`"
    return Finding(
        here, "wrong-type", f"{subject} is {_display(value)}, and must be {wanted}", hint
    )


def _subject(here: str) -> str:
    """How people call the value at a pointer: by its key, or by its number in a list."""
    parent, _, last = here.rpartition("/")
    last = last.replace("~1", "/").replace("~0", "~")
    if not here:
        return "the spec"
    if last.isdecimal() and parent:
        key = parent.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        return f"item {int(last) + 1} of {shown(key)}"
    return shown(last)


def _display(value: Any) -> str:
    """A value in a message: scalars as they are, the rest by its kind."""
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str():
            return f"the text {shown(value)}"
        case _:
            return f"`{_plain(value)}`"


def _plain(value: Any) -> str:
    return (
        {None: "null", True: "true", False: "false"}.get(value, str(value))
        if not isinstance(value, list | dict | str)
        else str(value)
    )


def _repeated(values: Sequence[Any]) -> tuple[int, int]:
    """The index of the first item that equals an earlier one, and the index of that."""
    for index, value in enumerate(values):
        for earlier in range(index):
            if type(values[earlier]) is type(value) and values[earlier] == value:
                return index, earlier
    return len(values) - 1, 0


def _at(schema: Any, path: Sequence[str | int]) -> Schema:
    for part in path:
        schema = schema[part]
    return schema if isinstance(schema, dict) else {}


def _lower(text: str) -> str:
    return "(" + text[0].lower() + text[1:].rstrip(".") + ")"
