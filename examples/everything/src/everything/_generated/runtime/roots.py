"""The folders that the client lets the server work in."""

import mcp_types as types

from .handlers import Shared
from .questions import AskingContext


class RootsContext(AskingContext[Shared]):
    """A context that can ask for the client's roots."""

    async def roots(self, name: str = "roots") -> list[types.Root]:
        """Ask for the folders that the server may work in."""
        question = types.ListRootsRequest()
        return (await self.ask("roots", name, question, types.ListRootsResult)).roots
