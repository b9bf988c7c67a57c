"""Questions to the client and its user, in either era of the protocol."""

import asyncio
import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio.lowlevel
import mcp_types as types
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from .handlers import BaseContext, Interruption, Request, Shared, ToolError

Answer = TypeVar("Answer", bound=types.Result)


class Unanswered(Interruption):
    """Ends a handler until the client has answered. Handlers must not catch it."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        self.result = result


async def ask_first(ctx: Request, call_next: CallNext) -> HandlerResult:
    """Middleware that answers a call with the questions that its handler has asked."""
    try:
        return await call_next(ctx)
    except Unanswered as unanswered:
        return unanswered.result


@dataclass(frozen=True)
class AskingContext(BaseContext[Shared]):
    """A context that can ask the client and its user.

    Up to 2025-11-25 a question is a request to the client, and the handler waits. Since
    2026-07-28 it ends the handler: the client calls again with the answer, the handler
    starts again, and this time the question returns the answer. So ask first, then act.
    Each question has a name that is unique within the call.
    """

    asked: dict[str, types.InputRequest] = field(
        default_factory=dict[str, types.InputRequest], init=False
    )
    waits: dict[str, float] = field(default_factory=dict[str, float], init=False)
    """Seconds that each answer took; for an open question, less the time now."""

    def can(self, capability: str) -> bool:
        """Return whether the client can answer.

        `elicitation`, `elicitation.url`, `sampling`, `sampling.tools` or `roots`.
        """
        offer: Any = self.request.session.client_capabilities
        for part in capability.split("."):
            offer = getattr(offer, part, None)
        if isinstance(offer, types.ElicitationCapability):
            return offer.form is not None or offer.url is None
        return offer is not None

    async def ask(
        self,
        capability: str,
        name: str,
        question: types.InputRequest,
        kind: type[Answer],
    ) -> Answer:
        """Return the client's answer to a question of this name."""
        is_modern = self.request.protocol_version in MODERN_PROTOCOL_VERSIONS
        if not self.can(capability):
            message = f"This needs a client with the capability {capability}"
            base, _, part = capability.partition(".")
            needed: dict[str, Any] = {base: {part: {}} if part else {}}
            data = {"requiredCapabilities": needed}
            code = types.MISSING_REQUIRED_CLIENT_CAPABILITY
            raise MCPError(code, message, data) if is_modern else ToolError(message)
        if name in self.asked:
            raise ValueError(f"two questions are called {name}: give one another name")
        self.asked[name] = question
        if is_modern:
            return await self.answer(name, question, kind)
        request = self.request
        metadata = ServerMessageMetadata(related_request_id=request.request_id)
        try:
            with self.waiting(name):
                return await request.session.send_request(
                    question, kind, metadata=metadata
                )
        except MCPError as error:
            raise ToolError(f"No answer to {name}: {error}") from error
        except ValidationError:
            raise misfit(name) from None

    async def roots(self, name: str = "roots") -> list[types.Root]:
        """Ask the client for the folders that the server may work in."""
        question = types.ListRootsRequest()
        return (await self.ask("roots", name, question, types.ListRootsResult)).roots

    async def answer(
        self, name: str, question: types.InputRequest, kind: type[Answer]
    ) -> Answer:
        """Return the answer that came with the call, or end the handler without one."""
        params = self.request.params or {}
        # Answers of earlier rounds are sealed: this round cannot change them.
        earlier: dict[str, Any] = json.loads(params.get("requestState") or "{}")
        given: dict[str, Any] = {**(params.get("inputResponses") or {}), **earlier}
        if name not in given:
            # Others of a task group are asked with it.
            await anyio.lowlevel.checkpoint()
            left = {key: row for key, row in self.asked.items() if key not in given}
            state = json.dumps(given)
            raise Unanswered(
                types.InputRequiredResult(input_requests=left, request_state=state)
            )
        try:
            return kind.model_validate(given[name], by_name=False)
        except ValidationError:
            raise misfit(name) from None

    async def is_in_time(self, work: asyncio.Task[Any], seconds: float) -> bool:
        """Wait for a handler; the time that the client takes to answer does not count."""
        begun = time.monotonic()
        while not work.done():
            now = time.monotonic()
            waits = self.waits.values()
            asking = sum(wait if wait >= 0 else now + wait for wait in waits)
            if (left := begun + seconds + asking - now) <= 0:
                return False
            await asyncio.wait([work], timeout=left)
        return True

    @contextmanager
    def waiting(self, name: str) -> Generator[None]:
        self.waits[name] = -time.monotonic()
        try:
            yield
        finally:
            self.waits[name] += time.monotonic()


def misfit(name: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"The answer does not fit: {name}")
