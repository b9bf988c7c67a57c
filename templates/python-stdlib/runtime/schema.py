"""What is wrong with a value in words, a line for each fault: `/day: …`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from .engine import Engine
from .rules import Fault, is_number, size

Format: TypeAlias = Callable[[str], bool]
Pattern: TypeAlias = "tuple[str, int | None]"
"""A pattern as Python's `re` has it, and the length of texts that it may take, if limited."""

# Characters of a value, of a list of values, and of names and places, that are shown.
MAX_SHOWN = 60
MAX_LISTED = 300
MAX_NAMED = 4_000
UNCLEAR = "/: it is nested too deeply to say what is wrong"

WORDS = {
    "type": "{value} is not of type {rule}",
    "false": "{value} is not allowed here",
    "required": "it is required",
    "additionalProperties": "no such propert{y}: {rule}",
    "dependentRequired": "with {rule[0]}, it must have {rule[1]}",
    "minLength": "{value} is shorter than {rule} character{s}",
    "maxLength": "{value} is longer than {rule} character{s}",
    "pattern": "{value} does not match {rule}",
    "format": "{value} is not a {rule}",
    "contentEncoding": "{value} is not encoded as {rule}",
    "contentMediaType": "{value} is not {rule}",
    "minimum": "{value} is less than the minimum of {rule}",
    "maximum": "{value} is greater than the maximum of {rule}",
    "exclusiveMinimum": "{value} is not greater than {rule}",
    "exclusiveMaximum": "{value} is not less than {rule}",
    "multipleOf": "{value} is not a multiple of {rule}",
    "minItems": "{value} has less than {rule} item{s}",
    "maxItems": "{value} has more than {rule} item{s}",
    "uniqueItems": "{value} has items that are equal",
    "contains": "{value} does not contain as many fitting items as it must",
    "minProperties": "{value} has less than {rule} propert{y}",
    "maxProperties": "{value} has more than {rule} propert{y}",
    "const": "{value} is not {rule}",
    "enum": "{value} is not one of {rule}",
    "not": "{value} fits what it must not fit",
    "oneOf": "{value} fits more than one choice",
}


class Schema:
    """A schema, which becomes functions when it is first needed."""

    def __init__(
        self,
        schema: Any,
        formats: Mapping[str, Format] = {},
        patterns: Mapping[str, Pattern] = {},
        engine: type[Engine] = Engine,
    ) -> None:
        self.schema, self.formats, self.patterns = schema, formats, patterns
        self.engine_type = engine

    @cached_property
    def engine(self) -> Engine:
        return self.engine_type(self.schema, self.formats, self.pattern)

    def faults(self, value: Any) -> list[str]:
        """Return what is wrong with a value: at most 20 lines, none if it fits."""
        try:
            first = self.engine.first(value)
        except RecursionError:
            return [UNCLEAR]
        if first is None:
            return []
        from .explain import MAX_FAULTS, explain  # Most calls are right.

        faults = explain(self.engine, value, first)
        return [*dict.fromkeys(map(self.line, faults))][:MAX_FAULTS]

    def pattern(self, rule: str) -> Format:
        """Return what tells whether a text matches a pattern."""
        source, longest = self.patterns.get(rule, (rule, None))
        search = re.compile(source).search
        if longest is None:
            return lambda text: search(text) is not None
        # It may take a second: an explanation must not take another one.
        found = lru_cache(lambda text: search(text) is not None)
        return lambda text: len(text) <= longest and found(text)

    def line(self, fault: Fault) -> str:
        keyword, rule, value, place = fault
        names = (str(name)[:MAX_NAMED] for name in place)
        path = "".join(
            "/" + name.replace("~", "~0").replace("/", "~1") for name in names
        )
        if keyword == "no choice":
            nearest = "; ".join(
                self.line((*one[:3], (*place, *one[3]))) for one in rule
            )
            text = f"fits no choice; of the nearest: {nearest}"
        else:
            text = self.words(keyword, rule, value)
        return f"{path[-MAX_NAMED:] or '/'}: {text}"

    def words(self, keyword: str, rule: Any, value: Any) -> str:
        _, longest = (
            self.patterns.get(rule, ("", None)) if keyword == "pattern" else ("", None)
        )
        if longest is not None and len(value) > longest:
            return f"{shown(value)} is too long to be matched: {longest} characters"
        match keyword:
            case "type":
                told: Any = " or ".join(rule)
            case "dependentRequired":
                told = rule[0], ", ".join(rule[1])
            case "format" | "contentEncoding" | "contentMediaType":
                told = rule
            case "additionalProperties":
                told = listed(rule, MAX_NAMED)
            case "enum":
                told = listed(rule, MAX_LISTED)
            case _:
                told = shown(rule)
        is_one = rule == 1 or (keyword == "additionalProperties" and len(rule) == 1)
        s, y = ("", "y") if is_one else ("s", "ies")
        return WORDS[keyword].format(value=shown(value), rule=told, s=s, y=y)


def listed(values: list[Any], longest: int) -> str:
    """Return values as JSON, as many as there is room for, and at least one."""
    text = shown(values[0], longest) if values else "nothing"
    for value in values[1:]:
        if len(text) >= longest:
            return f"{text} and more"
        text += f", {shown(value, longest)}"
    return text


def shown(value: Any, longest: int = MAX_SHOWN) -> str:
    """Return a value as JSON, of a long one only the beginning."""
    if size(value, MAX_SHOWN) > MAX_SHOWN:
        return "an array" if isinstance(value, list) else "an object"
    if is_number(value) and abs(value) > 10**30:
        return "a long number"
    text = json.dumps(cut(value, longest + 1), ensure_ascii=False)
    return text if len(text) <= longest + 2 else f"{text[:longest]}…"


def cut(value: Any, longest: int) -> Any:
    """Return a value with the beginnings of its texts."""
    if isinstance(value, dict):
        rows = value.items()
        return {key[:longest]: cut(item, longest) for key, item in rows}
    if isinstance(value, list | tuple):
        return [cut(item, longest) for item in value]
    return value[:longest] if isinstance(value, str) else value
