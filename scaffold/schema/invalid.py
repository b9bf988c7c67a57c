"""Find arguments that a schema rejects, for tests of the generated server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scaffold.schema.index import Index
from scaffold.schema.valid import valid_arguments

# The number is last: numeric schemas reject strings, and few others accept numbers.
_ODD_VALUES: tuple[object, ...] = (None, True, [], {}, "", "?", -1.5)


def invalid_arguments(index: Index) -> dict[str, Any] | None:
    """Return simple arguments that the schema rejects, or None if none were found.

    If they can, they break a `format` alone: engines do not look at formats unless they are told.
    """
    return next(
        (tried for tried in _candidates(index) if not index.validator.is_valid(tried)), None
    )


def _candidates(index: Index) -> Iterator[dict[str, Any]]:
    formatted = [m.name for m in index.members if any("format" in s.keywords for s in m.schemas)]
    if formatted and (valid := valid_arguments(index)) is not None:
        yield from ({**valid, name: "?"} for name in formatted)
    yield {}
    yield {"no_such_argument": True}
    for one in index.members:
        for value in _ODD_VALUES:
            yield {one.name: value}
