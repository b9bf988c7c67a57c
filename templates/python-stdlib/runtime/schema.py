"""Check values against a JSON Schema of 2020-12 or draft-07, with nothing but Python.

Each part of a schema becomes rules once, the first time that a value meets it. This is for
the keywords that most schemas have; `rare_keywords.py` and `choices.py` have the others.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from .keywords import KEYWORDS, TYPES_OF
from .rules import Fault, Keyword, Rule, Test, of_kind, tested

Pattern: TypeAlias = "tuple[str, int | None]"
"""A pattern as Python's `re` has it, and the length of texts that it may take, if limited."""
MAX_FAULTS = 20
# Once a fault is known: what may still be looked at, and how much of a value at once.
MAX_STEPS = 20_000
MAX_SIZE = 2_000
TOO_DEEP = "/: it is nested too deeply to say what is wrong"


class Walk:
    """The way through a value and a schema.

    A right value is looked at as a whole. From the first fault on, there is a budget.
    """

    most = MAX_FAULTS
    """How many faults are looked for: the first one decides whether a value fits."""
    left = sys.maxsize
    """How many steps may still be taken."""
    has_skipped = False
    """Whether a part of the value was too large for them."""

    def __init__(self, schema: Schema) -> None:
        self.schema, self.rules = schema, schema.rules

    def faults(self, schema: Any, value: Any) -> list[Fault]:
        """Return the faults of a value by a part of the schema."""
        rules = self.rules.get(id(schema))
        if rules is None:
            rules = self.schema.rules_of(schema)
        self.left -= 1
        faults: list[Fault] = []
        if self.left < 0:
            return faults
        for rule in rules:
            if more := rule(self, value):
                faults += more
                if self.has_enough(faults):
                    break
        return faults

    def has_enough(self, faults: list[Fault]) -> bool:
        """Return whether no more faults are looked for; after a wrong type, none are."""
        if self.most > 1:
            self.left = min(self.left, MAX_STEPS)
        return len(faults) >= self.most or self.left < 0 or is_type(faults[0])

    def again(self, schema: Any, value: Any) -> Sequence[Fault]:
        """Return the faults of a value that several parts of the schema may be for."""
        return self.faults(schema, value)

    def first(self, schema: Any, value: Any) -> Fault | None:
        """Return the first fault of a value, which may be none of the whole."""
        most, self.most = self.most, 1
        faults = self.again(schema, value)
        self.most = most
        return faults[0] if faults else None

    def affords(self, measure: Callable[[Any], int], value: Any) -> bool:
        """Return whether a costly rule may look at a value, and spend what it takes."""
        if self.left > MAX_STEPS:
            return True
        size = measure(value)
        if size > MAX_SIZE:
            self.has_skipped = True
            return False
        self.left -= size
        return self.left >= 0

    @property
    def is_cut(self) -> bool:
        """Whether a value that seems to fit may not have been looked at."""
        return self.has_skipped or self.left < 0


def is_type(fault: Fault) -> bool:
    return fault[0] == "type" and not fault[3]


class Schema:
    """A schema, and what it says about values."""

    keywords: ClassVar[Mapping[str, Keyword]] = KEYWORDS
    walk: ClassVar[type[Walk]] = Walk

    def __init__(
        self,
        schema: Any,
        formats: Mapping[str, Test] = {},
        patterns: Mapping[str, Pattern] = {},
    ) -> None:
        self.schema, self.formats, self.patterns = schema, formats, patterns
        self.rules: dict[int, list[Rule]] = {}

    def faults(self, value: Any) -> list[str]:
        """Return what is wrong with a value: at most 20 lines, none if it fits."""
        try:
            faults = self.walk(self).faults(self.schema, value)
        except RecursionError:
            return [TOO_DEEP]
        if not faults:
            return []
        from .wording import line  # Most calls are right.

        return [*dict.fromkeys(line(self, fault) for fault in faults)][:MAX_FAULTS]

    def rules_of(self, part: Any) -> list[Rule]:
        """Return the rules of a part of the schema."""
        if isinstance(part, dict):
            rules = [*self.rules_of_keywords(part)]
        else:
            rules = [] if part else [tested("false", None, lambda value: False)]
        self.rules[id(part)] = rules
        return rules

    def rules_of_keywords(self, part: dict[str, Any]) -> Iterator[Rule]:
        types = part.get("type")
        for name, keyword in self.keywords.items():
            if name in part and (rule := keyword.make(self, name, part)):
                is_sure = keyword.kind is object or types in TYPES_OF[keyword.kind]
                yield rule if is_sure else of_kind(keyword.kind, rule)

    def pattern(self, rule: str) -> Test:
        """Return what tells whether a text matches a pattern."""
        source, longest = self.patterns.get(rule, (rule, None))
        search = re.compile(source).search
        if longest is None:
            return lambda text: search(text) is not None
        # It may take a second: an explanation must not take another one.
        is_found = lru_cache(lambda text: search(text) is not None)
        return lambda text: len(text) <= longest and is_found(text)
