"""The folders that the client works in."""

from __future__ import annotations

from .content import Part
from .questions import AskingContext, Shared


class Root(Part):
    uri: str
    name: str | None = None


class RootsContext(AskingContext[Shared]):
    async def roots(self, name: str = "roots") -> list[Root]:
        """Ask for the folders that the server may work in."""
        answer = await self.ask("roots", "roots/list", {}, name)
        try:
            return [*map(Root.model_validate, answer["roots"])]
        except (AttributeError, KeyError, TypeError):
            raise self.wrong("The answer has no roots") from None
