# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Prompts: static messages, filled in with arguments, or those of a handler."""

from collections import defaultdict
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from calculator._generated.catalog import CATALOG, Request

ENTRIES = {prompt["name"]: prompt for prompt in CATALOG["prompts"]}


async def list_prompts(ctx: Request, params: object) -> types.ListPromptsResult:
    """Answer with an empty list, which `list_verbatim` fills."""
    return types.ListPromptsResult(prompts=[])


async def get_prompt(
    ctx: Request, params: types.GetPromptRequestParams
) -> types.GetPromptResult:
    """Answer with the static messages of the prompt, or with those of its handler."""
    prompt = ENTRIES.get(params.name)
    if prompt is None:
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name:.128}")
    arguments = params.arguments or {}
    required = [a["name"] for a in prompt.get("arguments", []) if a.get("required")]
    if missing := [name for name in required if name not in arguments]:
        raise MCPError(types.INVALID_PARAMS, f"Missing arguments: {', '.join(missing)}")
    return fill_in(CATALOG["messages"][params.name], arguments)


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
