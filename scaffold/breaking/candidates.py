"""Candidate values that schemas suggest for one place, simple ones first; all are checked later."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from math import floor
from typing import Any

from scaffold.breaking.knowledge import kind_of
from scaffold.breaking.parts import Part
from scaffold.schema.regular.reading import PatternError, parsed
from scaffold.schema.regular.syntax import Characters, Choice, Group, Node, Repeated
from scaffold.schema.regular.syntax import Sequence as Row

MAX_ITEMS = 10_000
_MAX_CHARACTERS = 200_000
_MAX_VARIANTS = 12
_MAX_LENGTH = 300
"""The maximum length of a text that is made for a pattern."""

_SIMPLE: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.5, "a", "", [], {})
_TEXTS = (
    "ab", "A", "0", "1", "-", " ", "é", "2026-01-31", "2026-01-31T12:00:00Z", "12:00:00Z", "P1D",
    "ada@example.org", "example.org", "192.0.2.1", "2001:db8::1", "https://example.org/", "/a", "#",
    "%", "(", "{", "~2", "00000000-0000-4000-8000-000000000000", "e30=", "{}", "null",
)  # fmt: skip
"""Texts of each format, and some without a format."""

_SIGNS = "aA0-_ b1."
"""Characters that are chosen first."""


def simple(parts: Sequence[Part], kinds: Collection[str]) -> Iterator[Any]:
    """Yield values of some kinds.

    They are no arrays or objects, unless they are empty or written in a schema.
    """
    yield from (value for value in chain(_listed(parts), _SIMPLE) if kind_of(value) in kinds)
    if "number" in kinds:
        yield from (number for number in _numbers(parts) if abs(number) < 1e300)
    if "string" in kinds:
        yield from _strings(parts)
        yield from _TEXTS


def sizes(parts: Sequence[Part], *keywords: str) -> list[int]:
    """Return the sizes that schemas name, and those beside them."""
    named = [int(part.keywords[key]) for part in parts for key in keywords if key in part.keywords]
    return sorted({max(size + more, 0) for size in named for more in (-1, 0, 1)})


def _listed(parts: Sequence[Part]) -> Iterator[Any]:
    """Yield the values that schemas name."""
    for written in (part.schema.keywords for part in parts):
        yield from written.get("enum", ())
        yield from (written[keyword] for keyword in ("const", "default") if keyword in written)


def _numbers(parts: Sequence[Part]) -> Iterator[float]:
    """Yield numbers at and around the bounds and the steps that schemas name."""
    bounds = [
        part.keywords[keyword]
        for part in parts
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        if keyword in part.keywords
    ]
    steps = [1, *(part.keywords["multipleOf"] for part in parts if "multipleOf" in part.keywords)]
    for bound in bounds:
        yield from (bound, bound - 1, bound + 1, bound - 0.5, bound + 0.5)
    for step in steps:
        yield from (step * factor for factor in (1, -1, 2, 3, 5, 7))
        for bound in bounds:
            if step and abs(bound / step) < 2**53:
                times = floor(bound / step)
                yield from ((times + more) * step for more in (-1, 0, 1, 2))


def _strings(parts: Sequence[Part]) -> Iterator[str]:
    lengths = sizes(parts, "minLength", "maxLength")
    yield from ("a" * size for size in lengths if size <= _MAX_CHARACTERS)
    counts = tuple(size for size in lengths if size <= _MAX_LENGTH)
    for pattern in dict.fromkeys(p.keywords["pattern"] for p in parts if "pattern" in p.keywords):
        yield from matching(pattern, counts)


@lru_cache(256)
def matching(pattern: str, counts: tuple[int, ...] = ()) -> Sequence[str]:
    """Return a few texts that match a pattern, ignoring its lookarounds.

    Its unbounded loops are also run as often as in `counts`.
    """
    try:
        return [*dict.fromkeys(_texts(parsed(pattern), counts))]
    except (PatternError, RecursionError):
        return []


def _texts(node: Node, counts: tuple[int, ...]) -> list[str]:
    match node:
        case Characters(ranges=ranges):
            signs = [sign for sign in _SIGNS if any(a <= ord(sign) <= b for a, b in ranges)]
            return [
                *signs,
                *(chr(low) for low, _ in ranges[:_MAX_VARIANTS] if chr(low).isprintable()),
            ]
        case Choice(parts=parts):
            return [*chain(*(_texts(part, counts)[:_MAX_VARIANTS] for part in parts))]
        case Group(looks=False, body=body):
            return _texts(body, counts)
        case Row(parts=parts):
            columns = [_texts(part, counts)[:_MAX_VARIANTS] for part in parts]
            if not all(columns):
                return []
            first = [column[0] for column in columns]
            others = (
                "".join([*first[:place], text, *first[place + 1 :]])
                for place, column in enumerate(columns)
                for text in column[1:]
            )
            return ["".join(first), *islice(others, 4 * _MAX_VARIANTS)]
        case Repeated(body=body, least=least, most=most):
            few = _texts(body, counts)[:_MAX_VARIANTS]
            times = {least, least + 1, least + 2, *(counts if most is None else (most, most // 2))}
            allowed = [
                n for n in sorted(times) if least <= n <= (_MAX_LENGTH if most is None else most)
            ]
            return [text * n for n in allowed for text in few[: 1 if n > least + 1 else None]]
    return [""]
