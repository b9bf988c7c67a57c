"""The catalog: the objects of the spec, which clients get unchanged, and their schemas."""

import json
from base64 import b64decode
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any

import jsonschema_rs
from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
# The code before 2026-07-28 (MCP 2025-11-25, server/resources, error handling).
NOT_FOUND = -32002
GREETINGS = ("initialize", "server/discover")
MOST_FAULTS = 20
# The SDK's parser takes NaN and 1e400 too.
STRICT = json.JSONEncoder(allow_nan=False)
# Of a longer value only the first fault is told: the engine would list a million of them.
MOST_CHARACTERS = 50_000
# Of the text of one fault, which can quote a long value.
LONGEST_FAULT = 300


class Catalog:
    """What is in `catalog.json`; a key that the spec does not use is an empty list."""

    def __init__(self, file: Traversable) -> None:
        self.objects: dict[str, Any] = json.loads(file.read_bytes())

    def __getitem__(self, key: str) -> Any:
        return self.objects.get(key, [])

    async def verbatim(
        self, ctx: ServerRequestContext[Any], call_next: CallNext
    ) -> HandlerResult:
        """Middleware that answers lists with the spec's own objects.

        The SDK's types drop keys that they do not know.
        """
        result = await call_next(ctx)
        if not isinstance(result, dict):
            return result
        if key := LISTS.get(ctx.method):
            if (ctx.params or {}).get("cursor") is not None:
                raise MCPError(INVALID_PARAMS, "Unknown cursor: every list is one page")
            result[key] = self[key]
            # Before 2026-07-28, only objects were structured.
            if key == "tools" and ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
                result[key] = self.objects.get("legacyTools", self[key])
        if ctx.method in GREETINGS and "capabilities" in self.objects:
            result["capabilities"] = self["capabilities"]
        return result


class Schema:
    """A JSON Schema of the spec. References outside of it are never fetched."""

    def __init__(self, schema: Any) -> None:
        self.engine = jsonschema_rs.validator_for(
            schema,
            offline=True,
            validate_formats=True,
            keywords={"contentEncoding": ContentEncoding},
        )

    def faults(self, value: Any) -> list[str]:
        """Return what is wrong with a value, a line for each fault: `/day: …`."""
        try:
            text = STRICT.encode(value)
        except ValueError:
            return ["/: NaN and infinity are not JSON"]
        if self.engine.is_valid(value):
            return []
        if len(text) > MOST_CHARACTERS:
            try:
                self.engine.validate(value)
            except jsonschema_rs.ValidationError as error:
                return [line(error)]
        errors = islice(self.engine.iter_errors(value), MOST_FAULTS)
        return [line(error) for error in errors]


class ContentEncoding:
    """`contentEncoding`, which the engine itself checks in draft-07 only."""

    def __init__(self, parent_schema: Any, value: Any, schema_path: Any) -> None:
        self.is_base64 = value == "base64"

    def validate(self, instance: Any) -> None:
        if self.is_base64 and isinstance(instance, str):
            b64decode(instance, validate=True)


def line(error: jsonschema_rs.ValidationError) -> str:
    """Return where a fault is, and what it is."""
    text = error.message
    # Of `anyOf` or `oneOf`; a choice without faults is one of several that fit.
    if (choices := getattr(error.kind, "context", None)) and all(choices):
        nearest = min(choices, key=len)
        text = f"fits no choice; of the nearest: {'; '.join(map(line, nearest))}"
    if len(text) > LONGEST_FAULT:
        text = f"{text[: LONGEST_FAULT // 2]} … {text[-LONGEST_FAULT // 2 :]}"
    return f"/{'/'.join(map(str, error.instance_path))}: {text}"


def not_found(ctx: ServerRequestContext[Any], uri: str) -> MCPError:
    """Return the error for a URI without a resource, as the client's era has it."""
    is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    code = INVALID_PARAMS if is_modern else NOT_FOUND
    return MCPError(code, "Resource not found", {"uri": uri})
