"""Pairs of schemas: two random ones, or one and what an edit or two make of it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from tests.validators.made import DRAFT_07, SCALARS, TYPES, Made

Schema = dict[str, Any]

NESTED = ("properties", "patternProperties", "dependentSchemas", "$defs")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLE = (
    "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
    "unevaluatedProperties", "unevaluatedItems", "additionalItems",
)  # fmt: skip
BOUNDS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
    "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
)  # fmt: skip
PATTERNS = ("^a", "[0-9]", "^[ab]*$", "a|b", "^.$", "b$", "^(a|bc)+$")


class Plain(Made):
    """Schemas as people write them: keywords that belong to their type, mostly of objects."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.is_draft_7 = random.random() < 0.3
        definitions = {name: self.part(2) for name in "pqr"}
        dialect = {"$schema": DRAFT_07} if self.is_draft_7 else {}
        kinds = ["object"] * 5 + ["array", "any"]
        root = self.of_type(random.choice(kinds), 0)
        self.schema = {**dialect, **root, "$defs": definitions}

    def part(self, depth: int) -> Schema:
        chance = self.random.random()
        if depth < 4 and chance < 0.12:
            keyword = self.random.choice(["anyOf", "oneOf", "allOf", "anyOf"])
            return {keyword: [self.part(depth + 1) for _ in range(self.random.randrange(1, 4))]}
        if 0 < depth < 4 and chance < 0.2:
            return {"$ref": f"#/$defs/{self.random.choice('pqr')}"}
        simple = ["string", "string", "integer", "number", "boolean", "null", "any", "enum"]
        return self.of_type(self.random.choice(simple + ["object", "array"] * (depth < 4)), depth)

    def of_type(self, kind: str, depth: int) -> Schema:
        words: dict[str, tuple[str, ...]] = {
            "string": ("minLength", "maxLength", "pattern", "format", "enum", "not"),
            "integer": ("minimum", "maximum", "exclusiveMinimum", "multipleOf", "enum"),
            "number": ("minimum", "exclusiveMaximum", "multipleOf", "not"),
            "array": (
                *("items", "items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
                *("contains", "unevaluated"),
            ),
            "object": (
                *("required", "required", "additionalProperties", "patternProperties"),
                *("dependent", "propertyNames", "minProperties", "maxProperties", "if", "not"),
                *("unevaluated", "anyOf", "oneOf", "allOf"),
            ),
            "any": ("type", "if", "not", "const"),
        }
        if kind == "enum":
            return {"enum": [self.random.choice(SCALARS) for _ in range(3)]}
        made: Schema = {} if kind == "any" else {"type": kind}
        if kind == "object":
            made["properties"] = {name: self.part(depth + 1) for name in self.some_names()}
        some = words.get(kind, ())
        chosen = self.random.sample(some, min(len(some), self.random.choice([0, 1, 1, 2, 3])))
        for keyword in chosen:
            made |= self.keyword(keyword, depth)
        if "enum" in chosen:
            texts, numbers = ["", "a", "b", "abc", "x"], [0, 1, 2, 3, 7]
            made["enum"] = self.random.sample(texts if kind == "string" else numbers, 3)
        if "pattern" in chosen:
            made["pattern"] = self.random.choice(PATTERNS)
        return made


def pair(random: Random) -> tuple[Schema, Schema, Made]:
    """Two schemas, and what makes values that are near to them."""
    made = Plain(random) if random.random() < 0.7 else Made(random)
    old = made.schema
    chance = random.random()
    if chance < 0.15:
        other = type(made)(random)
        if other.is_draft_7 == made.is_draft_7:
            return old, other.schema, made
    new = deepcopy(old)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        edit(random, made, new)
    return (old, new, made) if random.random() < 0.5 else (new, old, made)


def plain_object(random: Random) -> tuple[Schema, Made]:
    """A schema that only lists properties, without references, and what makes values for it."""
    made = Plain(random)
    dialect = {"$schema": DRAFT_07} if made.is_draft_7 else {}
    names = random.sample(["a", "b", "c", "kind", "zz"], random.randrange(5))
    schema: Schema = {
        **dialect,
        "type": "object",
        "properties": {name: made.part(1) for name in names},
    }
    if random.random() < 0.6:
        schema["required"] = random.sample(["a", "b", "c", "kind"], random.randrange(3))
    if random.random() < 0.4:
        schema["additionalProperties"] = random.choice([True, False, False])
    return without_references(schema), made


def without_references(schema: Schema) -> Schema:
    for here in schemas_in(schema):
        here.pop("$ref", None)
    return schema


def pair_of_plain_objects(random: Random) -> tuple[Schema, Schema, Made]:
    """Two schemas that only list properties, of which some differ."""
    old, made = plain_object(random)
    if random.random() < 0.1:
        other, maker = plain_object(random)
        if maker.is_draft_7 == made.is_draft_7:
            return old, other, made
    new = deepcopy(old)
    rules = new["properties"]
    for _ in range(random.choice([1, 1, 2, 3])):
        if rules and random.random() < 0.6:
            edit(random, made, rules[random.choice([*rules])])
        else:
            about_names(random, made, new)
    without_references(new)
    return (old, new, made) if random.random() < 0.5 else (new, old, made)


def about_names(random: Random, made: Made, schema: Schema) -> None:
    """Change which properties an object may have and must have."""
    names = [*schema.get("properties", {})]
    one, other = (random.choice(["a", "b", "c", "kind", *names]) for _ in range(2))
    match random.randrange(10):
        case 0 | 1 | 2 if one in names and other not in names:  # renamed
            rules = schema["properties"]
            schema["properties"] = {other if n == one else n: rules[n] for n in rules}
            required = [other if n == one else n for n in schema.get("required", [])]
            schema["required"] = list(dict.fromkeys(required))
        case 3 if one in names:
            del schema["properties"][one]
            if random.random() < 0.5:
                schema["required"] = [n for n in schema.get("required", []) if n != one]
        case 4 | 5:
            schema["required"] = list(dict.fromkeys([*schema.get("required", []), one]))
        case 6:
            schema["additionalProperties"] = random.choice([False, False, True])
        case 7:
            schema["maxProperties"] = random.randrange(3)
        case 8:
            schema["not"] = {"required": list(dict.fromkeys([one, other]))}
        case 9:
            schema["anyOf"] = [{"required": [one]}, {"required": [other]}]
        case _:
            schema.setdefault("properties", {})[one] = made.part(2)


def edit(random: Random, made: Made, schema: Schema) -> None:
    """Change one place of a schema."""
    places = list(schemas_in(schema))
    here = random.choice(places)
    depth = 2
    change = random.randrange(14)
    keywords = [key for key in here if key not in ("$schema", "$defs")]
    if change == 0 and keywords:
        del here[random.choice(keywords)]
    elif change == 1:
        keyword = random.choice(["type", "enum", "const", "required", "properties", "items"])
        here |= made.keyword(keyword, depth)
    elif change == 2:
        bounds = [key for key in here if key in BOUNDS]
        if bounds:
            key = random.choice(bounds)
            here[key] = max(0, here[key] + random.choice([-1, 1]))
        else:
            here[random.choice(BOUNDS)] = random.randrange(4)
    elif change == 3:
        here["type"] = random.sample(TYPES, random.randrange(1, 4))
    elif change == 4 and here.get("required"):
        here["required"] = here["required"][1:]
    elif change == 5:
        here["required"] = sorted({*here.get("required", ()), random.choice(["a", "b", "kind"])})
    elif change == 6:
        here["additionalProperties"] = random.choice([True, False, made.part(depth)])
    elif change == 7:
        here.setdefault("properties", {})[random.choice("abc")] = made.part(depth)
    elif change == 8 and isinstance(here.get("enum"), list):
        here["enum"] = [*here["enum"][random.randrange(2) :], random.choice(SCALARS)]
    elif change == 9:  # the same in other words
        rest = {key: here.pop(key) for key in keywords[: random.randrange(3)]}
        if rest and "$ref" not in here:
            here["allOf"] = [*here.get("allOf", []), rest]
        else:
            here |= rest
    elif change == 10 and "$ref" not in here:
        rest = {key: here.pop(key) for key in keywords}
        here["anyOf"] = [rest, {"type": random.choice(TYPES)}]
    elif change == 11:
        here["pattern"] = random.choice(PATTERNS)
    elif change == 12:
        for keyword in LISTS[:3]:
            if isinstance(here.get(keyword), list):
                random.shuffle(here[keyword])
    else:
        words = ["unevaluated", "dependent", "contains", "if", "not", "propertyNames", "anyOf"]
        here |= made.keyword(random.choice(words), depth)


def schemas_in(schema: Any) -> Iterator[Schema]:
    """Yield a schema and all inside it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in NESTED:
        for inner in schema.get(key, {}).values():
            yield from schemas_in(inner)
    for key in LISTS:
        for inner in schema.get(key, []):
            yield from schemas_in(inner)
    items = schema.get("items")
    for inner in items if isinstance(items, list) else ():
        yield from schemas_in(inner)
    for key in SINGLE:
        yield from schemas_in(schema.get(key))
