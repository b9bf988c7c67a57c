"""What is wrong with a value, a line for each fault: `/day: …`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from time import monotonic
from typing import Any, TypeAlias

from .engine import Engine, Scope, is_number

Format: TypeAlias = Callable[[str], bool]
Pattern: TypeAlias = "tuple[str, int | None]"
"""A pattern as Python's `re` has it, and the length of texts that it may take, if limited."""

MOST_FAULTS = 20
# Seconds that may be spent to find them.
MOST_TIME = 0.2
# Characters of a value, and of a line, that are shown.
MOST_SHOWN = 60
MOST_CHARACTERS = 300
UNCLEAR = "/: it is too large, or nested too deeply, to say what is wrong"

WORDS = {
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
}


class Schema:
    """A schema, which becomes functions when it is first needed."""

    def __init__(
        self,
        schema: Any,
        formats: Mapping[str, Format],
        patterns: Mapping[str, Pattern],
    ) -> None:
        self.schema, self.formats, self.patterns = schema, formats, patterns
        self.made: Engine | None = None

    @property
    def engine(self) -> Engine:
        if self.made is None:
            self.made = Engine(self.schema, self.formats, self.pattern)
        return self.made

    def faults(self, value: Any) -> list[str]:
        try:
            if self.engine.is_valid(value):
                return []
            explainer = Explainer(self.engine, self.patterns)
            found = [*islice(explainer.faults(self.schema, value), MOST_FAULTS)]
        except (RecursionError, TimeoutError):
            return [UNCLEAR]
        return found or [UNCLEAR]

    def pattern(self, rule: str) -> Format:
        """Return what tells whether a text matches a pattern."""
        source, longest = self.patterns.get(rule, (rule, None))
        search = re.compile(source).search
        if longest is None:
            return lambda text: search(text) is not None
        return lambda text: len(text) <= longest and search(text) is not None


class Explainer:
    """Goes through a schema and a value that does not fit, down to what is wrong."""

    def __init__(self, engine: Engine, patterns: Mapping[str, Pattern]) -> None:
        self.engine, self.patterns = engine, patterns
        self.ends_at = monotonic() + MOST_TIME

    def faults(
        self, part: Any, value: Any, path: str = "", scope: Scope = ()
    ) -> Iterator[str]:
        if monotonic() > self.ends_at:
            raise TimeoutError
        if self.engine.test(part, scope)(value):
            return
        if part is False:
            yield line(path, f"{shown(value)} is not allowed here")
            return
        scope = self.engine.inner(part, scope)
        rules = self.engine.rules(part)
        if "type" in rules and not self.fits(rules, "type", scope, value):
            kinds = [rules["type"]] if isinstance(rules["type"], str) else rules["type"]
            yield line(path, f"{shown(value)} is not of type {' or '.join(kinds)}")
            return
        for keyword in rules:
            if not self.fits(rules, keyword, scope, value):
                yield from self.fault(rules, keyword, value, path, scope)

    def fits(
        self, rules: dict[str, Any], keyword: str, scope: Scope, value: Any
    ) -> bool:
        """Return whether a value fits one keyword of a part."""
        return self.engine.test_of(rules, keyword, scope)(value)

    def fault(
        self, rules: dict[str, Any], keyword: str, value: Any, path: str, scope: Scope
    ) -> Iterator[str]:
        rule = rules[keyword]
        match keyword:
            case "required":
                for name in rule:
                    if name not in value:
                        yield line(below(path, name), "it is required")
            case "properties" | "patternProperties" | "additionalProperties":
                for name, item in value.items():
                    for part in self.engine.parts_of_property(rules, name):
                        if part is False:
                            yield line(below(path, name), "there is no such property")
                        else:
                            place = below(path, name)
                            yield from self.faults(part, item, place, scope)
            case "items" | "prefixItems":
                for at, item in enumerate(value):
                    part = self.engine.part_of_item(rules, at)
                    yield from self.faults(part, item, f"{path}/{at}", scope)
            case "propertyNames":
                for name in value:
                    yield from self.faults(rule, name, below(path, name), scope)
            case "allOf":
                for part in rule:
                    yield from self.faults(part, value, path, scope)
            case "$ref" | "$dynamicRef":
                part = self.engine.target(rules, keyword, scope)
                yield from self.faults(part, value, path, scope)
            case "if":
                branch = "then" if self.engine.test(rule, scope)(value) else "else"
                yield from self.faults(rules[branch], value, path, scope)
            case "anyOf" | "oneOf":
                choices = [
                    [*islice(self.faults(part, value, path, scope), 4)] for part in rule
                ]
                if all(choices):
                    found = min(choices, key=lambda each: (-depth(each), len(each)))
                    text = f"fits no choice; of the nearest: {'; '.join(found)}"
                    yield line(path, text)
                else:
                    yield line(path, f"{shown(value)} fits more than one choice")
            case "dependentSchemas" | "dependencies" | "dependentRequired":
                for name, part in rule.items():
                    if name in value and not isinstance(part, list):
                        yield from self.faults(part, value, path, scope)
                    elif name in value and not all(one in value for one in part):
                        yield line(path, f"with {name}, it must have {', '.join(part)}")
            case _:
                yield line(path, self.words(keyword, rule, value))

    def words(self, keyword: str, rule: Any, value: Any) -> str:
        longest = (
            self.patterns.get(rule, ("", None))[1] if keyword == "pattern" else None
        )
        if longest is not None and len(value) > longest:
            return f"{shown(value)} is too long to be matched: {longest} characters"
        s, y = ("", "y") if rule == 1 else ("s", "ies")
        words = WORDS.get(keyword, "{value} does not fit {keyword}")
        is_name = keyword in ("format", "contentEncoding", "contentMediaType")
        told = {"value": shown(value), "rule": rule if is_name else shown(rule)}
        return words.format(**told, keyword=keyword, s=s, y=y)


def below(path: str, name: str) -> str:
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"


def depth(faults: list[str]) -> int:
    return max(fault.partition(":")[0].rstrip("/").count("/") for fault in faults)


def line(path: str, text: str) -> str:
    if len(text) > MOST_CHARACTERS:
        text = f"{text[: MOST_CHARACTERS // 2]} … {text[-MOST_CHARACTERS // 2 :]}"
    return f"{path[-MOST_CHARACTERS:] or '/'}: {text}"


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
