"""Expected results: `…` in a text and `{$pattern: …}` stand for what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scaffold.yaml.document import pointer

ANYTHING = "…"
PATTERN = "$pattern"


def is_text(expected: Any) -> bool:
    """Return whether the text of the content is expected, and not structured content."""
    return isinstance(expected, str) or (isinstance(expected, Mapping) and PATTERN in expected)


def is_open(expected: Any) -> bool:
    """Return whether a value stands for others: by `…`, a pattern or a reference."""
    if isinstance(expected, str):
        return ANYTHING in expected or "${" in expected
    return isinstance(expected, Mapping) and PATTERN in expected


def closed(expected: Any) -> Any:
    """Return a value without the keys of open values, and without lists that hold some."""
    if isinstance(expected, Mapping):
        return {key: closed(value) for key, value in expected.items() if not _has_open(value)}
    return [closed(item) for item in expected] if isinstance(expected, list) else expected


def _has_open(value: Any) -> bool:
    return is_open(value) or (isinstance(value, list) and any(map(_has_open, value)))


def patterns(expected: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Yield the patterns in a value, each with its JSON Pointer."""
    if isinstance(expected, Mapping) and PATTERN in expected:
        yield f"{at}/{PATTERN}", expected[PATTERN]
    elif isinstance(expected, Mapping | list):
        items = expected.items() if isinstance(expected, Mapping) else enumerate(expected)
        for key, value in items:
            yield from patterns(value, at + pointer(key))
