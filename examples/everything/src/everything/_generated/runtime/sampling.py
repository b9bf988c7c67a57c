"""Questions to the client's model."""

from typing import overload

import mcp_types as types

from .handlers import Shared, ToolError
from .questions import AskingContext


class SamplingContext(AskingContext[Shared]):
    """A context that can ask the client's model."""

    @overload
    async def sample(
        self, prompt: str, max_tokens: int = 1000, name: str = "sample"
    ) -> str: ...

    @overload
    async def sample(
        self, prompt: types.CreateMessageRequestParams, *, name: str = "sample"
    ) -> types.CreateMessageResult: ...

    async def sample(
        self,
        prompt: str | types.CreateMessageRequestParams,
        max_tokens: int = 1000,
        name: str = "sample",
    ) -> str | types.CreateMessageResult:
        """Ask the client's model: a text for a text, or a request for a whole result."""
        if isinstance(prompt, str):
            said = types.TextContent(text=prompt)
            message = types.SamplingMessage(role="user", content=said)
            params = types.CreateMessageRequestParams(
                messages=[message], max_tokens=max_tokens
            )
            content = (await self.sample(params, name=name)).content
            if not isinstance(content, types.TextContent):
                raise ToolError(f"The client's model answered with no text: {name}")
            return content.text
        question = types.CreateMessageRequest(params=prompt)
        return await self.ask("sampling", name, question, types.CreateMessageResult)
