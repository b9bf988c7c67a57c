"""Check `x-mcp-header`: arguments that are sent as headers (MCP 2026-07-28, server/tools)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.mismatch import literal
from scaffold.jsonschema.subschema import Subschema
from scaffold.yaml.finding import Finding

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header name (RFC 9110, 5.6.2)."""


def header_faults(index: Index, at: str) -> Iterator[Finding]:
    """Yield errors in the `x-mcp-header` keywords of a tool's input schema."""
    seen: dict[str, str] = {}
    for subschema in index.all.values():
        header = subschema.keywords.get("x-mcp-header")
        if header is None and "x-mcp-header" not in subschema.keywords:
            continue
        where = f"{at}{subschema.pointer}/x-mcp-header"
        if not isinstance(header, str) or not _TOKEN.fullmatch(header):
            yield Finding(
                where,
                "bad-header",
                f"{_written(header)} cannot be part of a header's name",
                "use letters, digits and dashes: `Region`",
            )
        elif not _is_argument(subschema):
            yield Finding(
                where,
                "bad-header",
                "only a property, or a property of a property, can be sent as a header",
                "move it to a property that stands under nothing but `properties`",
            )
        elif subschema.keywords.get("type") not in ("string", "integer", "boolean"):
            yield Finding(
                where,
                "bad-header",
                "only a `string`, an `integer` or a `boolean` can be sent as a header",
                "change the type, or remove `x-mcp-header`",
            )
        elif header.lower() in seen:
            yield Finding(
                where,
                "bad-header",
                f"the header {quote(header)} is already that of {seen[header.lower()]}",
                "give each property a header of its own; case does not count",
            )
        else:
            seen[header.lower()] = quote(subschema.pointer.rpartition("/")[2])


def _is_argument(subschema: Subschema) -> bool:
    return re.fullmatch(r"(/properties/[^/]*)+", subschema.pointer) is not None


def _written(value: object) -> str:
    """Return a quoted string, or the description of a value that is not a string."""
    return quote(value) if isinstance(value, str) else literal(value)
