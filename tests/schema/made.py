"""Random schemas with every keyword, and values that are near to what they allow."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
NAMES = ("a", "b", "kind", "x y", "", "0", "é")
SCALARS = (
    *(None, True, False, 0, 1, 1.0, 2.5, -1, 7, 2**53 + 1, 10**20, 0.3),
    *("", "a", "b", "abc", "image", "2026-01-31"),
)
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
LEAVES = (
    *("type",) * 6,
    *("enum", "const", "minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength"),
    *("maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "minProperties"),
    *("maxProperties", "required", "required", "$comment"),
)
HOLDERS = (
    *("properties",) * 5,
    *("items",) * 3,
    *("anyOf",) * 3,
    *("oneOf", "allOf", "additionalProperties", "unevaluated") * 2,
    *("patternProperties", "prefixItems", "contains", "not", "if", "dependent", "propertyNames"),
)

ANY: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum"), (0, 1, 2, 2.5)),
    "multipleOf": (1, 2, 0.5, 0.1, 3),
    "pattern": ("^a", "[0-9]"),
    "format": ("date", "email", "unknown"),
    "uniqueItems": (True, True, True, False),
    "$comment": ("none",),
}
"""What keywords may ask for; others ask for a size."""


class Made:
    """A random schema, and the means to make values for it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.is_draft_7 = random.random() < 0.3
        root = {key: value for _ in range(2) for key, value in self.part(0).items()}
        definitions = {name: self.part(1) for name in "pqr"}
        dialect = {"$schema": DRAFT_07} if self.is_draft_7 else {}
        self.schema: dict[str, Any] = {**dialect, **root, "$defs": definitions}

    def part(self, depth: int) -> dict[str, Any]:
        drawn: dict[str, Any] = {}
        if depth and self.random.random() < 0.2:
            drawn["$ref"] = f"#/$defs/{self.random.choice('pqr')}"
            if self.random.random() < 0.6:
                return drawn
        keywords = LEAVES + (HOLDERS if depth < 4 else ())
        for keyword in self.random.sample(keywords, self.random.randrange(1, 5)):
            drawn |= self.keyword(keyword, depth)
        return drawn

    def keyword(self, keyword: str, depth: int) -> dict[str, Any]:
        choice, chance, number = self.random.choice, self.random.random, self.random.randrange

        def inner() -> Any:
            return chance() < 0.5 if chance() < 0.05 else self.part(depth + 1)

        def several() -> list[Any]:
            return [inner() for _ in range(number(1, 4))]

        match keyword:
            case "type":
                several_types = self.random.sample(TYPES, number(1, 4))
                return {"type": choice(TYPES) if chance() < 0.8 else several_types}
            case "enum":
                return {"enum": [self.value(2) for _ in range(number(1, 4))]}
            case "const":
                return {"const": self.value(2)}
            case "required":
                return {keyword: self.random.sample(NAMES[:4], number(3))}
            case "properties":
                return {keyword: {name: inner() for name in self.some_names()}}
            case "patternProperties":
                return {keyword: {name: inner() for name in ("^a", "d$")[: number(1, 3)]}}
            case "additionalProperties":
                return {keyword: False if chance() < 0.5 else inner()}
            case "prefixItems" if self.is_draft_7:
                return {"items": several(), "additionalItems": inner()}
            case "prefixItems":
                return {keyword: several()}
            case "contains":
                limits = {name: number(3) for name in ("minContains", "maxContains")}
                return {keyword: inner(), **{k: v for k, v in limits.items() if chance() < 0.4}}
            case "anyOf" | "oneOf" if chance() < 0.3:
                return {keyword: [self.marked(name, depth) for name in ("a", "b", "image")]}
            case "anyOf" | "oneOf" if chance() < 0.4:
                return {keyword: [self.part(depth + 1), {"type": "null"}]}
            case "anyOf" | "oneOf" | "allOf":
                return {keyword: several()}
            case "if":
                branches = {name: inner() for name in ("then", "else") if chance() < 0.7}
                return {keyword: inner(), **branches}
            case "dependent":
                names = self.random.sample(NAMES[:3], 2)
                return choice(
                    [
                        {"dependentRequired": {"a": names}},
                        {"dependentSchemas": {"a": inner()}},
                        {"dependencies": {"a": names, "b": inner()}},
                    ]
                )
            case "unevaluated":
                rest = choice(["unevaluatedProperties", "unevaluatedItems"])
                return {rest: False if chance() < 0.5 else inner()}
            case "items" | "not" | "propertyNames":
                return {keyword: inner()}
        return {keyword: choice(ANY.get(keyword, (0, 1, 2, 2.0)))}

    def marked(self, name: str, depth: int) -> dict[str, Any]:
        """An alternative that is known by one of its properties."""
        others = {other: self.part(depth + 1) for other in self.some_names()[:1]}
        properties = {**others, "kind": {"const": name}}
        return {"type": "object", "properties": properties, "required": ["kind"]}

    def some_names(self) -> list[str]:
        return self.random.sample(NAMES, self.random.randrange(1, 4))

    def value(self, depth: int = 0) -> Any:
        """Any value."""
        kind = self.random.random()
        if depth > 3 or kind < 0.5:
            return self.random.choice(SCALARS)
        if kind < 0.75:
            return [self.value(depth + 1) for _ in range(self.random.randrange(4))]
        return {name: self.value(depth + 1) for name in self.some_names()}

    def near(self, schema: Any, depth: int = 0) -> Any:
        """A value that may fit a part of the schema, or nearly does."""
        chance, choice = self.random.random, self.random.choice
        if depth > 6 or not isinstance(schema, dict) or chance() < 0.12:
            return self.value(2)
        if "$ref" in schema:
            return self.near(self.schema["$defs"][schema["$ref"][-1]], depth + 1)
        if "const" in schema:
            return deepcopy(schema["const"])
        if "enum" in schema:
            return deepcopy(choice(schema["enum"]))
        for keyword in ("anyOf", "oneOf", "allOf"):
            if keyword in schema and chance() < 0.7:
                return self.near(choice(schema[keyword]), depth + 1)
        types = schema.get("type", ["object", "array", choice(TYPES)])
        kind = types if isinstance(types, str) else choice(types)
        if kind == "object":
            given = schema.get("properties", {}).items()
            drawn = {name: self.near(part, depth + 1) for name, part in given if chance() < 0.8}
            drawn |= {name: self.value(2) for name in schema.get("required", ()) if chance() < 0.8}
            return drawn | ({choice(NAMES): self.value(2)} if chance() < 0.3 else {})
        if kind == "array":
            items = schema.get("items", True)
            firsts = items if isinstance(items, list) else schema.get("prefixItems", [])
            rest = schema.get("additionalItems") if isinstance(items, list) else items
            parts = [*firsts, *[rest] * self.random.randrange(4)]
            return [self.near(part, depth + 1) for part in parts]
        texts, numbers = ["", "a", "abc", "0"], [0.5, 1, 2.25, -4]
        plain: dict[str, list[Any]] = {
            "string": texts,
            "integer": [0, 1, 3.0],
            "number": numbers,
            "null": [None],
        }
        return choice(plain.get(kind, [True, False]))
