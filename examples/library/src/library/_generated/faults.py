# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Explain why a value does not fit its schema, in bounded time.

jsonschema-rs is only asked whether a part of the value fits a part of the schema. Its
list of errors can take gigabytes: each has a copy of the value that it is about, and
there are those of all alternatives at each level.
"""

import json
import marshal
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn, TypeAlias
from urllib.parse import quote, unquote

from jsonschema_rs import Registry, Validator, validator_for

MOST_FAULTS = 20
MOST_WORK = 2_000_000  # About 10 ms: bytes that the engine reads, and our own steps.
DEEPEST = 100
CHUNK = 4096  # Entries that the engine checks at once, before it does half of them.

Schema: TypeAlias = dict[str, Any] | bool

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
ANNOTATIONS = {"$schema", "$defs", "title", "description", "default", "examples"}
STRUCTURE = {"required", "properties", "additionalProperties", "items"}
PLAIN = {*WORDS, *STRUCTURE, *ANNOTATIONS}
NOT_IN_DRAFT_7 = {"dependentRequired", "dependentSchemas", "prefixItems"}
NOT_IN_2020 = {"dependencies", "additionalItems"}
CONTENT = {"contentEncoding", "contentMediaType"}
DEEP = {"all", "items", "enum", "const", "uniqueItems", "pattern", "format", *CONTENT}


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


def validator(schema: Any, **options: Any) -> Validator:
    """Compile a schema, with formats and encodings checked in each dialect."""
    return validator_for(schema, **OPTIONS, **options)


class Spot(NamedTuple):
    """A schema, at a pointer into the whole one, and a value, at a path."""

    pointer: str
    schema: Any
    value: Any
    path: tuple[str | int, ...]

    def part(self, *keys: str | int) -> "Spot":
        """Return the value with a schema inside this one."""
        pointer, schema = self.pointer, self.schema
        for key in keys:
            pointer += "/" + str(key).replace("~", "~0").replace("/", "~1")
            schema = schema[key]
        return Spot(pointer, schema, self.value, self.path)

    def entry(self, *keys: str | int) -> "Spot":
        """Return a value inside this one, with the same schema."""
        value = self.value
        for key in keys:
            value = value[key]
        return Spot(self.pointer, self.schema, value, (*self.path, *keys))


class Fault(NamedTuple):
    """A keyword that refuses the value at a spot.

    `about` has the names of the properties concerned, or the whole message.
    """

    spot: Spot
    keyword: str
    about: Any = ()

    def __str__(self) -> str:
        return line(self.spot.path, self.words)

    @property
    def words(self) -> str:
        _, schema, value, _ = self.spot
        if isinstance(self.about, str):
            return self.about
        names = [shown(name) for name in self.about]
        if self.keyword == "additionalProperties":
            return unknown(schema, self.about[0])
        if names:
            where = f" where {names[1]} is given" if names[1:] else ""
            return f"{names[0]} is a required property{where}"
        return refused(schema, self.keyword, value)


class StopSearchError(Exception):
    """Enough faults are found, or enough work is done."""


class Explainer:
    """Explains what a schema refuses; keeps the parts of it that were compiled."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        dialect = members(schema).get("$schema")
        self.dialect = {"$schema": dialect} if dialect else {}
        self.is_draft_7 = "draft-07" in str(dialect)
        self.engines: dict[tuple[str, str], Validator] = {}

    def explain(self, value: Any) -> list[str]:
        """Return what is wrong with a value that is not valid, a line for each fault."""
        found = self.find(value)
        more = ["and more"] if len(found) > MOST_FAULTS else []
        return [*dict.fromkeys(map(str, found[:MOST_FAULTS])), *more]

    def find(self, value: Any, most: int = MOST_FAULTS) -> list[Fault]:
        """Return the faults of a value that is not valid: at most one more than `most`."""
        here = Spot("", self.schema, value, ())
        search = Search(self, here, most)
        with suppress(StopSearchError):
            search.enter(here)
        return search.found or [search.unclear()]

    def engine(self, spot: Spot, kind: str) -> Validator:
        """Compile the schema of a spot: all of it, as that of items, or one keyword."""
        key = spot.pointer, kind
        if key not in self.engines:
            rule: Any = {"$ref": "urn:schema#" + quote(spot.pointer)}
            if kind == "items":
                rule = {"items": rule}
            elif kind != "all":
                keys = CONTENT if kind == "contentMediaType" else {kind}
                rule = {name: spot.schema[name] for name in keys & spot.schema.keys()}
            registry = Registry([("urn:schema", self.schema)])
            self.engines[key] = validator({**self.dialect, **rule}, registry=registry)
        return self.engines[key]

    def meant(self, spot: Spot) -> Spot:
        """Return the spot without keywords that mean nothing in the schema's dialect."""
        if self.is_draft_7 and "$ref" in spot.schema:
            return spot._replace(schema={"$ref": spot.schema["$ref"]})
        foreign = NOT_IN_DRAFT_7 if self.is_draft_7 else NOT_IN_2020
        schema = {k: rule for k, rule in spot.schema.items() if k not in foreign}
        return spot._replace(schema=schema)

    def follow(self, spot: Spot) -> Spot:
        """Return the spot with its `$ref` resolved, if that is a plain pointer."""
        reference = members(spot.schema).get("$ref", "")
        if reference != "#" and not reference.startswith("#/"):
            return spot
        pointer = unquote(reference[1:])
        schema: Any = self.schema
        for name in pointer.split("/")[1:]:
            name = name.replace("~1", "/").replace("~0", "~")
            schema = schema[int(name) if isinstance(schema, list) else name]
            if "$id" in members(schema):
                return spot
        return spot._replace(pointer=pointer, schema=schema)


class Search:
    """A search for faults: what is found so far, and the work that is left."""

    def __init__(self, explainer: Explainer, here: Spot, most: int) -> None:
        self.explainer = explainer
        self.here = here
        self.most = most
        self.work = MOST_WORK
        self.depth = 0
        self.found: list[Fault] = []
        self.seen: set[tuple[Any, ...]] = set()

    def add(self, spot: Spot, keyword: str, about: Any = ()) -> None:
        self.found.append(Fault(spot, keyword, about))
        if len(self.found) > self.most:
            raise StopSearchError

    def unclear(self) -> Fault:
        return Fault(self.here, "", UNCLEAR)

    def engine(self, spot: Spot, kind: str) -> Validator:
        """Return a compiled schema, and count the work that it will do."""
        if kind in DEEP:
            # The fastest way to measure a value.
            self.work -= len(marshal.dumps(spot.value))
        self.work -= 1000
        if self.work <= 0:
            raise StopSearchError
        try:
            return self.explainer.engine(spot, kind)
        except ValueError as error:  # It refers to the metaschema, which isn't at hand.
            raise StopSearchError from error

    def fits(self, spot: Spot, kind: str = "all") -> bool:
        return self.engine(spot, kind).is_valid(spot.value)

    def check(self, spot: Spot) -> None:
        """Find what is refused by keywords that hold no schema."""
        _, schema, value, _ = spot
        for keyword in WORDS:
            if keyword in schema and not self.fits(spot, keyword):
                self.add(spot, keyword)
                if keyword in ("enum", "const"):
                    return
        if not isinstance(value, dict):
            return
        for name in schema.get("required", ()):
            if name not in value:
                self.add(spot, "required", (name,))
        for keyword in ("dependentRequired", "dependencies"):
            needed: dict[str, list[str] | Schema] = schema.get(keyword, {})
            for given, names in needed.items():
                for name in names if isinstance(names, list) and given in value else ():
                    if name not in value:
                        self.add(spot, keyword, (name, given))
        if schema.get("additionalProperties") is False:
            for name in self.others(spot):
                self.add(spot, "additionalProperties", (name,))

    def others(self, spot: Spot) -> list[str]:
        """Return the properties that `additionalProperties` applies to."""
        known = {*spot.schema.get("properties", ())}
        for pattern in spot.schema.get("patternProperties", ()):
            known |= {*self.matching(spot, pattern)}
        return [name for name in spot.value if name not in known]

    def matching(self, spot: Spot, pattern: str) -> list[str]:
        """Return the properties that a pattern of `patternProperties` applies to."""
        rule = spot._replace(
            schema={"pattern": pattern}, pointer=f"{pattern} for names"
        )
        names = [rule._replace(value=name) for name in spot.value]
        return [name.value for name in names if self.fits(name, "pattern")]

    def enter(self, spot: Spot) -> None:
        """Find why a value does not fit, if it does not."""
        pointer, schema, _, path = spot
        if schema is True or (pointer, path) in self.seen:
            return
        self.seen.add((pointer, path))
        if schema is False:
            self.add(spot, "", "must be left out")
            return
        is_plain = schema.keys() <= PLAIN
        if not is_plain:
            if pointer and self.fits(spot):
                return
            spot = self.explainer.meant(spot)
            self.here = spot
        before = len(self.found)
        self.check(spot)
        self.depth += 1
        if self.depth > DEEPEST:
            self.found.append(self.unclear())
        elif not pointer or "$id" not in schema:
            for part in self.parts(spot):
                self.enter(part)
        self.depth -= 1
        if not is_plain and len(self.found) == before:
            rest = {key: rule for key, rule in schema.items() if key not in PLAIN}
            self.add(spot, "", f"must fit {as_json(rest)}")

    def parts(self, spot: Spot) -> Iterator[Spot]:
        """Yield the schemas inside this one that the value, or a part of it, must fit."""
        _, schema, value, _ = spot
        if (target := self.explainer.follow(spot)) is not spot:
            yield target
        for number in range(len(schema.get("allOf", ()))):
            yield spot.part("allOf", number)
        if "if" in schema:
            branch = "then" if self.fits(spot.part("if")) else "else"
            yield from [spot.part(branch)] if branch in schema else []
        if isinstance(value, dict):
            for keyword in ("dependentSchemas", "dependencies"):
                for name, part in schema.get(keyword, {}).items():
                    if name in value and not isinstance(part, list):
                        yield spot.part(keyword, name)
            for name in schema.get("properties", ()):
                if name in value:
                    yield spot.part("properties", name).entry(name)
            for pattern in schema.get("patternProperties", ()):
                part = spot.part("patternProperties", pattern)
                yield from self.entries(part, self.matching(spot, pattern))
            if schema.get("additionalProperties"):
                part = spot.part("additionalProperties")
                yield from self.entries(part, self.others(spot))
        elif isinstance(value, list | tuple):
            is_tuple = isinstance(schema.get("items"), list)
            first, rest = (
                ("items", "additionalItems") if is_tuple else ("prefixItems", "items")
            )
            size = len(spot.value)
            count = min(len(schema.get(first, ())), size)
            for number in range(count):
                yield spot.part(first, number).entry(number)
            if rest in schema:
                yield from self.entries(spot.part(rest), range(count, size))

    def entries(self, spot: Spot, keys: Sequence[Any]) -> Iterator[Spot]:
        """Yield the entries that may be wrong; if there are many, they are checked in chunks."""
        step = min(CHUNK, max(1, len(keys) // 2))
        for start in range(0, len(keys), step):
            chunk = keys[start : start + step]
            values = [spot.value[key] for key in chunk]
            if len(keys) == 1:
                yield spot.entry(chunk[0])
            elif not self.fits(spot._replace(value=values), "items"):
                yield from self.entries(spot, chunk)


def members(value: dict[str, Any] | list[Any] | str | float | None) -> dict[str, Any]:
    """Return the members of an object, such as a schema's keywords; all else has none."""
    return value if isinstance(value, dict) else {}


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
