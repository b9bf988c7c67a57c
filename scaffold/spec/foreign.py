"""Recognize files that are no specs, and that `import` can read."""

from __future__ import annotations

from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

_CONFIGURATION = "the configuration of a client"


def foreign(document: Document) -> Finding | None:
    """Return the error for a tool list, an OpenAPI document or the like; None for anything else."""
    what = _kind(document.value, document.name)
    if what is None:
        return None
    if what == _CONFIGURATION:
        hint = "to import a server from it, run `mcp-scaffold import -- COMMAND`"
        return Finding("", "not-a-spec", f"this is {what}, not a spec", hint)
    hint = f"to convert it to a spec, run `mcp-scaffold import {document.name} -o mcp.yaml`"
    return Finding("", "not-a-spec", f"this is {what}, not a spec", hint)


def _kind(value: object, name: str) -> str | None:
    if isinstance(value, list):
        entries = [item for item in value if isinstance(item, dict)]
        return "a tool list" if any("inputSchema" in entry for entry in entries) else None
    if not isinstance(value, dict) or "version" in value:
        return None
    if "mcpServers" in value:
        return _CONFIGURATION
    if "openapi" in value or "swagger" in value:
        return "an OpenAPI document"
    if "jsonrpc" in value:
        return "a server's response"
    if "serverInfo" in value or (name.endswith(".json") and isinstance(value.get("tools"), list)):
        return "a server's list"
    return None
