"""A checked spec, format 1, as values.

Plain frozen dataclasses: pydantic, which could check and hold in one, costs 0.16 s to import, more
than all else that `validate` does together. The shape is checked by the format's JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from scaffold.files import RelPath

JsonObject: TypeAlias = Mapping[str, Any]
"""A JSON object as it was written. Do not change it: parts may be shared."""


class Transport(StrEnum):
    """How clients reach the server."""

    STDIO = "stdio"
    STREAMABLE_HTTP = "streamable-http"
    SSE = "sse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """An image that stands for the server or an entry (MCP 2025-11-25, basic/index#icons)."""

    src: str
    mime_type: str | None = None
    sizes: tuple[str, ...] = ()
    theme: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A call of a tool that the client script makes and the docs show."""

    name: str
    arguments: JsonObject
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a list of the server names: a tool, a resource, a resource template or a prompt.

    `wire` is the object that the list request answers with, exactly as it was written.
    `renamed_from` is the name that its handler had before.
    """

    wire: JsonObject
    name: str
    title: str | None = None
    description: str | None = None
    icons: tuple[Icon, ...] = ()
    renamed_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Entry):
    """A function that models call; `timeout` is in seconds, `errors` are names of DomainErrors."""

    input_schema: JsonObject
    output_schema: JsonObject | None = None
    annotations: JsonObject
    errors: tuple[str, ...] = ()
    timeout: float | None = None
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(Entry):
    """A document with a URI: static where `text` or `file` is given, else there is a handler.

    `file` is relative to the folder of the spec.
    """

    uri: str
    mime_type: str | None = None
    size: int | None = None
    annotations: JsonObject
    text: str | None = None
    file: RelPath | None = None

    @property
    def is_static(self) -> bool:
        """Whether the spec gives the content."""
        return self.text is not None or self.file is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceTemplate(Entry):
    """A family of documents whose addresses follow a URI template (RFC 6570)."""

    uri_template: str
    mime_type: str | None = None
    annotations: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptArgument:
    """A text that a prompt is filled with."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMessage:
    """A message of a static prompt.

    `content` is a content block as it goes out, but for the `{argument}` placeholders in its text,
    where `{{` and `}}` stand for braces.
    """

    role: str
    content: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Entry):
    """A message template: static where `messages` is given, else (None) there is a handler."""

    arguments: tuple[PromptArgument, ...] = ()
    messages: tuple[PromptMessage, ...] | None = None

    @property
    def is_static(self) -> bool:
        """Whether the spec gives the messages."""
        return self.messages is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """Where the server listens, unless its command line says otherwise."""

    host: str = "127.0.0.1"
    port: int = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearer:
    """A token that every HTTP request must carry; `env` names the variable that holds it."""

    env: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Auth:
    """Who may use the server over HTTP."""

    bearer: Bearer


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """An environment variable that the server reads.

    `required` says that the server must not start without it; it is false wherever there is a
    default. A secret has no default.
    """

    name: str
    description: str | None = None
    default: str | None = None
    secret: bool = False
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainError:
    """A failure that handlers raise and models are told of, one exception class each.

    `fields` are the names in braces in the message, each once, in order.
    """

    name: str
    message: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHint:
    """How long clients may keep an answer, and whether users may share it."""

    method: str
    ttl_ms: int = 0
    scope: str = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """An MCP server, as its author describes it; the first transport is the default.

    `capabilities` is MCP's ServerCapabilities as far as the spec gives them, `client_capabilities`
    names what handlers ask of clients.
    """

    name: str
    version: str
    title: str | None = None
    description: str | None = None
    instructions: str | None = None
    website_url: str | None = None
    icons: tuple[Icon, ...] = ()
    transports: tuple[Transport, ...] = (Transport.STDIO,)
    http: Http = Http()
    auth: Auth | None = None
    env: tuple[Variable, ...] = ()
    errors: tuple[DomainError, ...] = ()
    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    resource_templates: tuple[ResourceTemplate, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    capabilities: JsonObject = field(default_factory=dict)
    client_capabilities: frozenset[str] = frozenset()
    cache: tuple[CacheHint, ...] = ()
    ignored: frozenset[str] = frozenset()
    """Ids of the warnings that are not wanted."""
