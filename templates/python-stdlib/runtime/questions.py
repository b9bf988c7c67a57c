"""Questions to the user and to the client's model, in either era of the protocol.

Up to 2025-11-25 a question is a request to the client, and the handler waits. Since
2026-07-28 it ends the handler: the client calls again with the answer, the handler starts
again, and this time the question returns the answer. So ask first, then act.

What a client carries from one round to the next is only what it has answered itself, so
nothing is gained by changing it, and it is not sealed.
"""

from __future__ import annotations

import itertools
import json
from queue import SimpleQueue
from time import monotonic
from typing import TypeVar

from .content import Part
from .handlers import BaseContext, ToolError
from .lifespan import running_loop
from .protocol import (
    INVALID_PARAMS,
    MISSING_CAPABILITY,
    Json,
    MCPError,
    Request,
    Unfinished,
    encoded,
)
from .typed import reader

Shared = TypeVar("Shared")
NUMBERS = itertools.count(1)


class Root(Part):
    """A folder that the client works in."""

    uri: str
    name: str | None = None


class AskingContext(BaseContext[Shared]):
    """Asks the client. Each question of a handler has a name of its own."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.asked: Json = {}

    def can(self, capability: str) -> bool:
        """Return whether the client can answer.

        `elicitation`, `elicitation.url`, `sampling` or `roots`.
        """
        base, _, part = capability.partition(".")
        offer = self.request.capabilities.get(base)
        if not isinstance(offer, dict) or part:
            return isinstance(offer, dict) and part in offer
        return capability != "elicitation" or "form" in offer or "url" not in offer

    def wrong(self, text: str) -> Exception:
        """Return the error for an answer that is not as it was asked for."""
        is_modern = self.request.is_modern
        return MCPError(INVALID_PARAMS, text) if is_modern else ToolError(text)

    async def ask(self, capability: str, method: str, params: Json, name: str) -> Json:
        """Return the result of a request to the client."""
        if not self.can(capability):
            text = f"This needs a client with the capability {capability}"
            if not self.request.is_modern:
                raise ToolError(text)
            base, _, part = capability.partition(".")
            data: Json = {"requiredCapabilities": {base: {part: {}} if part else {}}}
            raise MCPError(MISSING_CAPABILITY, text, data)
        if name in self.asked:
            raise ValueError(f"two questions are called {name}: give one another name")
        self.asked[name] = {"method": method, "params": params}
        if not self.request.is_modern:
            return await response(self.request, self.asked[name])
        given = answers_of(self.request)
        if name in given:
            return given[name]
        left = {key: row for key, row in self.asked.items() if key not in given}
        asked = {"inputRequests": left, "requestState": json.dumps(given)}
        raise Unfinished({"resultType": "input_required", **asked})

    async def roots(self, name: str = "roots") -> list[Root]:
        """Ask for the folders that the server may work in."""
        answer = await self.ask("roots", "roots/list", {}, name)
        try:
            roots: list[Root] = reader(list[Root])(answer.get("roots"))
        except ValueError:
            raise self.wrong("The answer has no roots") from None
        return roots


def answers_of(request: Request) -> dict[str, Json]:
    """Return what the client has answered, in this round and in those before."""
    try:
        earlier = json.loads(request.params.get("requestState") or "{}")
    except (TypeError, ValueError):
        earlier = None
    now = request.params.get("inputResponses") or {}
    if isinstance(now, dict) and isinstance(earlier, dict):
        given: dict[str, Json] = {**now, **earlier}
        if all(isinstance(answer, dict) for answer in given.values()):
            return given
    raise MCPError(INVALID_PARAMS, "Invalid requestState or inputResponses")


async def response(request: Request, question: Json) -> Json:
    """Return the client's answer to a request of ours. While it is due, no time runs."""
    server, number = request.server, f"ask-{next(NUMBERS)}"
    line = encoded({"jsonrpc": "2.0", "id": number, **question})
    left, request.ends_at = request.ends_at - monotonic(), float("inf")
    try:
        if loop := running_loop():
            future = loop.create_future()
            server.asked[number] = lambda message: loop.call_soon_threadsafe(
                lambda: future.done() or future.set_result(message)
            )
            server.send(line)
            message = await future
        else:
            queue = SimpleQueue[Json]()
            server.asked[number] = queue.put
            request.give_up = lambda: queue.put({})
            server.send(line)
            message = queue.get()
    finally:
        request.ends_at = monotonic() + left
        if server.asked.pop(number, None):
            server.notify("notifications/cancelled", {"requestId": number})
    if isinstance(result := message.get("result"), dict):
        return result
    error = message.get("error")
    reason = error.get("message") if isinstance(error, dict) else None
    raise ToolError(f"The client refused to answer: {reason!s:.300}")
