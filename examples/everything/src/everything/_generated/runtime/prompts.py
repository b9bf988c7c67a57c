"""Prompts: static messages, filled in with arguments, or those of a handler."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from .handlers import (
    BaseContext,
    Calls,
    InternalError,
    Model,
    NotWritten,
    Request,
    ToolError,
    masked,
    sendable,
)

Arguments = TypeVar("Arguments", bound=Model)
PromptResult: TypeAlias = str | Sequence[types.PromptMessage] | types.GetPromptResult
"""Text of one user message, messages, or a whole result."""


@dataclass(frozen=True)
class Prompt(Generic[Arguments]):
    """The handler of a prompt."""

    arguments: type[Arguments]
    handler: Callable[[Arguments, Any], Awaitable[PromptResult] | PromptResult]


class Prompts:
    """The prompts of a server: their entries, static `messages` by name, and handlers."""

    def __init__(
        self,
        entries: list[dict[str, Any]],
        messages: Mapping[str, Any],
        prompts: Mapping[str, Prompt[Any]],
        context: Callable[[Request], BaseContext[Any]],
        calls: Calls,
    ) -> None:
        self.entries = {prompt["name"]: prompt for prompt in entries}
        self.messages = messages
        self.prompts = prompts
        self.context = context
        self.calls = calls

    async def list(self, ctx: Request, params: object) -> types.ListPromptsResult:
        """Answer with an empty list, which `Catalog` fills."""
        return types.ListPromptsResult(prompts=[])

    async def get(
        self, ctx: Request, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Answer with the static messages of the prompt, or with those of its handler."""
        name, arguments = params.name, params.arguments or {}
        if name not in self.entries:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {name:.128}")
        known = self.entries[name].get("arguments", [])
        required = [argument["name"] for argument in known if argument.get("required")]
        if missing := [key for key in required if key not in arguments]:
            words = f"Missing arguments: {', '.join(missing)}"
            raise MCPError(types.INVALID_PARAMS, words)
        if name in self.messages:
            return filled_in(self.messages[name], arguments)
        prompt = self.prompts[name]
        try:
            with masked(name):
                given = prompt.arguments.of_client(arguments)
                context = self.context(ctx)
                value = await self.calls.run(prompt.handler, given, context=context)
                return sendable(messages_of(value))
        except (InternalError, NotWritten) as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None
        except ToolError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None


def messages_of(value: PromptResult) -> types.GetPromptResult:
    """Return what a handler returned as a result; text is one message of the user."""
    if isinstance(value, types.GetPromptResult):
        return value
    if isinstance(value, str):
        text = types.TextContent(text=value)
        value = [types.PromptMessage(role="user", content=text)]
    return types.GetPromptResult(messages=list(value))


def filled_in(
    messages: list[dict[str, Any]], arguments: dict[str, str]
) -> types.GetPromptResult:
    """Fill the arguments into the text of messages; one that is missing is empty."""
    values = defaultdict(str, arguments)
    result = types.GetPromptResult.model_validate({"messages": messages})
    for message in result.messages:
        if isinstance(message.content, types.TextContent):
            message.content.text = message.content.text.format_map(values)
    return result
