"""Questions to the client and its user, in either era of the protocol."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, overload

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from .forms import FormOf
from .handlers import BaseContext, Interruption, Shared, ToolError

Answer = TypeVar("Answer", bound=types.Result)
Form = TypeVar("Form")
Capability = Literal["elicitation", "roots", "sampling"]


class Unanswered(Interruption):
    """Ends a handler until the client has answered. Handlers must not catch it."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        self.result = result


async def ask_first(
    ctx: ServerRequestContext[Any], call_next: CallNext
) -> HandlerResult:
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
    waits: list[float] = field(default_factory=list[float], init=False)
    """Seconds of each question that was answered, and of open ones less the time now."""

    async def elicit(
        self, message: str, form: type[Form], name: str | None = None
    ) -> Form | Literal["decline", "cancel"]:
        """Ask the user to fill in a form: a dataclass of text, numbers, flags and choices.

        Return the form as it was filled in, or what the user chose instead. The name of
        the question is that of the form, unless `name` is given.
        """
        name, asked = name or form.__name__, FormOf(form)
        params = types.ElicitRequestFormParams(
            message=message, requested_schema=asked.schema
        )
        question = types.ElicitRequest(params=params)
        answer = await self.ask("elicitation", name, question, types.ElicitResult)
        if answer.action != "accept":
            return answer.action
        try:
            return asked.filled_in(answer.content or {})
        except ValueError:
            wrong = f"The answer does not fit the form: {name}"
            raise MCPError(types.INVALID_PARAMS, wrong) from None

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
            said = types.SamplingMessage(
                role="user", content=types.TextContent(text=prompt)
            )
            params = types.CreateMessageRequestParams(
                messages=[said], max_tokens=max_tokens
            )
            content = (await self.sample(params, name=name)).content
            if not isinstance(content, types.TextContent):
                raise ToolError(f"The client's model answered with no text: {name}")
            return content.text
        question = types.CreateMessageRequest(params=prompt)
        return await self.ask("sampling", name, question, types.CreateMessageResult)

    async def roots(self, name: str = "roots") -> list[types.Root]:
        """Ask for the folders that the server may work in."""
        question = types.ListRootsRequest()
        return (await self.ask("roots", name, question, types.ListRootsResult)).roots

    def can(self, capability: Capability) -> bool:
        """Return whether the client can answer such a question."""
        offer = getattr(self.request.session.client_capabilities, capability, None)
        if isinstance(offer, types.ElicitationCapability):
            return offer.form is not None or offer.url is None
        return offer is not None

    @property
    def is_modern(self) -> bool:
        return self.request.protocol_version in MODERN_PROTOCOL_VERSIONS

    async def ask(
        self,
        capability: Capability,
        name: str,
        question: types.InputRequest,
        kind: type[Answer],
    ) -> Answer:
        if not self.can(capability):
            raise self.lacking(capability)
        if name in self.asked:
            raise ValueError(f"two questions are called {name}: give one another name")
        self.asked[name] = question
        return await self.answer(name, question, kind)

    async def answer(
        self, name: str, question: types.InputRequest, kind: type[Answer]
    ) -> Answer:
        """Return the client's answer, or end the handler until there is one."""
        if not self.is_modern:
            metadata = ServerMessageMetadata(related_request_id=self.request.request_id)
            send = self.request.session.send_request
            try:
                with self.waiting():
                    return await send(question, kind, metadata=metadata)
            except MCPError as error:
                raise ToolError(f"No answer to {name}: {error}") from error
            except ValidationError:
                raise ToolError(f"Not an answer to {name}") from None
        params = self.request.params or {}
        # Answers of earlier rounds are sealed: this round cannot change them.
        earlier = json.loads(params.get("requestState") or "{}")
        given = {**(params.get("inputResponses") or {}), **earlier}
        if name not in given:
            left = {key: one for key, one in self.asked.items() if key not in given}
            state = json.dumps(given)
            raise Unanswered(
                types.InputRequiredResult(input_requests=left, request_state=state)
            )
        try:
            return kind.model_validate(given[name], by_name=False)
        except ValidationError:
            wrong = f"Not an answer to {name}"
            raise MCPError(types.INVALID_PARAMS, wrong) from None

    def lacking(self, capability: Capability) -> Exception:
        message = f"This needs a client with the capability {capability}"
        if not self.is_modern:
            return ToolError(message)
        data: dict[str, Any] = {"requiredCapabilities": {capability: {}}}
        return MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, message, data)

    @property
    def time_asking(self) -> float:
        """Seconds that the user took to answer: they do not count as time of the call."""
        now = time.monotonic()
        return sum(wait if wait >= 0 else now + wait for wait in self.waits)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time of a question."""
        begun, number = time.monotonic(), len(self.waits)
        self.waits.append(-begun)
        try:
            yield
        finally:
            self.waits[number] = time.monotonic() - begun
