"""Questions to the client's model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from .asking import AskingContext, Shared
from .content import ContentBlock, Json, Part, Role, TextContent, block_of
from .handlers import ToolError


class SamplingMessage(Part):
    role: Role
    content: ContentBlock | Sequence[ContentBlock]
    _meta: Json | None = None


class CreateMessageRequestParams(Part):
    messages: Sequence[SamplingMessage]
    max_tokens: int
    system_prompt: str | None = None
    include_context: Literal["none", "thisServer", "allServers"] | None = None
    temperature: float | None = None
    stop_sequences: list[str] | None = None
    metadata: Json | None = None
    model_preferences: Json | None = None


class CreateMessageResult(Part):
    role: Role
    content: ContentBlock | Sequence[ContentBlock]
    model: str
    stop_reason: str | None = None


class SamplingContext(AskingContext[Shared]):
    @overload
    async def sample(
        self, prompt: str, max_tokens: int = 1000, name: str = "sample"
    ) -> str: ...

    @overload
    async def sample(
        self, prompt: CreateMessageRequestParams, *, name: str = "sample"
    ) -> CreateMessageResult: ...

    async def sample(
        self,
        prompt: str | CreateMessageRequestParams,
        max_tokens: int = 1000,
        name: str = "sample",
    ) -> str | CreateMessageResult:
        """Ask the client's model: a text for a text, or a request for a whole result."""
        is_text = isinstance(prompt, str)
        if isinstance(prompt, str):
            message = SamplingMessage(role="user", content=TextContent(text=prompt))
            prompt = CreateMessageRequestParams(
                messages=[message], max_tokens=max_tokens
            )
        method = "sampling/createMessage"
        answer = await self.ask("sampling", method, prompt.model_dump(), name)
        try:
            result = result_of(answer)
        except (AttributeError, KeyError, TypeError):
            text = f"The answer is not that of a model: {name}"
            raise self.wrong(text) from None
        if not is_text:
            return result
        if not isinstance(result.content, TextContent):
            raise ToolError(f"The client's model answered with no text: {name}")
        return result.content.text


def result_of(answer: Any) -> CreateMessageResult:
    content = answer["content"]
    return CreateMessageResult(
        role=answer["role"],
        content=[*map(block_of, content)]
        if isinstance(content, list)
        else block_of(content),
        model=answer["model"],
        stop_reason=answer.get("stopReason"),
    )
