"""Questions to the client's model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, overload

from .content import AudioContent, ImageContent, Json, Part, Role, TextContent
from .handlers import ToolError
from .questions import AskingContext, Shared

SamplingContent: TypeAlias = TextContent | ImageContent | AudioContent


class SamplingMessage(Part):
    role: Role
    content: SamplingContent | Sequence[SamplingContent]
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
    content: SamplingContent | list[SamplingContent]
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
        if isinstance(prompt, str):
            message = SamplingMessage(role="user", content=TextContent(text=prompt))
            params = CreateMessageRequestParams(
                messages=[message], max_tokens=max_tokens
            )
            content = (await self.sample(params, name=name)).content
            if not isinstance(content, TextContent):
                raise ToolError(f"The client's model answered with no text: {name}")
            return content.text
        method = "sampling/createMessage"
        answer = await self.ask("sampling", method, prompt.model_dump(), name)
        try:
            return CreateMessageResult.model_validate(answer)
        except ValueError:
            raise self.wrong(f"The answer is not that of a model: {name}") from None
