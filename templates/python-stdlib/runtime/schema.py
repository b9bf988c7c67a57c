"""What is wrong with a value in words, a line for each fault: `/day: …`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from .engine import MOST_FAULTS, Engine, Fault, is_number

Format: TypeAlias = Callable[[str], bool]
Pattern: TypeAlias = "tuple[str, int | None]"
"""A pattern as Python's `re` has it, and the length of texts that it may take, if limited."""

# Characters of a value, and of a line, that are shown.
MOST_SHOWN = 60
MOST_CHARACTERS = 300
UNCLEAR = "/: it is nested too deeply to say what is wrong"

WORDS = {
    "type": "{value} is not of type {rule}",
    "false": "{value} is not allowed here",
    "required": "it is required",
    "additionalProperties": "there is no such property",
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
    ) -> None:
        self.schema, self.formats, self.patterns = schema, formats, patterns

    @cached_property
    def engine(self) -> Engine:
        return Engine(self.schema, self.formats, self.pattern)

    def faults(self, value: Any) -> list[str]:
        """Return what is wrong with a value: at most 20 lines, none if it fits."""
        try:
            return [
                self.line(fault) for fault in self.engine.faults(value)[:MOST_FAULTS]
            ]
        except RecursionError:
            return [UNCLEAR]

    def pattern(self, rule: str) -> Format:
        """Return what tells whether a text matches a pattern."""
        source, longest = self.patterns.get(rule, (rule, None))
        search = re.compile(source).search
        if longest is None:
            return lambda text: search(text) is not None
        return lambda text: len(text) <= longest and search(text) is not None

    def line(self, fault: Fault, above: str = "") -> str:
        keyword, rule, value, place = fault
        path = above
        while place:
            name, place = place
            path += "/" + str(name).replace("~", "~0").replace("/", "~1")
        if keyword == "no choice":
            nearest = "; ".join(self.line(one, path) for one in rule)
            text = f"fits no choice; of the nearest: {nearest}"
        else:
            text = self.words(keyword, rule, value)
        if len(text) > MOST_CHARACTERS:
            half = MOST_CHARACTERS // 2
            text = f"{text[:half]} … {text[-half:]}"
        return f"{path[-MOST_CHARACTERS:] or '/'}: {text}"

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
            case _:
                told = shown(rule)
        s, y = ("", "y") if rule == 1 else ("s", "ies")
        return WORDS[keyword].format(value=shown(value), rule=told, s=s, y=y)


def shown(value: Any) -> str:
    """Return a value as JSON, of a long one only the beginning."""
    if isinstance(value, list | dict) and len(value) > MOST_SHOWN:
        return "an array" if isinstance(value, list) else "an object"
    if isinstance(value, str):
        value = value[: MOST_SHOWN + 1]
    elif is_number(value) and abs(value) > 10**30:
        return "a long number"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_SHOWN + 2 else f"{text[:MOST_SHOWN]}…"
