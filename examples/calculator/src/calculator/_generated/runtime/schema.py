"""Validate values against a JSON Schema of the spec, and explain the errors.

The engine decides at once, but its list of errors has no limit, and each error copies
its value. So a wrong value is explained in a walk with a budget, one part at a time.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import copy
from functools import cached_property, partial
from itertools import islice
from time import thread_time
from typing import Any, Self, TypeAlias, TypeGuard

import jsonschema_rs

MAX_FAULTS = 20
# Names in one fault, and characters of a name or of any other fault.
MAX_NAMES = 50
MAX_CHARACTERS = 300
# Of the processor's time, for a walk, and with the decision before it.
MAX_SECONDS = 0.02
MAX_SECONDS_WITH_DECISION = 0.05
# Tokens and characters of a value that the engine may copy.
MAX_TOKENS = 1_000
MAX_COPIED = 100_000

# Keywords about a value as a whole.
WHOLE = {
    *("type", "enum", "const", "not", "format", "pattern", "minLength", "maxLength"),
    *("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("contentEncoding", "contentMediaType", "uniqueItems", "minItems", "maxItems"),
    *("contains", "minContains", "maxContains", "minProperties", "maxProperties"),
    *("dependentRequired", "propertyNames"),
}
# What references begin with in the copy of a schema that `choices.py` makes.
BASE = "http://schema.invalid/"

Place: TypeAlias = tuple[str | int, ...]
Fault: TypeAlias = tuple[Place, str]
Items: TypeAlias = Iterable[tuple[Place, Any]]

OPTIONS: dict[str, Any] = {"offline": True, "validate_formats": True}
# NaN and infinity, which the SDK's parser takes too, are of no type.
TYPES = ["null", "boolean", "string", "number", "object", "array"]
JSON = jsonschema_rs.validator_for(
    {"type": TYPES, "items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}}
)


class Schema:
    """A schema without choices and references: `choices.py` explains the others."""

    end: float
    """The time at which a walk ends."""
    engines: dict[tuple[int, str], jsonschema_rs.Validator]
    """Parts of the schema, and rules of parts, that a walk has met."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    @cached_property
    def engine(self) -> jsonschema_rs.Validator:
        return jsonschema_rs.validator_for(self.schema, **OPTIONS)

    @cached_property
    def compile(self) -> Callable[..., jsonschema_rs.Validator]:
        """Compile a part of the schema, or rules of one."""
        return partial(jsonschema_rs.validator_cls_for(self.schema), **OPTIONS)

    def faults(self, value: Any) -> list[str]:
        """Return what is wrong with a value, a line for each fault: `/day: …`."""
        if not JSON.is_valid(value):
            return ["/: NaN and infinity are not JSON"]
        engine = self.engine  # The first time, it is compiled.
        begun = thread_time()
        if engine.is_valid(value):
            return []
        left = begun + MAX_SECONDS_WITH_DECISION - thread_time()
        walk = self.walk()
        walk.end = thread_time() + min(left, MAX_SECONDS)
        return [line(*fault) for fault in walk.explain(self.schema, value, ())]

    def walk(self) -> Self:
        """Return a copy for one explanation: handlers in threads may need some at once."""
        walk = copy(self)
        walk.compile = self.compile
        walk.engines = {}
        return walk

    @property
    def is_over(self) -> bool:
        return thread_time() > self.end

    def fits_part(
        self, value: Any, part: Any, key: str = "", rules: Any = None
    ) -> bool:
        """Return whether a value fits a part of the schema, or `rules` of it, named `key`.

        Once the time is over it does, so that the walk ends.
        """
        if self.is_over:
            return True
        if (id(part), key) not in self.engines:
            self.engines[id(part), key] = self.compile(rules if key else part)
        return self.engines[id(part), key].is_valid(value)

    def explain(self, part: Any, value: Any, place: Place) -> list[Fault]:
        """Return the faults of a value that a part refuses."""
        faults: list[Fault] = []
        with suppress(RecursionError, ValueError, jsonschema_rs.ReferencingError):
            for fault in islice(self.search(part, value, place), MAX_FAULTS):
                if fault not in faults:
                    faults.append(fault)
        return faults or [(place, misfit(part))]

    def words(self, rules: Any, value: Any, place: Place) -> Iterator[Fault]:
        """Yield the faults in the engine's words, or one for a value that is too large."""
        if is_small(value):
            for error in self.compile(rules).iter_errors(value):
                yield place, self.text_of(error)
        else:
            yield place, misfit(rules)

    def text_of(self, error: jsonschema_rs.ValidationError) -> str:
        return shortened(error.message)

    def search(self, part: Any, value: Any, place: Place) -> Iterator[Fault]:
        """Yield the faults of the value itself, of its names, and of what is in it."""
        rules = self.whole(part)
        if rules != {} and not self.fits_part(value, part, "whole", rules):
            yield from self.words(rules, value, place)
        if is_object(part):
            if is_object(value):
                yield from ((place, text) for text in self.about_names(part, value))
            for below, items in self.within(part, value):
                for steps, item in items:
                    if self.is_over:
                        return
                    if not self.fits_part(item, below):
                        yield from self.explain(below, item, (*place, *steps))

    def whole(self, part: Any) -> Any:
        """Return what a part says about a value as a whole."""
        if isinstance(part, bool):
            return part
        return {key: rule for key, rule in part.items() if key in WHOLE}

    def about_names(self, part: Any, value: dict[str, Any]) -> Iterator[str]:
        for name in part.get("required", ()):
            if name not in value:
                yield shortened(f"{quoted(name)} is a required property")
        if part.get("additionalProperties") is False:
            names = [*islice(self.others(part, value), MAX_NAMES + 1)]
            if names:
                yield unexpected("Additional", names)

    def others(self, part: Any, value: dict[str, Any]) -> Iterator[str]:
        """Yield the names of the properties that a part does not speak of."""
        return (name for name in value if name not in part.get("properties", ()))

    def within(self, part: Any, value: Any) -> Iterator[tuple[Any, Items]]:
        """Yield the parts within a part, with the places and values that they are for."""
        if is_array(value):
            first, rest = part.get("prefixItems", []), part.get("items", True)
            if is_array(rest):  # As draft-07 has it.
                first, rest = rest, part.get("additionalItems", True)
            for at, below in enumerate(first[: len(value)]):
                yield below, [((at,), value[at])]
            if rest is not True:
                others = range(len(first), len(value))
                yield rest, (((at,), value[at]) for at in others)
        if is_object(value):
            for name, below in part.get("properties", {}).items():
                if name in value:
                    yield below, [((name,), value[name])]
            rest = part.get("additionalProperties")
            if rest and rest is not True:
                yield rest, (((n,), value[n]) for n in self.others(part, value))


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def is_small(value: Any) -> bool:
    """Return whether the engine may copy a value."""
    with suppress(RecursionError, ValueError):  # It is deep, or has an endless number.
        tokens = [*islice(json.JSONEncoder().iterencode(value), MAX_TOKENS)]
        return len(tokens) < MAX_TOKENS and sum(map(len, tokens)) < MAX_COPIED
    return False


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
