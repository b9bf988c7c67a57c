# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What a handler may ask of the client, and tell it."""

import json
from typing import Any, Literal, TypeVar, get_args

import jsonschema_rs
import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from conformance._generated.connections import connection_of
from conformance._generated.errors import ToolError

Answer = TypeVar("Answer", bound=types.Result)
Capability = Literal["elicitation", "roots", "sampling"]


class Unanswered(BaseException):
    """Ends a handler that the client must answer first; no handler should catch it."""


class Client:
    """The client, during one request.

    Each question has a name, its own within the request. Up to 2025-11-25 it is a
    request to the client, and the handler waits. Since 2026-07-28 it ends the handler:
    the client calls again with the answer, the handler begins anew, and this time the
    question returns. So ask first, and act on the answers then.
    """

    def __init__(self, request: ServerRequestContext[Any]) -> None:
        self.request = request
        self.is_modern = request.protocol_version in MODERN_PROTOCOL_VERSIONS
        self.questions: dict[str, types.InputRequest] = {}
        """What it is yet to answer."""

    async def log(
        self, level: types.LoggingLevel, data: Any, logger: str | None = None
    ) -> None:
        """Send a log message, if the client listens at this level."""
        if self.is_modern:
            least = (self.request.meta or {}).get(types.LOG_LEVEL_META_KEY)
        else:
            least = connection_of(self.request).log_level
        if least in LEVELS and LEVELS.index(level) >= LEVELS.index(least):
            params = types.LoggingMessageNotificationParams(
                level=level, data=encodable(data), logger=logger
            )
            await self.request.session.send_notification(
                types.LoggingMessageNotification(params=params), self.request.request_id
            )

    async def elicit(
        self, name: str, message: str, schema: dict[str, Any]
    ) -> types.ElicitResult:
        """Ask the user to fill in a form, an object of texts, numbers and choices.

        Content that is accepted fits the schema; the user may also decline or cancel.
        """
        params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
        question = types.ElicitRequest(params=params)
        answer = await self.ask("elicitation", name, question, types.ElicitResult)
        form = jsonschema_rs.validator_for(schema, offline=True, validate_formats=True)
        if answer.action == "accept" and not form.is_valid(answer.content or {}):
            raise MCPError(
                types.INVALID_PARAMS, f"The answer does not fit the form: {name}"
            )
        return answer

    async def sample(
        self, name: str, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult:
        """Ask the client's model to go on with a conversation."""
        question = types.CreateMessageRequest(params=params)
        return await self.ask("sampling", name, question, types.CreateMessageResult)

    async def list_roots(self, name: str) -> types.ListRootsResult:
        """Ask for the folders that the server may work in."""
        return await self.ask(
            "roots", name, types.ListRootsRequest(), types.ListRootsResult
        )

    def can(self, capability: Capability) -> bool:
        """Whether the client says that it can answer such a question."""
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
        if not self.is_modern:
            metadata = ServerMessageMetadata(related_request_id=self.request.request_id)
            try:
                session = self.request.session
                return await session.send_request(question, kind, metadata=metadata)
            except MCPError as error:
                raise ToolError(f"No answer to {name}: {error}") from error
            except ValidationError:
                raise ToolError(f"Not an answer to {name}") from None
        if name not in self.answers:
            self.questions[name] = question
            raise Unanswered(name)
        try:
            return kind.model_validate(self.answers[name], by_name=False)
        except ValidationError:
            raise MCPError(types.INVALID_PARAMS, f"Not an answer to {name}") from None

    def lacking(self, capability: Capability) -> Exception:
        message = f"This needs a client with the capability {capability}"
        if self.is_modern:
            data: dict[str, Any] = {"requiredCapabilities": {capability: {}}}
            return MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, message, data)
        return ToolError(message)

    @property
    def answers(self) -> dict[str, Any]:
        """What this round brought, and what earlier ones did, which it cannot alter."""
        params = self.request.params or {}
        earlier: dict[str, Any] = json.loads(params.get("requestState") or "{}")
        return {**(params.get("inputResponses") or {}), **earlier}

    def input_required(self) -> types.InputRequiredResult:
        """The open questions, and with them the answers so far, sealed on their way."""
        return types.InputRequiredResult(
            input_requests=self.questions, request_state=json.dumps(self.answers)
        )


LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)


def encodable(data: Any) -> Any:
    """Put `?` for what UTF-8 cannot hold, such as the odd bytes of a file's name."""
    text = json.dumps(to_jsonable_python(data), ensure_ascii=False)
    return json.loads(text.encode(errors="replace"))


async def set_level(
    ctx: ServerRequestContext[Any], params: types.SetLevelRequestParams
) -> types.EmptyResult:
    """From now on, send this client messages of this level and above."""
    connection_of(ctx).log_level = params.level
    return types.EmptyResult()
