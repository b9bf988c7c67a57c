"""Suggestions for the arguments of prompts and the variables of URI templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal

from .content import Json, Part
from .handlers import ToolError, masked, run
from .protocol import INTERNAL_ERROR, INVALID_PARAMS, Feature, MCPError, Request

MOST_VALUES = 100
EXPRESSION = re.compile(r"\{([^{}]*)\}")


class PromptReference(Part):
    type: Literal["ref/prompt"] = "ref/prompt"
    name: str


class ResourceTemplateReference(Part):
    type: Literal["ref/resource"] = "ref/resource"
    uri: str


class CompletionArgument(Part):
    name: str
    value: str


class CompletionContext(Part):
    arguments: dict[str, str] | None = None


class CompleteRequestParams(Part):
    ref: PromptReference | ResourceTemplateReference
    argument: CompletionArgument
    context: CompletionContext | None = None


class Completions(Feature):
    capabilities: Mapping[str, Json] = {"completions": {}}

    def __init__(
        self,
        catalog: Json,
        handler: Callable[..., Any],
        context: Callable[[Request], Any],
    ) -> None:
        self.handler, self.context = handler, context
        self.known: dict[str, set[str]] = {
            prompt["name"]: {each["name"] for each in prompt.get("arguments", [])}
            for prompt in catalog.get("prompts", ())
        }
        for template in catalog.get("resourceTemplates", ()):
            uri = template["uriTemplate"]
            self.known[uri] = {*re.findall(r"\w+", " ".join(EXPRESSION.findall(uri)))}
        self.methods = {"completion/complete": self.complete}

    def complete(self, request: Request) -> Json:
        """Suggest values for an argument of a prompt or a variable of a URI template."""
        params = self.read(request)
        try:
            with masked(request, "complete"):
                values = [*run(request, self.handler, params, self.context(request))]
                if not all(isinstance(value, str) for value in values):
                    raise TypeError("a completion is text")
        except ToolError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from None
        more = {"total": len(values), "hasMore": len(values) > MOST_VALUES}
        return {"completion": {"values": values[:MOST_VALUES], **more}}

    def read(self, request: Request) -> CompleteRequestParams:
        try:
            params = CompleteRequestParams.model_validate(request.params)
        except ValueError as error:
            raise MCPError(INVALID_PARAMS, f"Invalid params: {error}") from None
        ref = params.ref
        about = ref.name if isinstance(ref, PromptReference) else ref.uri
        if params.argument.name not in self.known.get(about, ()):
            raise MCPError(INVALID_PARAMS, "Nothing of this name can be completed")
        return params
