"""Leave out what the library of a server adds to its lists, such as FastMCP's `_meta`."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from scaffold.format.fields import JsonObject
from scaffold.sources.source import Source

_WRAPPED = "x-fastmcp-wrap-result"


def is_default_name(name: str) -> bool:
    """Return whether a library calls servers without a name so."""
    return re.fullmatch("FastMCP(-[0-9a-f]{4})?|mcp-server", name) is not None


def without_library(source: Source) -> Source:
    """Return a source as its author wrote it: text is a result, not the property `result` of one."""
    plain = {kind: [*map(_plain, entries)] for kind, entries in source.listed.items()}
    if plain == source.listed:
        return source
    spec = {**source.spec, **{kind: [*map(_plain, source.spec[kind])] for kind in plain}}
    note = "left out what the server's library adds: its `_meta`, and the `result` around text"
    return replace(source, spec=spec, listed=plain, notes=(*source.notes, note))


def _plain(entry: JsonObject) -> JsonObject:
    result: dict[str, Any] = {**entry}
    if isinstance(meta := entry.get("_meta"), dict) and meta:
        result["_meta"] = {key: meta[key] for key in meta if key.lstrip("_") != "fastmcp"}
        if not result["_meta"]:
            del result["_meta"]
    if isinstance(output := entry.get("outputSchema"), dict):
        result["outputSchema"] = {key: output[key] for key in output if key != _WRAPPED}
        is_made = _WRAPPED in output or output.get("title") == f"{entry.get('name')}Output"
        if is_made and _is_text(output.get("properties")):
            del result["outputSchema"]
    return result


def _is_text(properties: object) -> bool:
    """Return whether the only property is a `result` that can be any text."""
    match properties:
        case {"result": {"type": "string", **more}, **others}:
            return not others and more.keys() <= {"title"}
    return False
