# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Explain why a value does not fit its schema, in bounded time.

jsonschema-rs is only asked whether a part of the value fits a part of the schema. Its
list of errors can take gigabytes: each has a copy of the value that it is about.
"""

import json
import marshal
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sized
from itertools import islice
from typing import Any, NoReturn, TypeAlias

from jsonschema_rs import Validator, validator_for

MOST_FAULTS = 20
MOST_WORK = 2_000_000  # About 10 ms: bytes that the engine reads, and our own steps.
CHUNK = 4096  # Entries that the engine checks at once, before it does half of them.

Json: TypeAlias = dict[str, Any] | list[Any] | str | float | None

encoded = json.JSONEncoder(ensure_ascii=False, default=str).encode

WORDS = {
    **dict.fromkeys(("enum", "const", "type"), "must be {rule}, not {value}"),
    "minimum": "must be at least {rule}, not {value}",
    "maximum": "must be at most {rule}, not {value}",
    "exclusiveMinimum": "must be more than {rule}, not {value}",
    "exclusiveMaximum": "must be less than {rule}, not {value}",
    "multipleOf": "must be a multiple of {rule}, not {value}",
    "minLength": "must have {rule} or more characters, not {size}",
    "maxLength": "must have {rule} or fewer characters, not {size}",
    "pattern": "must match {rule}, not {value}",
    "format": "must have the format {rule}, not {value}",
    "contentEncoding": "must have the encoding {rule}, not {value}",
    "contentMediaType": "must have the media type {rule}, not {value}",
    "minItems": "must have {rule} or more items, not {size}",
    "maxItems": "must have {rule} or fewer items, not {size}",
    "uniqueItems": "the items must be unique",
    "minProperties": "must have {rule} or more properties, not {size}",
    "maxProperties": "must have {rule} or fewer properties, not {size}",
}
UNCLEAR = "something in here is not valid, but too large or deep to say what"
CONTENT = {"contentEncoding", "contentMediaType"}
DEEP = {"items", "enum", "const", "uniqueItems", "pattern", "format", *CONTENT}


class ContentEncoding:
    """`contentEncoding`, which the engine itself checks in draft-07 only."""

    def __init__(self, schema: dict[str, Any], rule: Any, path: Any) -> None:
        self.is_base64 = rule == "base64"

    def validate(self, value: Any) -> None:
        """Raise ValueError over text that is not encoded like this."""
        if self.is_base64 and isinstance(value, str):
            b64decode(value, validate=True)


def refuse(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(constant)


class ContentMediaType:
    """`contentMediaType`, of text that may be encoded."""

    def __init__(self, schema: dict[str, Any], rule: Any, path: Any) -> None:
        self.is_json = rule == "application/json"
        self.is_base64 = schema.get("contentEncoding") == "base64"

    def validate(self, value: Any) -> None:
        """Raise ValueError over text that is not of this type."""
        if self.is_json and isinstance(value, str):
            text = b64decode(value) if self.is_base64 else value
            json.loads(text, parse_constant=refuse)


# The format that the engine itself checks in 2020-12 only.
UUID = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_uuid(text: str) -> bool:
    return UUID.fullmatch(text) is not None


OPTIONS: dict[str, Any] = {
    "offline": True,
    "validate_formats": True,
    "formats": {"uuid": is_uuid},
    "keywords": {
        "contentEncoding": ContentEncoding,
        "contentMediaType": ContentMediaType,
    },
}


def validator(schema: Any) -> Validator:
    """Compile a schema, with formats and encodings checked in each dialect."""
    return validator_for(schema, **OPTIONS)


class Explainer:
    """Explains what a schema refuses; keeps the parts of it that were compiled."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        dialect = schema.get("$schema")
        self.dialect = {"$schema": dialect} if dialect else {}
        self.engines: dict[tuple[int, str], Validator] = {}
        self.work = 0

    def explain(self, value: Json) -> list[str]:
        """Return what is wrong with a value that is not valid, a line for each fault."""
        self.work = MOST_WORK
        found = list(islice(self.find(self.schema, value), MOST_FAULTS + 1))
        more = ["and more"] if len(found) > MOST_FAULTS else []
        return [*dict.fromkeys(found[:MOST_FAULTS]), *more] or [line((), UNCLEAR)]

    def find(
        self, schema: dict[str, Any], value: Json, *path: str | int
    ) -> Iterator[str]:
        """Yield a line for each fault of a value, and of what is in it."""
        for words in self.check(schema, value):
            yield line(path, words)
        if isinstance(value, dict):
            properties: dict[str, dict[str, Any] | bool] = schema.get("properties", {})
            for name, part in properties.items():
                if name in value and isinstance(part, dict):
                    yield from self.find(part, value[name], *path, name)
        elif isinstance(value, list) and schema.get("items", True) is not True:
            for number in self.wrong_items(schema, value, range(len(value))):
                yield from self.find(schema["items"], value[number], *path, number)

    def check(self, schema: dict[str, Any], value: Json) -> Iterator[str]:
        """Yield what is refused by keywords that hold no schema."""
        for keyword in WORDS:
            if keyword in schema and not self.fits(schema, keyword, value):
                yield refused(schema, keyword, value)
                if keyword in ("enum", "const"):
                    return
        if not isinstance(value, dict):
            return
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{shown(name)} is a required property"
        if schema.get("additionalProperties") is False:
            for name in value:
                if name not in schema.get("properties", ()):
                    yield unknown(schema, name)

    def wrong_items(
        self, schema: dict[str, Any], value: list[Any], numbers: range
    ) -> Iterator[int]:
        """Yield the numbers of items that may be wrong; many are checked in chunks."""
        step = min(CHUNK, max(1, len(numbers) // 2))
        for start in range(0, len(numbers), step):
            chunk = numbers[start : start + step]
            if len(numbers) == 1:
                yield chunk[0]
            elif not self.fits(schema, "items", value[chunk.start : chunk.stop]):
                yield from self.wrong_items(schema, value, chunk)

    def fits(self, schema: dict[str, Any], keyword: str, value: Json) -> bool:
        """Return whether a keyword allows a value; after enough work, each does."""
        if keyword in DEEP:
            # The fastest way to measure a value.
            self.work -= len(marshal.dumps(value))
        self.work -= 1000
        if self.work <= 0:
            return True
        key = id(schema), keyword  # The catalog keeps every schema.
        if key not in self.engines:
            rule = {keyword: schema[keyword]}
            if keyword == "contentMediaType":
                rule = {name: schema[name] for name in CONTENT & schema.keys()}
            self.engines[key] = validator({**self.dialect, **rule})
        return self.engines[key].is_valid(value)


def line(path: Iterable[str | int], words: str) -> str:
    """Return the line of a fault: where it is, and what is wrong there."""
    place = "/" + "/".join([encoded(str(key))[1:-1] for key in path])
    place = place if len(place) <= 400 else f"{place[:200]}…{place[-200:]}"
    return f"{place}: {cut(words, 400)}"


def refused(schema: dict[str, Any], keyword: str, value: Any) -> str:
    """Return what a keyword has against a value."""
    if keyword == "type":
        rule = listed(types_of(schema), with_article)
    else:
        rule = schema[keyword]
        rule = listed(rule if keyword == "enum" else [rule], as_json)
    size = len(value) if isinstance(value, Sized) else 0
    return WORDS[keyword].format(rule=rule, value=shown(value), size=size)


def unknown(schema: dict[str, Any], name: str) -> str:
    """Return that a property is not one of those that an object can have."""
    known = listed(schema.get("properties", ()), shown, "and")
    more = f"; it can have {known}" if known else ""
    return f"{shown(name)} is not a property here{more}"


def types_of(schema: dict[str, Any]) -> list[str]:
    types = schema["type"]
    return [types] if isinstance(types, str) else types


def with_article(name: str) -> str:
    return name if name == "null" else f"{'an' if name[0] in 'aio' else 'a'} {name}"


def listed(items: Iterable[Any], said: Callable[[Any], str], last: str = "or") -> str:
    """Return a list for a sentence; the end of a long one is left out."""
    items = list(items)
    words = [said(item) for item in items[:12]]
    if len(items) > 12:
        words[10:] = [f"{len(items) - 10} others"]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def as_json(rule: Any) -> str:
    return cut(encoded(rule), 120)


def shown(value: Any) -> str:
    """Return a value for a sentence: as JSON if it is short, else by its type."""
    if isinstance(value, dict | list | tuple):
        return "an object" if isinstance(value, dict) else "an array"
    if isinstance(value, int) and value.bit_length() > 256:
        return "so large a number"
    value = cut(value, 60) if isinstance(value, str) else value
    return encoded(value)
