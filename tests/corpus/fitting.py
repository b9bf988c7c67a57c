"""Values that fit a JSON Schema, and near misses, as the search for what breaks callers finds them.

The engine decides about each, so that they are what they are called.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from scaffold.breaking.knowledge import Known
from scaffold.breaking.parts import NEVER, Part, part_of
from scaffold.breaking.witness import Search
from scaffold.schema.engine import validator

Json: TypeAlias = Any


def fitting(schema: Mapping[str, Any], count: int) -> list[Json]:
    """Different values that fit `schema`, at most `count`, a simple one first; always the same."""
    values = searched(part_of(dict(schema)), NEVER)
    return values[:: max(1, len(values) // count)][:count]


def fitting_objects(schema: Mapping[str, Any], count: int) -> list[dict[str, Json]]:
    """As `fitting`, the first with as little as may be, and one more with all that is declared."""
    whole = {**schema, "required": list(schema.get("properties", ()))}
    return [*fitting(schema, count), *fitting(whole, 1)]


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


def near_misses(schema: Mapping[str, Any]) -> dict[str, dict[str, Json]]:
    """Objects that do not fit `schema`, by the keyword that refuses them."""
    engine, whole = validator(dict(schema)), part_of(dict(schema))
    values: dict[str, dict[str, Json]] = {}
    for rest in ({"type": "object"}, types_in(schema)):
        for value in searched(part_of(rest), whole):
            for fault in engine.iter_errors(value):
                values.setdefault(str(fault.schema_path[-1]), value)
    return values


def types_in(schema: Json) -> Json:
    """A schema that only says of which types a value, its properties and its items are."""
    if not isinstance(schema, dict):
        return schema
    kept = {key: schema[key] for key in ("type", "required") if key in schema}
    if "properties" in schema:
        kept["properties"] = {name: types_in(inner) for name, inner in schema["properties"].items()}
    return {**kept, "items": types_in(schema["items"])} if "items" in schema else kept


def searched(fits: Part, refuses: Part) -> list[Json]:
    """Different values that one schema allows and the other one refuses, simple ones first."""
    values = Search().find(Known([fits]), refuses)
    return [*{json.dumps(value): value for value in values}.values()]
