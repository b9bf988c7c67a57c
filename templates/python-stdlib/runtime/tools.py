"""Calls of tools: arguments are checked, and whatever happens becomes a result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from .content import CallToolResult, ContentBlock
from .handlers import ToolError, masked, run
from .model import Model, plain
from .protocol import ENCODER, INVALID_PARAMS, Feature, Json, MCPError, Request, listed
from .schema import Schema

Arguments = TypeVar("Arguments", bound=Model)
Result = TypeVar("Result")
ToolResult: TypeAlias = (
    str
    | Mapping[str, Any]
    | Model
    | ContentBlock
    | Sequence[ContentBlock]
    | CallToolResult
    | None
)
"""Text, a JSON object or a model, content blocks, a whole result, or nothing."""


@dataclass(frozen=True)
class Tool(Generic[Arguments, Result]):
    """A tool's handler: `async def`, or a plain `def`, which may take its time."""

    arguments: type[Arguments]
    handler: Callable[
        [Arguments, Any], Awaitable[Result | CallToolResult] | Result | CallToolResult
    ]
    timeout: float | None = None
    """Seconds that a call may take."""


class Tools(Feature):
    """The tools of a server: their entries in the catalog, and their handlers."""

    capabilities: Mapping[str, Json] = {"tools": {"listChanged": False}}

    def __init__(
        self,
        entries: list[Json],
        tools: Mapping[str, Tool[Any, Any]],
        context: Callable[[Request], Any],
        schema: Callable[[Any], Schema],
    ) -> None:
        self.tools, self.context = tools, context

        def schemas(key: str) -> dict[str, Schema]:
            rows = (tool for tool in entries if key in tool)
            return {tool["name"]: schema(tool[key]) for tool in rows}

        self.inputs, self.outputs = schemas("inputSchema"), schemas("outputSchema")
        for name, row in tools.items():
            row.arguments.faults = self.inputs[name].faults
        self.methods = {
            "tools/list": listed("tools", entries, [*map(for_legacy, entries)]),
            "tools/call": self.call,
        }

    def call(self, request: Request) -> Json:
        """Run the handler. What a model could mend is a result with `isError`."""
        name, arguments = request.text("name"), request.params.get("arguments", {})
        tool = self.tools.get(name)
        if tool is None or request.server.hides("tools", name):
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name:.128}")
        if not isinstance(arguments, dict):
            raise MCPError(INVALID_PARAMS, "arguments must be an object")
        if faults := self.inputs[name].faults(arguments):
            return failure("\n- ".join(["Invalid arguments:", *faults]))
        seconds = tool.timeout or request.server.call_time
        request.limit(seconds, partial(too_late, seconds))
        try:
            with masked(request, name):
                given = parsed(tool.arguments, arguments)
                value = run(request, tool.handler, given, self.context(request))
                return self.result(request, name, value)
        except ToolError as error:
            return failure(str(error))

    def result(self, request: Request, name: str, value: Any) -> Json:
        """Return what a handler returned as a result."""
        if isinstance(value, CallToolResult):
            result = value.model_dump()
            if not value.is_error:
                self.check(name, result.get("structuredContent"))
        elif name not in self.outputs and (blocks := content_of(value)) is not None:
            result = {"content": blocks}
        else:
            data = plain(value)
            self.check(name, data)
            result = {"content": [{"type": "text", "text": ENCODER.encode(data)}]}
            if isinstance(data, dict) or request.is_modern:
                result["structuredContent"] = data
        return {"isError": False, **result}

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError, for the log, if a result does not fit its `outputSchema`."""
        if name in self.outputs and (faults := self.outputs[name].faults(value)):
            raise ValueError(f"the result does not fit outputSchema: {faults}")


def for_legacy(tool: Json) -> Json:
    """Return an entry without the schema of a result that is no object: all are, there."""
    if tool.get("outputSchema", {}).get("type", "object") == "object":
        return tool
    return {key: value for key, value in tool.items() if key != "outputSchema"}


def parsed(model: type[Arguments], arguments: Mapping[str, Any]) -> Arguments:
    """Return valid arguments as a model."""
    try:
        return model.model_validate(arguments)
    except (ValueError, OverflowError) as error:  # Such as a day in the year 0.
        raise ToolError(f"Python cannot hold these arguments: {error}") from None


def content_of(value: Any) -> list[Json] | None:
    """Return the content blocks of a value that is text or blocks, else None."""
    if value is None:
        return []
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    blocks = value if isinstance(value, list | tuple) else [value]
    is_content = all(isinstance(block, ContentBlock) for block in blocks)
    return [block.model_dump() for block in blocks] if is_content else None


def too_late(seconds: float) -> Json:
    return failure(f"The call took longer than {seconds:g} seconds")


def failure(text: str) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": True}
