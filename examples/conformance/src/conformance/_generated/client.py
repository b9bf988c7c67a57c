# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What a handler may ask of the client, and tell it."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, get_args, overload

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.server.elicitation import render_elicitation_schema
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from conformance._generated.connections import connection_of
from conformance._generated.errors import ToolError
from conformance._generated.forms import check, model_of

Answer = TypeVar("Answer", bound=types.Result)
Form = TypeVar("Form")
Capability = Literal["elicitation", "roots", "sampling"]


class Unanswered(BaseException):
    """Ends a handler until the client has answered. Handlers must not catch it."""


@dataclass(frozen=True)
class Log:
    """The client's log. A message is text or JSON, sent if the client listens at its level.

    For messages to the people who run the server, use `logging`.
    """

    client: "Client"

    async def debug(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("debug", data, logger)

    async def info(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("info", data, logger)

    async def notice(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("notice", data, logger)

    async def warning(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("warning", data, logger)

    async def error(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("error", data, logger)

    async def critical(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("critical", data, logger)

    async def alert(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("alert", data, logger)

    async def emergency(self, data: Any, logger: str | None = None) -> None:
        await self.client.send_log("emergency", data, logger)


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

    @property
    def log(self) -> Log:
        """The client's log: `await context.log.info("…")`."""
        return Log(self)

    async def send_log(
        self, level: types.LoggingLevel, data: Any, logger: str | None
    ) -> None:
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
            message = types.SamplingMessage(
                role="user", content=types.TextContent(text=prompt)
            )
            params = types.CreateMessageRequestParams(
                messages=[message], max_tokens=max_tokens
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


LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)


def encodable(data: Any) -> Any:
    """Return JSON with `?` for what UTF-8 cannot encode, such as odd names of files."""
    text = json.dumps(to_jsonable_python(data), ensure_ascii=False)
    return json.loads(text.encode(errors="replace"))


async def set_level(
    ctx: ServerRequestContext[Any], params: types.SetLevelRequestParams
) -> types.EmptyResult:
    """Set the level from which this client gets log messages."""
    connection_of(ctx).log_level = params.level
    return types.EmptyResult()
