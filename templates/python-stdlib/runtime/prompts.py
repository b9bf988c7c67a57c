"""Prompts: static messages, filled in with arguments, or those of a handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from .content import ContentBlock, Json, Part, Role
from .handlers import InternalError, ToolError, masked, run
from .model import Model
from .protocol import INTERNAL_ERROR, INVALID_PARAMS, Feature, MCPError, Request, listed

Arguments = TypeVar("Arguments", bound=Model)
PromptResult: TypeAlias = "str | Sequence[PromptMessage] | GetPromptResult"
"""Text of one user message, messages, or a whole result."""


class PromptMessage(Part):
    role: Role
    content: ContentBlock


class GetPromptResult(Part):
    description: str | None = None
    messages: Sequence[PromptMessage]
    _meta: Json | None = None


@dataclass(frozen=True)
class Prompt(Generic[Arguments]):
    """The handler of a prompt."""

    arguments: type[Arguments]
    handler: Callable[[Arguments, Any], Awaitable[PromptResult] | PromptResult]


class Prompts(Feature):
    """The prompts of a server: the messages of static ones are in the catalog."""

    capabilities: Mapping[str, Json] = {"prompts": {"listChanged": False}}

    def __init__(
        self,
        catalog: Json,
        prompts: Mapping[str, Prompt[Any]],
        context: Callable[[Request], Any],
    ) -> None:
        self.entries: dict[str, Json] = {row["name"]: row for row in catalog["prompts"]}
        self.static: Mapping[str, list[Json]] = catalog.get("messages", {})
        self.prompts, self.context = prompts, context
        self.methods = {
            "prompts/list": listed("prompts", catalog["prompts"]),
            "prompts/get": self.get,
        }

    def get(self, request: Request) -> Json:
        name, arguments = request.text("name"), request.params.get("arguments", {})
        if name not in self.entries or request.server.hides("prompts", name):
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {name:.128}")
        entry = self.entries[name]
        if not isinstance(arguments, dict):
            raise MCPError(INVALID_PARAMS, "arguments must be an object")
        for key in arguments:
            request.text(key, arguments)
        known = entry.get("arguments", [])
        lacking = [
            a["name"] for a in known if a.get("required") and a["name"] not in arguments
        ]
        if lacking:
            raise MCPError(INVALID_PARAMS, f"Missing arguments: {', '.join(lacking)}")
        about = {"description": entry["description"]} if "description" in entry else {}
        if name in self.static:
            values = {a["name"]: arguments.get(a["name"], "") for a in known}
            return {**about, "messages": filled(self.static[name], values)}
        prompt = self.prompts[name]
        try:
            with masked(request, name):
                given = prompt.arguments.model_validate(arguments)
                value = run(request, prompt.handler, given, self.context(request))
                return {**about, **messages(value)}
        except ToolError as error:
            is_internal = isinstance(error, InternalError)
            code = INTERNAL_ERROR if is_internal else INVALID_PARAMS
            raise MCPError(code, str(error)) from None


def filled(messages: list[Json], values: Mapping[str, str]) -> list[Json]:
    """Return static messages with the arguments in their texts; `{{` stands for a brace."""
    result = []
    for message in messages:
        content = message["content"]
        if content["type"] == "text":
            content = {**content, "text": content["text"].format_map(values)}
        result.append({**message, "content": content})
    return result


def messages(value: PromptResult) -> Json:
    if isinstance(value, GetPromptResult):
        return value.model_dump()
    if isinstance(value, str):
        content = {"type": "text", "text": value}
        return {"messages": [{"role": "user", "content": content}]}
    return {"messages": [message.model_dump() for message in value]}
