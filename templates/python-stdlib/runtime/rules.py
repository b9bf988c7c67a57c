"""Parts of a schema as functions: a rule for each keyword, which knows the faults of a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Test = Callable[[Any], bool]
Fault = tuple[str, Any, Any, tuple[Any, ...]]
"""A keyword, what it asks for, the value that does not fit, and the way to that."""
Check = Callable[[Any], Fault | None]
"""Returns the first fault of a value, or None if it fits."""
NUMBER = (int, float)
ARRAY = (list, tuple)


class Part:
    """A part of a schema: a rule for each of its keywords."""

    first: Check

    def __init__(self, *rules: Rule) -> None:
        self.set(rules)

    def set(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.first = in_turn([rule.first for rule in rules])


Rows = Callable[[Any], Iterable[tuple[str | int | None, Part, Any]]]
"""Returns parts of a schema with the part of a value that each is for, and its name.

The name is None if the part is for the same value.
"""


class Rule:
    """A keyword of a part: its check and, if it has parts itself, where those are."""

    def __init__(
        self,
        keyword: str,
        first: Check,
        rows: Rows | None = None,
        choices: Sequence[Part] = (),
    ) -> None:
        self.keyword, self.first, self.rows, self.choices = (
            keyword,
            first,
            rows,
            choices,
        )

    @property
    def is_deep(self) -> bool:
        """Whether it asks other parts, which may ask more."""
        return bool(self.rows or self.choices) or self.keyword in ("not", "contains")


def in_turn(checks: Sequence[Check]) -> Check:
    if len(checks) == 1:
        return checks[0]

    def first(value: Any) -> Fault | None:
        for check in checks:
            if fault := check(value):
                return fault
        return None

    return first


def tested(keyword: str, rule: Any, test: Test) -> Rule:
    """Return the rule of a keyword that is about a value itself, and not about its parts."""
    return Rule(
        keyword, lambda value: None if test(value) else (keyword, rule, value, ())
    )


def never(keyword: str, rule: Any = None) -> Part:
    """Return a part that no value fits."""
    return Part(tested(keyword, rule, lambda value: False))


MISSING = never("required")


def below(name: str | int | None, fault: Fault) -> Fault:
    """Return the fault of a part of a value as one of the whole."""
    keyword, rule, value, place = fault
    return fault if name is None else (keyword, rule, value, (name, *place))


def of_rows(keyword: str, rows: Rows) -> Rule:
    """Return the rule of a keyword that has no faults but those of its parts."""

    def first(value: Any) -> Fault | None:
        for name, part, item in rows(value):
            if fault := part.first(item):
                return below(name, fault)
        return None

    return Rule(keyword, first, rows)


def of_kind(kind: Any, rule: Rule) -> Rule:
    """Return a rule that only values of a kind can break; true is no number."""
    fits = is_number if kind is NUMBER else lambda value: isinstance(value, kind)
    first, rows = rule.first, rule.rows
    return Rule(
        rule.keyword,
        lambda value: first(value) if fits(value) else None,
        rows and (lambda value: rows(value) if fits(value) else ()),
        rule.choices,
    )


# Values as JSON has them.


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and value is not True and value is not False


def is_integer(value: Any) -> bool:
    return is_number(value) and bool(value == value // 1)


TYPES: dict[str, Test] = {
    "null": lambda value: value is None,
    "boolean": lambda value: value is True or value is False,
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list | tuple),
    "number": is_number,
    "integer": is_integer,
}


def distinct(value: Any) -> object:
    """Return what is the same for values that are equal in JSON, as 1 and 1.0 are."""
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, NUMBER):
        # As text: a client can choose numbers with the same hash.
        return int, hex(int(value)) if value == int(value) else float(value).hex()
    if isinstance(value, list | tuple):
        return (list, *map(distinct, value))
    if isinstance(value, dict):
        return dict, frozenset((key, distinct(item)) for key, item in value.items())
    return value


def size(value: Any, most: float) -> int:
    """Return how many values a value consists of, or a number above `most`."""
    left, count = [value], 0
    while left and count <= most:
        item = left.pop()
        count += 1
        if isinstance(item, dict | list | tuple):
            if count + len(left) + len(item) > most:
                return count + len(left) + len(item)
            left.extend(item.values() if isinstance(item, dict) else item)
    return count


def is_multiple(number: float, of: float) -> bool:
    """Return whether a number is a multiple, both as they are written in JSON."""
    if isinstance(number, int) and isinstance(of, int):
        return number % of == 0
    (digits, power), (step, least) = scaled(number), scaled(of)
    low = min(power, least)
    rest: int = digits * 10 ** (power - low) % (step * 10 ** (least - low))
    return rest == 0


def scaled(number: float) -> tuple[int, int]:
    """Return the digits of a number, and the power of ten to multiply them with."""
    if isinstance(number, int):
        return number, 0
    written, _, power = repr(number).partition("e")
    whole, _, fraction = written.partition(".")
    return int(whole + fraction), int(power or 0) - len(fraction)
