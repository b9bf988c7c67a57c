"""Rules: what a keyword of JSON Schema asks of a value, as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .schema import Walk

Test = Callable[[Any], bool]
Fault = tuple[str, Any, Any, tuple[Any, ...]]
"""A keyword, what it asks for, the value that does not fit, and the way to that."""
Rule = Callable[["Walk", Any], Sequence[Fault]]
"""Returns the faults of a value, as far as a walk needs them."""
Rows = Callable[["Walk", Any], Iterable[tuple[str | int, Any, Any]]]
"""Returns parts of a value: the name of each, the schema that it is for, and the part."""
NUMBER = (int, float)
ARRAY = (list, tuple)
CONTAINER = (dict, list, tuple)


class Keyword(NamedTuple):
    """A keyword: the kind of value that it is for, its rule, and what is said of a fault."""

    kind: Any
    make: Callable[..., Rule | None]
    """Makes the rule from the whole schema, the keyword, and the part that has it."""
    words: str = ""


def tested(keyword: str, asked: Any, test: Test) -> Rule:
    """Return the rule of a keyword that is about a value itself, and not about its parts."""
    return lambda walk, value: () if test(value) else [(keyword, asked, value, ())]


def costly(measure: Callable[[Any], int], rule: Rule) -> Rule:
    """Return a rule that looks at all of a value at once, as far as the budget goes."""
    return lambda walk, value: rule(walk, value) if walk.affords(measure, value) else ()


def of_rows(rows: Rows) -> Rule:
    """Return the rule of a keyword that has no faults but those of a value's parts."""

    def rule(walk: Walk, value: Any) -> Sequence[Fault]:
        faults: list[Fault] = []
        for name, schema, part in rows(walk, value):
            if below := walk.faults(schema, part):
                faults += [(*fault, (name, *place)) for *fault, place in below]
                if walk.has_enough(faults):
                    break
            elif walk.left < 0:
                break
        return faults

    return rule


def of_kind(kind: Any, rule: Rule) -> Rule:
    """Return a rule that only values of a kind can break; true is no number."""
    fits = is_number if kind is NUMBER else lambda value: isinstance(value, kind)
    return lambda walk, value: rule(walk, value) if fits(value) else ()


# Values as JSON has them.


def is_number(value: Any) -> bool:
    return isinstance(value, NUMBER) and value is not True and value is not False


def is_integer(value: Any) -> bool:
    return type(value) is int or (is_number(value) and bool(value == value // 1))


def distinct(value: Any) -> object:
    """Return what is the same for values that are equal in JSON, as 1 and 1.0 are."""
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, NUMBER):
        # As text: a client can choose numbers with the same hash.
        return int, hex(int(value)) if value == int(value) else float(value).hex()
    if isinstance(value, ARRAY):
        return (list, *map(distinct, value))
    if isinstance(value, dict):
        return dict, frozenset((key, distinct(item)) for key, item in value.items())
    return value


def size(value: Any, most: float = 2_000) -> int:
    """Return how many values a value consists of, or a number above `most`."""
    left, count = [value], 0
    while left and count <= most:
        item = left.pop()
        count += 1
        if isinstance(item, CONTAINER):
            if count + len(left) + len(item) > most:
                return count + len(left) + len(item)
            left.extend(item.values() if isinstance(item, dict) else item)
    return count
