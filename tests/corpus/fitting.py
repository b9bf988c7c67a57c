"""A JSON Schema into values that fit it, and into near misses: values broken in one place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scaffold.schema.engine import validator

Json: TypeAlias = Any
Schema: TypeAlias = Mapping[str, Any] | bool

DEPTH = 4
"""How deep values are nested where the schema does not ask for more."""

FORMATS: dict[str, st.SearchStrategy[str]] = {
    "uuid": st.uuids().map(str),
    "date": st.dates().map(str),
    "date-time": st.datetimes().map(lambda time: f"{time.isoformat()}Z"),
    "time": st.times().map(lambda time: f"{time.isoformat()}Z"),
    "email": st.from_regex(r"[a-z]{1,9}@[a-z]{1,9}\.org", fullmatch=True),
    "uri": st.from_regex(r"https://[a-z]{1,9}\.org/[a-z]{0,9}", fullmatch=True),
}

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ANYTHING: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)

WRONG: tuple[Json, ...] = (
    *(None, True, -(10**9) - 0.5, 10**9 + 0.5, 0, "", "☃" * 9999, [], [None, None], {}),
    {"no such property": None},
)
"""What few schemas take in the place of a value that fits."""


def fitting(schema: Mapping[str, Any], count: int) -> list[Json]:
    """Different values that fit `schema`, at most `count`; always the same ones.

    Raises ValueError if none is found.
    """
    fits = validator(dict(schema)).is_valid
    found: dict[str, Json] = {}

    @settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=2 * count,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(values(schema, schema))
    def collect(value: Json) -> None:
        if len(found) < count and fits(value):
            found.setdefault(json.dumps(value), value)

    collect()
    if not found:
        raise ValueError("found no value that fits")
    return list(found.values())


def fitting_objects(schema: Mapping[str, Any], count: int) -> list[dict[str, Json]]:
    """As `fitting`, the first with as little as may be, and one more with all that is declared."""
    every = {**schema, "required": list(schema.get("properties", ()))}
    found = fitting(schema, count)
    with suppress(ValueError):  # Some exclude each other.
        found += fitting(every, 1)
    return found


def with_defaults(arguments: dict[str, Json], schema: Mapping[str, Any]) -> dict[str, Json]:
    """Arguments and, for what they leave out, the defaults that fit their schema."""
    properties, required = schema.get("properties", {}), schema.get("required", ())
    context = {key: schema[key] for key in {"$schema", "$id", "$defs", "definitions"} & {*schema}}
    fits = validator({**context, "properties": properties}).is_valid
    defaults = {
        name: property_["default"]
        for name, property_ in properties.items()
        if name not in required and isinstance(property_, dict) and "default" in property_
    }
    return {
        name: default
        for name, default in defaults.items()
        if default is not None and fits({name: default})
    } | arguments


def near_misses(
    schema: Mapping[str, Any], originals: list[dict[str, Json]]
) -> dict[str, dict[str, Json]]:
    """Copies of objects that fit `schema`, each broken in one place, by the keyword that is."""
    engine = validator(dict(schema))
    found: dict[str, dict[str, Json]] = {}
    for value in originals:
        named = ({**value, name: wrong} for name in schema.get("properties", ()) for wrong in WRONG)
        for broken in (*broken_copies(value), *named):
            if isinstance(broken, dict) and not engine.is_valid(broken):
                fault = next(engine.iter_errors(broken))
                found.setdefault(str(fault.schema_path[-1]), broken)
    return found


def broken_copies(value: Json) -> Iterator[Json]:
    """Copies with one thing in them replaced, left out or added."""
    yield from WRONG
    if isinstance(value, dict):
        yield {**value, "no such property": None}
        for key, inner in value.items():
            yield {other: value[other] for other in value if other != key}
            yield from ({**value, key: broken} for broken in broken_copies(inner))
    elif isinstance(value, list):
        yield value * 9
        for at, inner in enumerate(value):
            yield from ([*value[:at], broken, *value[at + 1 :]] for broken in broken_copies(inner))


@st.composite
def values(draw: st.DrawFn, schema: Schema, root: Mapping[str, Any], depth: int = 0) -> Json:
    """Values made to fit `schema`, a part of `root`: where keywords interact, some may not."""
    if isinstance(schema, bool):
        return draw(ANYTHING)
    schema = settled(draw, schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    types = schema.get("type", "object" if "properties" in schema else None)
    match draw(st.sampled_from(types)) if isinstance(types, list) else types:
        case "object":
            return draw(objects(schema, root, depth))
        case "array":
            least = schema.get("minItems", 0)
            most = schema.get("maxItems", 3) if depth < DEPTH else least
            item = values(schema.get("items", True), root, depth + 1)
            return draw(st.lists(item, min_size=least, max_size=max(least, most)))
        case "string":
            return draw(strings(schema))
        case "integer":
            return draw(integers(schema))
        case "number":
            return draw(numbers(schema))
        case "boolean":
            return draw(st.booleans())
        case "null":
            return None
        case _:
            return draw(ANYTHING)


@st.composite
def objects(
    draw: st.DrawFn, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int
) -> dict[str, Json]:
    """With all that is required, some of what may be there, and some that is not declared."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    optional = [name for name in properties if name not in required] if depth < DEPTH else []
    chosen = draw(st.sets(st.sampled_from(optional))) if optional else set()
    value = {
        name: draw(values(properties.get(name, True), root, depth + 1))
        for name in dict.fromkeys([*properties, *required])
        if name in required or name in chosen
    }
    more = schema.get("additionalProperties", True)
    if more is False:
        return value
    names = strings(schema.get("propertyNames", {})).filter(lambda name: name not in properties)
    least = max(0, schema.get("minProperties", 0) - len(value))
    most = max(least, 2 if depth < DEPTH else 0)
    others = st.dictionaries(names, values(more, root, depth + 1), min_size=least, max_size=most)
    return value | draw(others)


def strings(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "pattern" in schema:
        matching = st.from_regex(re.compile(schema["pattern"], re.ASCII))
        return matching.filter(lambda text: least <= len(text) <= most)
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    return st.text(min_size=least, max_size=int(min(most, least + 30)))


def integers(schema: Mapping[str, Any]) -> st.SearchStrategy[int]:
    least = schema.get("exclusiveMinimum", -math.inf) + 1, schema.get("minimum", -math.inf)
    most = schema.get("exclusiveMaximum", math.inf) - 1, schema.get("maximum", math.inf)
    low, high = max(least), min(most)
    return st.integers(
        None if math.isinf(low) else math.ceil(low), None if math.isinf(high) else math.floor(high)
    )


def numbers(schema: Mapping[str, Any]) -> st.SearchStrategy[float]:
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    floats = st.floats(
        schema.get("minimum", low),
        schema.get("maximum", high),
        exclude_min=low is not None,
        exclude_max=high is not None,
        allow_nan=False,
        allow_infinity=False,
    )
    return floats.map(lambda number: int(number) if number.is_integer() else number)


def settled(
    draw: st.DrawFn, schema: Mapping[str, Any], root: Mapping[str, Any]
) -> Mapping[str, Any]:
    """A schema with its references followed, and one of its alternatives chosen.

    Raises RecursionError if it leads back to itself.
    """
    ways = ("$ref", "anyOf", "oneOf", "if", "allOf")
    for _ in range(1000):
        way = next((keyword for keyword in ways if keyword in schema), None)
        rest = {keyword: value for keyword, value in schema.items() if keyword != way}
        match way:
            case None:
                return schema
            case "$ref":
                part = referenced(schema["$ref"], root)
            case "anyOf" | "oneOf":
                part = draw(st.sampled_from(schema[way]))
            case "if" if draw(st.booleans()):
                part = merged(schema["if"], schema.get("then", True))
            case "if":
                part = schema.get("else", True)
            case _:
                part, *others = schema["allOf"]
                rest |= {"allOf": others} if others else {}
        schema = merged(rest, part)
    raise RecursionError("the schema leads back to itself")


def referenced(reference: str, root: Mapping[str, Any]) -> Schema:
    """What a reference to a place in `root` leads to."""
    schema: Any = root
    for part in reference.removeprefix("#/").split("/"):
        schema = schema[part.replace("~1", "/").replace("~0", "~")]
    found: Schema = schema
    return found


def merged(one: Mapping[str, Any], other: Schema) -> Mapping[str, Any]:
    """One schema for the values that fit both."""
    if isinstance(other, bool):
        return one
    both = {**one, **other}
    for keyword in {"allOf", "required"} & one.keys() & other.keys():
        both[keyword] = [*one[keyword], *other[keyword]]
    if "properties" in one and "properties" in other:
        mine, theirs = one["properties"], other["properties"]
        common = {name: {"allOf": [mine[name], theirs[name]]} for name in mine if name in theirs}
        both["properties"] = {**mine, **theirs, **common}
    return both
