"""Completions: values for the arguments of prompts and the variables of URI templates."""

from collections.abc import Callable
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate

from .catalog import Catalog
from .handlers import BaseContext, Calls, Request, ToolError, masked, sendable

MOST_VALUES = 100  # MCP server/utilities/completion.


class Completions:
    """Suggests values by the handler in `completions.py`."""

    def __init__(
        self,
        catalog: Catalog,
        complete: Callable[[types.CompleteRequestParams, Any], Any],
        context: Callable[[Request], BaseContext[Any]],
        calls: Calls,
    ) -> None:
        self.known = {
            prompt["name"]: {each["name"] for each in prompt.get("arguments", [])}
            for prompt in catalog["prompts"]
        }
        for entry in catalog["resourceTemplates"]:
            uri = entry["uriTemplate"]
            self.known[uri] = set(UriTemplate.parse(uri).variable_names)
        self.complete = complete
        self.context = context
        self.calls = calls

    async def answer(
        self, ctx: Request, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """Suggest values for an argument of a prompt or a variable of a URI template."""
        ref = params.ref
        about = ref.name if isinstance(ref, types.PromptReference) else ref.uri
        if params.argument.name not in self.known.get(about, ()):
            words = "Nothing of this name can be completed"
            raise MCPError(types.INVALID_PARAMS, words)
        try:
            with masked("complete"):
                context = self.context(ctx)
                answer = await self.calls.run(self.complete, params, context=context)
                values = list(answer)
                suggested = types.Completion(
                    values=values[:MOST_VALUES],
                    total=len(values),
                    has_more=len(values) > MOST_VALUES,
                )
                result = types.CompleteResult(completion=suggested)
                return sendable(result)
        except ToolError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None
