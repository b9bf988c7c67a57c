"""Expected results: `…` in a text and `{$pattern: …}` stand for what is not known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scaffold.spec.fields import JsonObject
from scaffold.yaml.document import pointer

ANYTHING = "…"
PATTERN = "$pattern"

_OPEN = re.compile(r"…|\$\{([^.{}]+)\.[^{}]+\}")
"""What stands for other text within a text: `…`, and a reference to its source."""


def schema_of(expected: Any, sources: Collection[str]) -> JsonObject:
    """Return the JSON Schema of what fits an expected result. Objects may have more keys.

    References to the results of `sources` stay in its texts and patterns. What replaces a part of a
    text is to be escaped, as for any pattern.
    """
    match expected:
        case "…":
            return {}
        case {"$pattern": pattern}:
            return {"type": "string", "pattern": pattern}
        case Mapping():
            properties = {key: schema_of(value, sources) for key, value in expected.items()}
            return {"type": "object", "properties": properties, "required": [*properties]}
        case list():
            items = [schema_of(item, sources) for item in expected]
            size = {"minItems": len(items), "maxItems": len(items)}
            return {"type": "array", **size} | ({"prefixItems": items} if items else {})
        case str() if pattern := _pattern(expected, sources):
            return {"type": "string", "pattern": pattern}
    return {"enum": [expected]}


def _pattern(text: str, sources: Collection[str]) -> str | None:
    """Return the pattern for a text of which only parts are known, else None."""
    pattern, end = "", 0
    for found in _OPEN.finditer(text):
        if found[0] == ANYTHING:
            part = r"[\s\S]*"
        elif found[1] in sources and found[0] != text:
            part = found[0]
        else:
            continue
        pattern += re.escape(text[end : found.start()]) + part
        end = found.end()
    return f"^{pattern}{re.escape(text[end:])}$" if end else None


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
