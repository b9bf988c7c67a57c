"""Whether a value fits a JSON Schema of the spec, and what is wrong with it.

The engine decides at once, but its list of errors has no limit, and each error copies
its value. So a wrong value is explained in a walk with a budget, one part at a time.
"""

import json
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from time import thread_time
from typing import Any, TypeAlias, TypeGuard

import jsonschema_rs

MAX_FAULTS = 20
# Names in one fault, and characters of a name or of any other fault.
MAX_NAMES = 50
MAX_CHARACTERS = 300
# Questions to the engine about one value. Most take microseconds, but some as long as
# the decision: then the processor's time ends the walk, with what is known by then.
MAX_STEPS = 2_000
MAX_SECONDS = 0.02
MAX_SECONDS_WITH_DECISION = 0.05
# Tokens of a value, and hundreds of characters, that the engine may copy for its words.
MAX_QUOTED = 2_000
PIECES = 16

# Keywords about a value as a whole.
WHOLE = {
    *("type", "enum", "const", "not", "format", "pattern", "minLength", "maxLength"),
    *("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("contentEncoding", "contentMediaType", "uniqueItems", "minItems", "maxItems"),
    *("contains", "minContains", "maxContains", "minProperties", "maxProperties"),
    "dependentRequired",
}
# What references begin with in the copy of a schema that `choices.py` makes.
BASE = "http://schema.invalid/"

Compile: TypeAlias = Callable[[Any], jsonschema_rs.Validator]
Place: TypeAlias = tuple[str | int, ...]
Fault: TypeAlias = tuple[Place, str]
Misfit: TypeAlias = tuple[Any, Any, Place]
"""A part of the schema, a value that it refuses, and the way down to that value."""


class ContentEncoding:
    """`contentEncoding`, which the engine itself checks in draft-07 only."""

    def __init__(self, parent_schema: Any, value: Any, schema_path: Any) -> None:
        self.is_base64 = value == "base64"

    def validate(self, instance: Any) -> None:
        if self.is_base64 and isinstance(instance, str):
            b64decode(instance, validate=True)


OPTIONS: dict[str, Any] = {
    "offline": True,
    "validate_formats": True,
    "keywords": {"contentEncoding": ContentEncoding},
}
# NaN and infinity, which the SDK's parser takes too, are of no type.
TYPES = ["null", "boolean", "string", "number", "object", "array"]
JSON = jsonschema_rs.validator_for(
    {"type": TYPES, "items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}}
)


class Explainer:
    """The walk, for a schema with one part for each value: no choices, no references."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        kind: Any = jsonschema_rs.validator_cls_for(schema)
        self.compile: Compile = partial(kind, **OPTIONS)

    def faults(self, value: Any, begun: float) -> list[str]:
        """Return what is wrong with a value that does not fit, as was decided since `begun`."""
        self.engines: dict[tuple[int, str], jsonschema_rs.Validator] = {}
        self.known: dict[tuple[int, Place], list[Fault]] = {}
        self.deepest: tuple[Place, Any] = (), self.schema
        self.steps, now = MAX_STEPS, thread_time()
        self.end = min(now + MAX_SECONDS, begun + MAX_SECONDS_WITH_DECISION)
        faults = self.explain(self.schema, value, ())
        place, part = self.deepest
        del self.engines, self.known, self.deepest  # They may be large.
        return [line(*fault) for fault in faults or [(place, misfit(part))]]

    @property
    def is_over(self) -> bool:
        return self.steps < 0 or thread_time() > self.end

    def fits(self, values: Any, part: Any, key: str = "", rules: Any = None) -> bool:
        """Return whether values fit a part of the schema, or `rules` of it, named `key`.

        Once the budget is spent they do, so that the walk ends.
        """
        self.steps -= 1
        if self.is_over:
            return True
        if (id(part), key) not in self.engines:
            items = {"items": rules if key else part}
            self.engines[id(part), key] = self.compile(items)
        return self.engines[id(part), key].is_valid(values)

    def explain(self, part: Any, value: Any, place: Place) -> list[Fault]:
        """Return the faults of a value that a part refuses, worked out once."""
        if (id(part), place) in self.known:  # Or so far: the part may lead to itself.
            return self.known[id(part), place]
        faults = self.known[id(part), place] = []
        if len(place) >= len(self.deepest[0]):
            self.deepest = place, part
        with suppress(RecursionError, ValueError, jsonschema_rs.ReferencingError):
            for fault in islice(self.search(part, value, place), MAX_FAULTS):
                if fault not in faults:
                    faults.append(fault)
        return faults

    def search(self, part: Any, value: Any, place: Place) -> Iterator[Fault]:
        rules = self.whole(part)
        if rules != {} and not self.fits([value], part, "whole", rules):
            yield from at(place, self.words(rules, value))
        if is_object(part):
            if is_object(value):
                yield from at(place, self.about_names(part, value))
            for below, item, steps in self.misfits(part, value):
                yield from self.explain(below, item, (*place, *steps))

    def whole(self, part: Any) -> Any:
        """Return what a part says about a value as a whole."""
        if isinstance(part, bool):
            return part
        return {key: rule for key, rule in part.items() if key in WHOLE}

    def about_names(self, part: Any, value: dict[str, Any]) -> Iterator[str]:
        """Yield what is wrong with the names of properties, whatever else there is."""
        for name in part.get("required", ()):
            if name not in value:
                yield shortened(f"{quoted(name)} is a required property")
        if "propertyNames" in part:
            rules = {"propertyNames": part["propertyNames"]}
            for name in self.refused_names(part, value, "names", rules):
                yield from self.words(rules, {name: None})
        if part.get("additionalProperties") is False:
            names = self.refused_names(part, value, "others", others(part))
            if listed := [*islice(names, MAX_NAMES + 1)]:
                yield unexpected("Additional", listed)

    def misfits(self, part: Any, value: Any) -> Iterator[Misfit]:
        """Yield the parts within a part that refuse what is in the value."""
        if is_array(value):
            first, rest = part.get("prefixItems", []), part.get("items", True)
            if is_array(rest):  # As draft-07 has it.
                first, rest = rest, part.get("additionalItems", True)
            for at, below in enumerate(first[: len(value)]):
                if not self.fits([value[at]], below):
                    yield below, value[at], (at,)
            items = value[len(first) :] if first else value
            for at, item in narrowed(items, lambda some: self.fits(some, rest)):
                yield rest, item, (len(first) + at,)
        if is_object(value):
            for name, below in part.get("properties", {}).items():
                if name in value and not self.fits([value[name]], below):
                    yield below, value[name], (name,)
            below = part.get("additionalProperties")
            if below and below is not True:
                for name in self.refused_names(part, value, "others", others(part)):
                    yield below, value[name], (name,)

    def refused_names(
        self, part: Any, value: dict[str, Any], key: str, rules: Any
    ) -> Iterator[str]:
        """Yield the names of the properties that `rules` refuse, each by itself."""

        def fit(names: Sequence[str]) -> bool:
            if self.is_over:
                return True
            some = {name: value[name] for name in names}
            return self.fits([some], part, key, rules)

        names = [] if self.is_over else [*value]
        return (name for _, name in narrowed(names, fit))

    def words(self, rules: Any, value: Any) -> list[str]:
        """Return the engine's words, or ours for a value that is too large to copy."""
        if isinstance(value, str) and len(value) > 100 * MAX_QUOTED:
            value = value[: 50 * MAX_QUOTED] + value[-50 * MAX_QUOTED :]
        tokens = [*islice(json.JSONEncoder().iterencode(value), MAX_QUOTED)]
        if len(tokens) == MAX_QUOTED or sum(map(len, tokens)) > 200 * MAX_QUOTED:
            return [misfit(rules)]
        errors = islice(self.compile(rules).iter_errors(value), MAX_FAULTS)
        return [text_of(error) for error in errors] or [misfit(rules)]


class Schema:
    """A JSON Schema of the spec. References outside of it are never fetched."""

    def __init__(self, schema: Any, explainer: type[Explainer] = Explainer) -> None:
        self.schema, self.explainer_type = schema, explainer

    @cached_property
    def engine(self) -> jsonschema_rs.Validator:
        return jsonschema_rs.validator_for(self.schema, **OPTIONS)

    @cached_property
    def explainer(self) -> Explainer:
        return self.explainer_type(self.schema)

    def fits(self, value: Any) -> bool:
        return JSON.is_valid(value) and self.engine.is_valid(value)

    def faults(self, value: Any) -> list[str]:
        """Return what is wrong with a value, a line for each fault: `/day: …`."""
        if not JSON.is_valid(value):
            return ["/: NaN and infinity are not JSON"]
        begun = thread_time()
        if self.engine.is_valid(value):
            return []
        return self.explainer.faults(value, begun)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def at(place: Place, texts: Iterable[str]) -> Iterator[Fault]:
    return ((place, text) for text in texts)


def others(part: Any) -> Any:
    """Return what a part says about properties that it does not name."""
    named = ("properties", "patternProperties")
    rules = {key: dict.fromkeys(part.get(key, ()), True) for key in named}
    return {"additionalProperties": part["additionalProperties"], **rules}


def narrowed(
    values: Sequence[Any], fit: Callable[[Sequence[Any]], bool], start: int = 0
) -> Iterator[tuple[int, Any]]:
    """Yield the values that do not fit, asked about in ever smaller pieces."""
    size = -(-len(values) // PIECES)
    for at in range(0, len(values), size or 1):
        piece = values[at : at + size]
        if not fit(piece):
            if size == 1:
                yield start + at, piece[0]
            else:
                yield from narrowed(piece, fit, start + at)


def text_of(error: jsonschema_rs.ValidationError) -> str:
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.UnevaluatedProperties):
        return unexpected("Unevaluated", error.kind.unexpected)
    return shortened(error.message)


def unexpected(kind: str, names: list[str]) -> str:
    """Return that properties are not allowed, in the engine's words, with their names."""
    listed = [f"'{shortened(quoted(name)[1:-1])}'" for name in names[:MAX_NAMES]]
    listed += ["…"] if names[MAX_NAMES:] else []
    be = "were" if names[1:] else "was"
    return f"{kind} properties are not allowed ({', '.join(listed)} {be} unexpected)"


def misfit(rules: Any) -> str:
    return shortened(f"does not fit {quoted(rules).replace(BASE, '')}")


def quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def line(place: Place, text: str) -> str:
    """Return a fault with its place, as a JSON Pointer."""
    names = [shortened(str(name)) for name in place]
    path = "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)
    return f"{shortened(path or '/')}: {text}"


def shortened(text: str, size: int = MAX_CHARACTERS) -> str:
    half = size // 2
    return text if len(text) <= 2 * half else f"{text[:half]} … {text[-half:]}"
