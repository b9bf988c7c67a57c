# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Completions: values for the arguments of prompts and the variables of URI templates."""

import mcp_types as types
from mcp.shared.exceptions import MCPError

from conformance._generated.calls import masking, run, sendable
from conformance._generated.catalog import CATALOG, Request
from conformance._generated.contract import Context
from conformance._generated.errors import ToolError
from conformance._generated.resources import TEMPLATES
from conformance.completions import complete

COMPLETED = {
    **{
        prompt["name"]: {argument["name"] for argument in prompt.get("arguments", [])}
        for prompt in CATALOG["prompts"]
    },
    **{str(template): set(template.variable_names) for template, _ in TEMPLATES},
}
MOST_COMPLETIONS = 100  # MCP server/utilities/completion.


async def complete_argument(
    ctx: Request, params: types.CompleteRequestParams
) -> types.CompleteResult:
    """Suggest values for an argument of a prompt or a variable of a URI template."""
    ref = params.ref
    about = ref.name if isinstance(ref, types.PromptReference) else ref.uri
    if params.argument.name not in COMPLETED.get(about, ()):
        raise MCPError(types.INVALID_PARAMS, "Nothing of this name can be completed")
    context = Context(shared=ctx.lifespan_context, request=ctx)
    try:
        with masking("complete"):
            values = list(await run(complete, params, context))
            suggested = types.Completion(
                values=values[:MOST_COMPLETIONS],
                total=len(values),
                has_more=len(values) > MOST_COMPLETIONS,
            )
            return sendable(types.CompleteResult(completion=suggested))
    except ToolError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from None
