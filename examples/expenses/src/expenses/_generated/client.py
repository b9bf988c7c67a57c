# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What a handler may ask of the client."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.server.elicitation import render_elicitation_schema
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from expenses._generated.errors import ToolError
from expenses._generated.forms import check, model_of

Answer = TypeVar("Answer", bound=types.Result)
Form = TypeVar("Form")
Capability = Literal["elicitation"]


class Unanswered(BaseException):
    """Ends a handler until the client has answered. Handlers must not catch it."""


@dataclass(frozen=True)
class Client:
    """The client, during one request.

    Each question has a name that is unique within the request. Up to 2025-11-25 it is
    a request to the client, and the handler waits. Since 2026-07-28 it ends the handler:
    the client calls again with the answer, the handler starts again, and this time the
    question returns the answer. So ask first, then act.
    """

    request: ServerRequestContext[Any]
    asked: dict[str, types.InputRequest] = field(
        default_factory=dict[str, types.InputRequest], init=False
    )
    """The questions that the handler has asked so far, by name."""

    @property
    def is_modern(self) -> bool:
        return self.request.protocol_version in MODERN_PROTOCOL_VERSIONS

    async def elicit(
        self, message: str, form: type[Form], name: str | None = None
    ) -> Form | Literal["decline", "cancel"]:
        """Ask the user to fill in a form: a dataclass of text, numbers, flags and choices.

        Return the form as it was filled in, or what the user chose instead. The name of
        the question is that of the form, unless `name` is given.
        """
        name = name or form.__name__
        model = model_of(form)
        schema = render_elicitation_schema(model)
        schema = {
            "type": "object",
            "properties": schema["properties"],
            "required": schema.get("required", []),
        }
        params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
        question = types.ElicitRequest(params=params)
        answer = await self.ask("elicitation", name, question, types.ElicitResult)
        if answer.action != "accept":
            return answer.action
        content = answer.content or {}
        try:
            check(schema, content)
            filled = model.model_validate(content)
            return filled if isinstance(filled, form) else form(**vars(filled))
        except ValueError:
            message = f"The answer does not fit the form: {name}"
            raise MCPError(types.INVALID_PARAMS, message) from None

    def can(self, capability: Capability) -> bool:
        """Return whether the client can answer such a question."""
        offer = getattr(self.request.session.client_capabilities, capability, None)
        if isinstance(offer, types.ElicitationCapability):
            return offer.form is not None or offer.url is None
        return offer is not None

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
        if not self.is_modern:
            metadata = ServerMessageMetadata(related_request_id=self.request.request_id)
            try:
                session = self.request.session
                return await session.send_request(question, kind, metadata=metadata)
            except MCPError as error:
                raise ToolError(f"No answer to {name}: {error}") from error
            except ValidationError:
                raise ToolError(f"Not an answer to {name}") from None
        if name not in self.given:
            raise Unanswered(name)
        try:
            return kind.model_validate(self.given[name], by_name=False)
        except ValidationError:
            raise MCPError(types.INVALID_PARAMS, f"Not an answer to {name}") from None

    def lacking(self, capability: Capability) -> Exception:
        message = f"This needs a client with the capability {capability}"
        if self.is_modern:
            data: dict[str, Any] = {"requiredCapabilities": {capability: {}}}
            return MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, message, data)
        return ToolError(message)

    @property
    def given(self) -> dict[str, Any]:
        """The answers of this round and of earlier ones, which this one cannot change."""
        params = self.request.params or {}
        earlier: dict[str, Any] = json.loads(params.get("requestState") or "{}")
        return {**(params.get("inputResponses") or {}), **earlier}

    def input_required(self) -> types.InputRequiredResult:
        """Return the open questions, and the answers so far, which are sealed in transit."""
        given = self.given
        return types.InputRequiredResult(
            input_requests={
                name: self.asked[name] for name in self.asked if name not in given
            },
            request_state=json.dumps(given),
        )
