"""The folders that the client works in."""

from __future__ import annotations

from .content import Part
from .questions import AskingContext, Shared
from .typed import reader


class Root(Part):
    uri: str
    name: str | None = None


class RootsContext(AskingContext[Shared]):
    async def roots(self, name: str = "roots") -> list[Root]:
        """Ask for the folders that the server may work in."""
        answer = await self.ask("roots", "roots/list", {}, name)
        try:
            roots: list[Root] = reader(list[Root])(answer.get("roots"))
        except ValueError:
            raise self.wrong("The answer has no roots") from None
        return roots
