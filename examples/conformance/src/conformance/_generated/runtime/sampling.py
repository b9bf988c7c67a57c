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
    ) -> types.CreateMessageResultWithTools: ...

    async def sample(
        self,
        prompt: str | types.CreateMessageRequestParams,
        max_tokens: int = 1000,
        name: str = "sample",
    ) -> str | types.CreateMessageResultWithTools:
        """Ask the client's model: a text for a text, or a request for a whole result."""
        if isinstance(prompt, str):
            content = types.TextContent(text=prompt)
            message = types.SamplingMessage(role="user", content=content)
            params = types.CreateMessageRequestParams(
                messages=[message], max_tokens=max_tokens
            )
            parts = (await self.sample(params, name=name)).content_as_list
            texts = [part.text for part in parts if isinstance(part, types.TextContent)]
            if not texts:
                raise ToolError(f"The client's model answered with no text: {name}")
            return "".join(texts)
        needed = "sampling.tools" if prompt.tools else "sampling"
        question = types.CreateMessageRequest(params=prompt)
        kind = types.CreateMessageResultWithTools
        return await self.ask(needed, name, question, kind)
