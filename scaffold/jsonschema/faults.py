"""Faults: what keeps a value from fitting its schema, found in bounded time.

The engine says only whether a part of the value fits a part of the schema. Its list of
errors has those of all alternatives, level by level: one typo can take gigabytes.
"""

import json
import marshal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from jsonschema_rs import Registry, Validator, validator_for

MOST_FAULTS = 20
MOST_WORK = 2_000_000  # About 10 ms: bytes that the engine looks at, and our own steps.
DEEPEST = 100
CHUNK = 4096  # Entries that the engine checks at once, before it does half of them.

WORDS = {
    "enum": "must be {rule}, not {value}",
    "const": "must be {rule}, not {value}",
    "type": "must be {rule}, not {value}",
    "minimum": "must be at least {rule}, not {value}",
    "maximum": "must be at most {rule}, not {value}",
    "exclusiveMinimum": "must be more than {rule}, not {value}",
    "exclusiveMaximum": "must be less than {rule}, not {value}",
    "multipleOf": "must be a multiple of {rule}, not {value}",
    "minLength": "must have {rule} or more characters, not {size}",
    "maxLength": "must have {rule} or fewer characters, not {size}",
    "pattern": "must match {rule}, not {value}",
    "format": "must have the format {rule}, not {value}",
    "minItems": "must have {rule} or more items, not {size}",
    "maxItems": "must have {rule} or fewer items, not {size}",
    "uniqueItems": "the items must be unique",
    "minProperties": "must have {rule} or more properties, not {size}",
    "maxProperties": "must have {rule} or fewer properties, not {size}",
}
FLAT = {*WORDS, "required", "title", "description", "default", "examples"}
PLAIN = FLAT | {"properties", "additionalProperties", "items", "$defs", "$schema"}
NOT_IN_DRAFT_7 = {"dependentRequired", "dependentSchemas", "prefixItems"}
NOT_IN_2020 = {"dependencies", "additionalItems"}
DEEP = {"$ref", "items", "enum", "const", "uniqueItems", "pattern", "format"}


class Spot(NamedTuple):
    """A schema, at a pointer into the whole one, and a value, at a path."""

    pointer: str
    schema: Any
    value: Any
    path: tuple[str | int, ...]

    def part(self, keyword: str, *keys: str | int) -> "Spot":
        """The value with a schema inside of this one."""
        pointer, schema = self.pointer, self.schema
        for key in (keyword, *keys):
            pointer += "/" + str(key).replace("~", "~0").replace("/", "~1")
            schema = schema[key]
        return self._replace(pointer=pointer, schema=schema)

    def entry(self, key: str | int) -> "Spot":
        return self._replace(value=self.value[key], path=(*self.path, key))


class Fault(NamedTuple):
    """A keyword that refuses the value at a spot; about says which property, or all."""

    spot: Spot
    keyword: str
    about: Any = ()

    def __str__(self) -> str:
        path = (
            "".join(f"/{json.dumps(str(key))[1:-1]}" for key in self.spot.path) or "/"
        )
        path = path if len(path) <= 400 else f"{path[:200]}…{path[-200:]}"
        return f"{path}: {cut(self.words, 400)}"

    @property
    def words(self) -> str:
        _, schema, value, _ = self.spot
        if isinstance(self.about, str):
            return self.about
        names = [shown(name) for name in self.about]
        if self.keyword == "additionalProperties":
            known = listed(schema.get("properties", ()), shown, "and")
            more = f"; it can have {known}" if known else ""
            return f"{names[0]} is not a property here{more}"
        if names:
            where = f" where {names[1]} is given" if names[1:] else ""
            return f"{names[0]} is a required property{where}"
        rule = schema[self.keyword]
        if self.keyword == "type":
            rule = listed(types_of(schema), with_article)
        else:
            rule = listed(rule if self.keyword == "enum" else [rule], as_json)
        size = len(value) if isinstance(value, str | list | tuple | dict) else 0
        return WORDS[self.keyword].format(rule=rule, value=shown(value), size=size)


class StopSearchError(Exception):
    """Enough is found, or all the work is done that a wrong value is worth."""


class Explainer:
    """A schema and the parts of it that were compiled to explain what it refuses."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        dialect = schema.get("$schema") if isinstance(schema, dict) else None
        self.dialect = {"$schema": dialect} if dialect else {}
        self.is_draft_7 = "draft-07" in str(dialect)
        self.engines: dict[tuple[str, str], Validator] = {}

    def explain(self, value: Any) -> list[str]:
        """Say what is wrong with a value that is not valid, a line for each fault."""
        found = self.find(value)
        more = ["and more"] if len(found) > MOST_FAULTS else []
        return [*dict.fromkeys(map(str, found[:MOST_FAULTS])), *more]

    def find(self, value: Any, most: int = MOST_FAULTS) -> list[Fault]:
        """Find what is wrong with a value that is not valid, up to one fault too many."""
        search = Search(self, Spot("", self.schema, value, ()), most)
        with suppress(StopSearchError):
            search.enter(search.here)
        return search.found or [search.unclear()]

    def engine(self, place: str, keyword: str, rule: Any) -> Validator:
        """Compile a keyword, once for each place that has it."""
        key = place, keyword
        if key not in self.engines:
            if keyword in ("$ref", "items"):
                rule = "urn:schema#" + quote(place)
                rule = rule if keyword == "$ref" else {"$ref": rule}
            schema = {**self.dialect, keyword: rule}
            registry = Registry([("urn:schema", self.schema)])
            self.engines[key] = validator_for(schema, registry=registry, offline=True)
        return self.engines[key]

    def meant(self, spot: Spot) -> Spot:
        """Leave out keywords that have no meaning in the dialect of the schema."""
        if self.is_draft_7 and "$ref" in spot.schema:
            return spot._replace(schema={"$ref": spot.schema["$ref"]})
        foreign = NOT_IN_DRAFT_7 if self.is_draft_7 else NOT_IN_2020
        schema = {k: rule for k, rule in spot.schema.items() if k not in foreign}
        return spot._replace(schema=schema)

    def follow(self, spot: Spot) -> Spot:
        """Resolve the reference that a schema is, if that is a plain pointer."""
        reference = spot.schema.get("$ref", "") if isinstance(spot.schema, dict) else ""
        if reference != "#" and not reference.startswith("#/"):
            return spot
        pointer, schema = unquote(reference[1:]), self.schema
        for name in pointer.split("/")[1:]:
            name = name.replace("~1", "/").replace("~0", "~")
            schema = schema[int(name) if isinstance(schema, list) else name]
            if isinstance(schema, dict) and "$id" in schema:
                return spot
        return spot._replace(pointer=pointer, schema=schema)


class Search:
    """One search: what is found so far, and the work that is left."""

    def __init__(self, explainer: Explainer, here: Spot, most: int) -> None:
        self.most = most
        self.explainer = explainer
        self.here = here
        self.work = MOST_WORK
        self.depth = 0
        self.found: list[Fault] = []
        self.seen: set[tuple[Any, ...]] = set()

    def add(self, spot: Spot, keyword: str, about: Any = ()) -> None:
        self.found.append(Fault(spot, keyword, about))
        if len(self.found) > self.most:
            raise StopSearchError

    def unclear(self) -> Fault:
        words = "something in here is not valid, but too large or deep to say what"
        return Fault(self.here, "", words)

    def is_valid(self, value: Any, place: str, keyword: str, rule: Any = None) -> bool:
        """Ask the engine, and pay for its work and ours."""
        if keyword in DEEP:
            self.work -= len(marshal.dumps(value))  # The fastest way to tell its size.
        self.work -= 1000  # Our own part.
        if self.work <= 0:
            raise StopSearchError
        try:
            return self.explainer.engine(place, keyword, rule).is_valid(value)
        except (
            ValueError
        ) as error:  # A reference to the metaschema, which isn't at hand.
            raise StopSearchError from error

    def fits(self, spot: Spot) -> bool:
        return self.is_valid(spot.value, spot.pointer, "$ref")

    def enter(self, spot: Spot) -> None:
        """Find why a value does not fit, if it does not."""
        if spot.schema is True or (spot.pointer, spot.path) in self.seen:
            return
        self.seen.add((spot.pointer, spot.path))
        if spot.schema is False:
            self.add(spot, "", "must be left out")
            return
        is_plain = spot.schema.keys() <= PLAIN
        if not is_plain and spot.pointer and self.fits(spot):
            return
        spot = self.explainer.meant(spot)
        self.here = spot if not is_plain else self.here
        before = len(self.found)
        self.check(spot)
        self.depth += 1
        if self.depth > DEEPEST:
            self.found.append(self.unclear())
        elif not spot.pointer or "$id" not in spot.schema:
            for part in self.parts(spot):
                self.enter(part)
            for keyword in ("anyOf", "oneOf"):
                if keyword in spot.schema:
                    self.choose(spot, keyword)
        self.depth -= 1
        if not is_plain and len(self.found) == before:
            rest = {key: rule for key, rule in spot.schema.items() if key not in PLAIN}
            self.add(spot, "", f"must fit {as_json(rest)}")

    def check(self, spot: Spot) -> None:
        """Find what the keywords refuse that hold no schema."""
        _, schema, value, _ = spot
        for keyword in WORDS:
            if keyword in schema and not self.is_valid(
                value, spot.pointer, keyword, schema[keyword]
            ):
                self.add(spot, keyword)
                if keyword in ("enum", "const", "type"):
                    return
        if not isinstance(value, dict):
            return
        for name in schema.get("required", ()):
            if name not in value:
                self.add(spot, "required", (name,))
        for keyword in ("dependentRequired", "dependencies"):
            for given, names in schema.get(keyword, {}).items():
                for name in names if isinstance(names, list) and given in value else ():
                    if name not in value:
                        self.add(spot, keyword, (name, given))
        if schema.get("additionalProperties") is False:
            for name in self.others(spot):
                self.add(spot, "additionalProperties", (name,))

    def others(self, spot: Spot) -> Iterator[str]:
        """The names that `additionalProperties` is for."""
        patterns = spot.schema.get("patternProperties", ())
        known = spot.schema.get("properties", ())
        for name in spot.value:
            if name not in known and not any(self.matches(p, name) for p in patterns):
                yield name

    def matches(self, pattern: str, name: str) -> bool:
        return self.is_valid(name, f"name {pattern}", "pattern", pattern)

    def parts(self, spot: Spot) -> Iterator[Spot]:
        """The schemas inside of this one that the value, or what is in it, must fit."""
        _, schema, value, _ = spot
        if (target := self.explainer.follow(spot)) != spot:
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
                names = [name for name in value if self.matches(pattern, name)]
                yield from self.entries(spot.part("patternProperties", pattern), names)
            if schema.get("additionalProperties"):
                names = list(self.others(spot))
                yield from self.entries(spot.part("additionalProperties"), names)
        elif isinstance(value, list | tuple):
            is_tuple = isinstance(schema.get("items"), list)
            first, rest = (
                ("items", "additionalItems") if is_tuple else ("prefixItems", "items")
            )
            count = min(len(schema.get(first, ())), len(value))
            for number in range(count):
                yield spot.part(first, number).entry(number)
            if rest in schema:
                yield from self.entries(spot.part(rest), range(count, len(value)))

    def entries(self, spot: Spot, keys: Sequence[Any]) -> Iterator[Spot]:
        """The entries of the value that may be wrong; where there are many, in chunks."""
        step = min(CHUNK, max(1, len(keys) // 2))
        for start in range(0, len(keys), step):
            chunk = keys[start : start + step]
            if len(keys) <= 1:
                yield from map(spot.entry, chunk)
            elif not self.is_valid(slice_of(spot.value, chunk), spot.pointer, "items"):
                yield from self.entries(spot, chunk)

    def choose(self, spot: Spot, keyword: str) -> None:
        """Find what the likeliest alternative refuses, where a value fits none."""
        options = [
            spot.part(keyword, number) for number in range(len(spot.schema[keyword]))
        ]
        if fitting := sum(map(self.fits, options)):
            if keyword == "oneOf" and fitting > 1:
                one = f"exactly one of {len(options)}"
                self.add(
                    spot, keyword, f"fits {fitting} alternatives, and must fit {one}"
                )
            return
        options = [
            o for o in map(self.explainer.follow, options) if isinstance(o.schema, dict)
        ]
        marked = [marks(option) for option in options]
        for path, mark in marked[0].items() if marked else ():
            if all(path in each for each in marked):
                allowed = [value for each in marked for value in values_of(each[path])]
                place = f"{spot.pointer}/{keyword} {mark.pointer}"
                if not self.is_valid(mark.value, place, "enum", allowed):
                    self.add(mark._replace(schema={"enum": allowed}), "enum")
                    return
        ranks = [self.likelihood(option) for option in options]
        if options and not max(ranks)[0] and all("type" in o.schema for o in options):
            types = dict.fromkeys(name for o in options for name in types_of(o.schema))
            self.add(spot._replace(schema={"type": list(types)}), "type")
            return
        best = [o for o, rank in zip(options, ranks, strict=True) if rank == max(ranks)]
        self.tell_of(best[:3], spot, keyword)

    def likelihood(self, spot: Spot) -> tuple[int, ...]:
        """How likely a value was meant for this schema, to compare with others."""
        _, schema, value, _ = spot
        kinds = [k for k in ("type", "enum", "const") if k in schema]
        fits = all(self.is_valid(value, spot.pointer, k, schema[k]) for k in kinds)
        if not isinstance(value, dict):
            return (fits,)
        right = [
            self.is_valid(mark.value, mark.pointer, k, mark.schema[k])
            for mark in marks(spot).values()
            for k in ("enum", "const")
            if k in mark.schema
        ]
        shared = len(schema.get("properties", {}).keys() & value.keys())
        missing = len(set(schema.get("required", ())) - value.keys())
        return fits, -right.count(False), right.count(True), shared - missing

    def tell_of(self, likely: list[Spot], spot: Spot, keyword: str) -> None:
        """Find the faults of the alternative where they lie deepest, or say all that is asked."""
        asked: dict[int, list[list[Fault]]] = {}
        for option in likely:
            before = len(self.found)
            self.enter(option)
            if faults := self.found[before:]:
                asked.setdefault(min(len(f.spot.path) for f in faults), []).append(
                    faults
                )
                del self.found[before:]
        deepest = asked[max(asked)] if asked else []
        if len(deepest) == 1:
            self.found += deepest[0]
        elif deepest:
            words = [
                " and ".join(
                    f.words if f.spot.path == spot.path else str(f) for f in faults[:3]
                )
                for faults in deepest
            ]
            self.add(spot, keyword, "; or ".join(dict.fromkeys(words)))


def marks(spot: Spot) -> dict[Any, Spot]:
    """Where a value says what it is: the value or a property that must be one of a few."""
    names = spot.schema.get("properties", ()) if isinstance(spot.value, dict) else ()
    parts = [
        spot.part("properties", name).entry(name)
        for name in names
        if name in spot.value
    ]
    return {
        part.path: part
        for part in (spot, *parts)
        if isinstance(part.schema, dict) and {"enum", "const"} & part.schema.keys()
    }


def values_of(spot: Spot) -> list[Any]:
    schema = spot.schema
    return list(schema["enum"]) if "enum" in schema else [schema["const"]]


def slice_of(value: Any, keys: Sequence[Any]) -> list[Any]:
    if isinstance(keys, range):
        return list(value[keys.start : keys.stop])
    return [value[key] for key in keys]


def types_of(schema: dict[str, Any]) -> list[str]:
    types = schema["type"]
    return [types] if isinstance(types, str) else list(types)


def with_article(name: str) -> str:
    return name if name == "null" else f"{'an' if name[0] in 'aio' else 'a'} {name}"


def listed(
    items: Iterable[Any],
    said: Callable[[Any], str],
    last: str = "or",
) -> str:
    """A list for a sentence, without the end of a long one."""
    items = list(items)
    words = [said(item) for item in items[:12]]
    if len(items) > 12:
        words[10:] = [f"{len(items) - 10} others"]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def as_json(rule: Any) -> str:
    return cut(json.dumps(rule, ensure_ascii=False), 120)


def shown(value: Any) -> str:
    """A value for a sentence: what is short as JSON, the rest by its type."""
    if isinstance(value, dict | list | tuple):
        return "an object" if isinstance(value, dict) else "an array"
    if isinstance(value, int) and value.bit_length() > 256:
        return "so large a number"
    value = cut(value, 60) if isinstance(value, str) else value
    return json.dumps(value, ensure_ascii=False, default=str)
