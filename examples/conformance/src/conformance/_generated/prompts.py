# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Prompts: static messages, filled in with arguments, or those of a handler."""

from collections import defaultdict
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from conformance._generated.calls import (
    InternalError,
    converted,
    masking,
    run,
    sendable,
)
from conformance._generated.catalog import CATALOG, Request
from conformance._generated.changes import HIDDEN
from conformance._generated.client import Unanswered
from conformance._generated.contract import Context, PromptResult
from conformance._generated.errors import ToolError
from conformance._generated.handlers import PROMPTS

ENTRIES = {prompt["name"]: prompt for prompt in CATALOG["prompts"]}


async def list_prompts(ctx: Request, params: object) -> types.ListPromptsResult:
    """Answer with an empty list, which `list_verbatim` fills."""
    return types.ListPromptsResult(prompts=[])


async def get_prompt(
    ctx: Request, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    """Answer with the static messages of the prompt, or with those of its handler."""
    prompt = ENTRIES.get(params.name)
    if prompt is None or params.name in HIDDEN["prompts"]:
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name:.128}")
    arguments = params.arguments or {}
    required = [a["name"] for a in prompt.get("arguments", []) if a.get("required")]
    if missing := [name for name in required if name not in arguments]:
        raise MCPError(types.INVALID_PARAMS, f"Missing arguments: {', '.join(missing)}")
    if params.name in CATALOG["messages"]:
        return fill_in(CATALOG["messages"][params.name], arguments)
    row = PROMPTS[params.name]
    context = Context(shared=ctx.lifespan_context, request=ctx)
    try:
        with masking(params.name):
            given = converted(arguments, row.arguments)
            return sendable(to_messages(await run(row.handler, given, context)))
    except Unanswered:
        return context.input_required()
    except InternalError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from None
    except ToolError as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from None


def to_messages(value: PromptResult) -> types.GetPromptResult:
    """Return what a handler returned as a result; text is one message of the user."""
    if isinstance(value, types.GetPromptResult):
        return value
    if isinstance(value, str):
        content = types.TextContent(text=value)
        return types.GetPromptResult(
            messages=[types.PromptMessage(role="user", content=content)]
        )
    return types.GetPromptResult(messages=list(value))


def fill_in(
    messages: list[dict[str, Any]], arguments: dict[str, str]
) -> types.GetPromptResult:
    """Fill the arguments into the text of messages; one that is missing is empty."""
    values = defaultdict(str, arguments)
    result = types.GetPromptResult.model_validate({"messages": messages})
    for message in result.messages:
        if isinstance(message.content, types.TextContent):
            message.content.text = message.content.text.format_map(values)
    return result
