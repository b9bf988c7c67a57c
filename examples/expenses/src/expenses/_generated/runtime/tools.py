"""Calls of tools: arguments are checked, and whatever happens becomes a result."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar, cast
from uuid import UUID

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_jsonable_python

from .handlers import BaseContext, Calls, Model, Request, ToolError, masked, sendable
from .schema import Schema

Arguments = TypeVar("Arguments", bound=Model)
Result = TypeVar("Result")
ToolResult: TypeAlias = (
    str
    | Mapping[str, Any]
    | BaseModel
    | types.ContentBlock
    | Sequence[types.ContentBlock]
    | types.CallToolResult
    | None
)
"""Text, a JSON object or a model, content blocks, a whole result, or nothing."""


@dataclass(frozen=True)
class Tool(Generic[Arguments, Result]):
    """A tool's handler: `async def`, or a plain `def`, which runs in a thread."""

    arguments: type[Arguments]
    handler: Callable[
        [Arguments, Any],
        Awaitable[Result | types.CallToolResult] | Result | types.CallToolResult,
    ]
    timeout: float | None = None
    """Seconds that a call may take."""


class Tools:
    """The tools of a server: their entries in the catalog, and their handlers.

    `schema` is the class of their schemas.
    """

    def __init__(
        self,
        entries: list[dict[str, Any]],
        tools: Mapping[str, Tool[Any, Any]],
        context: Callable[[Request], BaseContext[Any]],
        calls: Calls,
        schema: type[Schema] = Schema,
    ) -> None:
        self.tools = tools
        self.context = context
        self.calls = calls
        self.inputs = {tool["name"]: schema(tool["inputSchema"]) for tool in entries}
        for name, row in tools.items():
            row.arguments.faults = self.inputs[name].faults
        self.outputs = {
            tool["name"]: schema(tool["outputSchema"])
            for tool in entries
            if "outputSchema" in tool
        }

    async def list(self, ctx: Request, params: object) -> types.ListToolsResult:
        """Answer with an empty list, which `Catalog` fills."""
        return types.ListToolsResult(tools=[])

    async def call(
        self, ctx: Request, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Run the handler. What a model could mend is a result with `isError`."""
        name, arguments = params.name, params.arguments or {}
        tool = self.tools.get(name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {name:.128}")
        if faults := self.inputs[name].faults(arguments):
            lines = ["Invalid arguments:", *faults]
            return text_result("\n- ".join(lines), is_error=True)
        context = self.context(ctx)
        try:
            with masked(name):
                given = parsed(tool.arguments, arguments)
                value = await self.calls.run(
                    tool.handler, given, context=context, timeout=tool.timeout
                )
                return self.result(ctx, name, value)
        except ToolError as error:
            return self.failed(error)

    def failed(self, error: ToolError) -> types.CallToolResult:
        """Return the result of a call whose handler failed."""
        return text_result(str(error), is_error=True)

    def result(self, ctx: Request, name: str, value: Any) -> types.CallToolResult:
        """Return what a handler returned as a result: text, content blocks, else JSON."""
        if isinstance(value, types.CallToolResult):
            _, data = encoded(value.structured_content)
            if not value.is_error:
                self.check(name, data)
            return sendable(value.model_copy(update={"structured_content": data}))
        if isinstance(value, str) and name not in self.outputs:
            return text_result(value)
        if name not in self.outputs and (blocks := content_of(value)) is not None:
            return sendable(types.CallToolResult(content=blocks))
        text, data = encoded(value)
        self.check(name, data)
        result = types.CallToolResult(content=[types.TextContent(text=text)])
        if isinstance(data, dict) or ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            result.structured_content = data
        return result

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError, for the log, if a result does not fit its `outputSchema`."""
        if name in self.outputs and (faults := self.outputs[name].faults(value)):
            raise ValueError(f"the result does not fit outputSchema: {faults}")


def parsed(model: type[Arguments], arguments: Mapping[str, Any]) -> Arguments:
    """Return valid arguments as a model."""
    try:
        return model.of_client(arguments)
    except ValidationError as error:  # Such as a day in the year 0.
        words = ["These arguments are valid, but Python cannot hold them:"]
        for fault in error.errors(include_url=False, include_context=False):
            words.append(f"/{'/'.join(map(str, fault['loc']))}: {fault['msg']}")
        raise ToolError("\n- ".join(words)) from None


def content_of(value: Any) -> list[types.ContentBlock] | None:
    """Return the content blocks that a value is, else None."""
    if value is None:
        return []
    blocks: list[Any] = [*value] if isinstance(value, list | tuple) else [value]
    is_content = all(isinstance(block, types.ContentBlock) for block in blocks)
    return blocks if is_content else None


def plain(value: Any) -> Any:
    """Return what JSON has for a value that is not JSON, such as text for a date.

    Models of ours have only what was set.
    """
    if isinstance(value, BaseModel):
        is_ours = isinstance(value, Model)
        return value.model_dump(mode="json", by_alias=True, exclude_unset=is_ours)
    if isinstance(value, Mapping):
        return {**cast(Any, value)}
    if isinstance(value, date | time | Decimal | UUID | Enum):
        return to_jsonable_python(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain
)


def encoded(value: Any) -> tuple[str, Any]:
    """Return the JSON of a value, as UTF-8 can encode it, and the data in it."""
    text = ENCODER.encode(value).encode(errors="replace")
    return text.decode(), from_json(text)


def text_result(text: str, is_error: bool = False) -> types.CallToolResult:
    """Return a result of text, as UTF-8 can encode it."""
    text = text.encode(errors="replace").decode()
    return types.CallToolResult(
        content=[types.TextContent(text=text)], is_error=is_error
    )
