"""The input schema of a tool into arguments that it refuses, for trying the refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

# A number last: no schema of a number lets text through, and few others let a number through.
_ODD_VALUES: tuple[object, ...] = (None, True, [], {}, "", "?", -1.5)


def invalid_arguments(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The simplest arguments found that break `schema`, or None: some schemas accept anything."""
    validator = jsonschema_rs.validator_for(dict(schema), offline=True)
    return next((tried for tried in _candidates(schema) if not validator.is_valid(tried)), None)


def _candidates(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield {}
    yield {"no_such_argument": True}
    for name in schema.get("properties", {}):
        for value in _ODD_VALUES:
            yield {name: value}
