"""Arguments that a schema refuses, to try the refusal with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scaffold.jsonschema.index import Index

# A number last: no schema of a number lets text through, and few others let a number through.
_ODD_VALUES: tuple[object, ...] = (None, True, [], {}, "", "?", -1.5)


def invalid_arguments(index: Index) -> dict[str, Any] | None:
    """Return the simplest arguments found that the schema refuses; some schemas accept anything."""
    return next(
        (tried for tried in _candidates(index) if not index.validator.is_valid(tried)), None
    )


def _candidates(index: Index) -> Iterator[dict[str, Any]]:
    yield {}
    yield {"no_such_argument": True}
    for one in index.members:
        for value in _ODD_VALUES:
            yield {one.name: value}
