"""The format of the server's settings: HTTP, variables, errors, capabilities, caching, findings.

`format.py` has the format of the whole spec.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import ConfigDict, Field
from pydantic import GetJsonSchemaHandler as JsonHandler
from pydantic_core import CoreSchema

from scaffold.base.shipped import shipped
from scaffold.format.fields import UNIQUE, Item, Limits, Model
from scaffold.format.placeholders import placeholders
from scaffold.format.texts import (
    Date,
    ErrorName,
    FromVariable,
    Host,
    IssuerAddress,
    PageOrigin,
    Scope,
    VariableName,
    WebAddress,
)

AboveZero = Annotated[int, Limits({"minimum": 1})]
NotEmpty = Annotated[str, Limits({"minLength": 1})]


class Transport(StrEnum):
    """How clients reach the server."""

    STDIO = "stdio"
    STREAMABLE_HTTP = "streamable-http"
    SSE = "sse"


class Share(Model):
    """What one client may use of the server; its command line can override it."""

    calls: AboveZero = Field(64, description="Calls that run at once.")
    calls_per_minute: AboveZero = Field(
        1200, alias="callsPerMinute", description="Calls that begin in a minute."
    )


class Http(Model):
    """Default address of the server; its command line can override it."""

    host: Host = Field("127.0.0.1", description="Address to listen on.")
    port: Annotated[int, Limits({"maximum": 65535, "minimum": 1})] = Field(
        8000, description="Port to listen on."
    )
    allowed_origins: Annotated[tuple[PageOrigin, ...], UNIQUE] | None = Field(
        None,
        alias="allowedOrigins",
        description="Sites whose pages may call (CORS); `*` for all. Empty for the option alone.",
    )
    share: Share | None = Field(
        None, description="What each client may use: the user of a token, or else an address."
    )


class Bearer(Model):
    """A bearer token, required in every HTTP request."""

    env: VariableName = Field(description="Variable in `env` that holds the token.")
    required: bool = Field(
        False, description="HTTP does not start while the variable is not set; stdio does."
    )


class OAuth(Model):
    """The server is a resource server (OAuth 2.1): an issuer gives access tokens to clients."""

    issuer: IssuerAddress = Field(
        description="Authorization server, as its tokens name it in `iss`."
    )
    resource: FromVariable = Field(
        description="URL of the server, exactly as people give it to their clients."
    )
    audience: NotEmpty | None = Field(
        None, description="What tokens for this server have in `aud`. Default: the `resource`."
    )
    jwks: WebAddress | None = Field(
        None, description="Address of the issuer's keys. Default: as its metadata says."
    )
    scopes: Annotated[tuple[Scope, ...], UNIQUE] = Field(
        (), description="Scopes that every request needs."
    )
    lists_allowed: bool = Field(
        False,
        alias="listsAllowed",
        description="List only the tools whose scopes the token has. Default: all, so that a call "
        "can ask the user for more.",
    )


class Auth(Model):
    """Authentication over HTTP: one of the keys."""

    bearer: Bearer | None = Field(None, description="Require a bearer token in every HTTP request.")
    oauth: OAuth | None = Field(
        None, description="Require an access token of an OAuth issuer in every HTTP request."
    )

    @property
    def token(self) -> str | None:
        """The variable that holds the bearer token, if there is one."""
        return self.bearer.env if self.bearer else None

    @property
    def variable(self) -> str | None:
        """The variable that only HTTP needs."""
        return self.oauth.resource.env if self.oauth else self.token


class Log(Model):
    """Contents of the server's log."""

    calls: bool = Field(
        False, description="A line for each call of a tool: who called it, and how it ended."
    )
    format: Literal["text", "json"] = Field(
        "text", description="Default format of the lines. The command line can override it."
    )


class Replicas(Model):
    """What processes share that serve the same clients."""

    state_keys: FromVariable | None = Field(
        None,
        alias="stateKeys",
        description="Keys that seal the state of questions, separated by commas: the first seals, "
        "all open.",
    )
    redis: FromVariable | None = Field(
        None, description="URL of a Redis that carries notifications from replica to replica."
    )


class KnownClient(Struct, frozen=True):
    """The name of a client whose configuration is known: of a file in `scaffold/clients/data/`."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        return {"enum": sorted(file.stem for file in shipped("clients/data").glob("*.toml"))}


ClientName = Annotated[str, KnownClient()]
USUAL_CLIENTS: tuple[ClientName, ...] = ("claude-desktop", "cursor", "vscode", "claude-code")


class ValueType(StrEnum):
    """The type that the value of a variable is parsed as."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    PATH = "path"
    URL = "url"
    LIST = "list"


class Variable(Item):
    """An environment variable that the server reads."""

    name: VariableName = Field(description="Name of the variable.")
    description: str | None = Field(None, description="What it is for.")
    type: ValueType = Field(
        ValueType.STRING,
        description="Type of the value: a `list` is separated by commas, a `path` is a `Path`.",
    )
    default: str | None = Field(None, description="Value if the variable is not set, as text.")
    secret: bool = Field(False, description="Never write or show the value.")
    demanded: bool = Field(
        True,
        alias="required",
        description="Whether the server needs the variable to start, if it has no default.",
    )

    @property
    def required(self) -> bool:
        """Whether the server refuses to start without it."""
        return self.demanded and self.default is None


class DomainError(Item):
    """An error that handlers raise and that models see, with its own exception class."""

    name: ErrorName = Field(description="Name of the exception class, such as `ChunkNotFound`.")
    message: NotEmpty = Field(
        description="Message for models. `{field}` inserts a value from the handler."
    )

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The unique names in braces in the message, in order."""
        return placeholders(self.message)


class Capability(Model):
    """A capability without settings: `{}`."""


class Elicitation(Model):
    """The ways to ask people. Without any, handlers ask by forms."""

    form: Capability | None = Field(None, description="Ask people to fill in a form.")
    url: Capability | None = Field(None, description="Ask people to open a page, as for secrets.")


class ListCapability(Model):
    """A capability of a list."""

    list_changed: bool = Field(
        False, alias="listChanged", description="Notify clients when the list changes."
    )


class ResourcesCapability(ListCapability):
    """The capability of resources."""

    subscribe: bool = Field(False, description="Clients can subscribe to changes of a resource.")


class Capabilities(Model):
    """Capabilities that the server announces (MCP ServerCapabilities)."""

    logging: Capability | None = Field(None, description="Handlers send log messages to clients.")
    completions: Capability | None = Field(
        None, description="A handler completes prompt arguments and URI template variables."
    )
    tools: ListCapability | None = Field(
        None, description="The list of tools can change while the server runs."
    )
    resources: ResourcesCapability | None = Field(
        None, description="Resources and their list can change while the server runs."
    )
    prompts: ListCapability | None = Field(
        None, description="The list of prompts can change while the server runs."
    )

    @property
    def changing(self) -> tuple[str, ...]:
        """The lists that can change: `tools`, `resources`, `prompts`."""
        lists = {"tools": self.tools, "resources": self.resources, "prompts": self.prompts}
        return tuple(
            name for name, capability in lists.items() if capability and capability.list_changed
        )

    @property
    def declared(self) -> frozenset[str]:
        """What is declared besides lists that change: `logging`, `completions`, `subscribe`."""
        subscribe = {"subscribe"} if self.resources and self.resources.subscribe else set()
        return frozenset({"logging", "completions"} & self.model_fields_set | subscribe)


class ClientCapabilities(Model):
    """Client capabilities that handlers use."""

    elicitation: Elicitation | None = Field(
        None, description="Ask people to fill in a form, or to open a page."
    )
    sampling: Capability | None = Field(
        None, description="Ask the client's model. Deprecated since MCP 2026-07-28."
    )
    roots: Capability | None = Field(
        None, description="Ask which directories to work in. Deprecated since MCP 2026-07-28."
    )

    @property
    def urls(self) -> bool:
        """Whether handlers ask people to open a page."""
        return self.elicitation is not None and self.elicitation.url is not None

    @property
    def forms(self) -> bool:
        """Whether handlers ask people to fill in a form."""
        return self.elicitation is not None and (self.elicitation.form is not None or not self.urls)


class CacheHint(Model):
    """How long clients may cache a response, and for whom."""

    ttl_ms: Annotated[int, Limits({"maximum": 31_536_000_000, "minimum": 0})] = Field(
        0, alias="ttlMs", description="Milliseconds until the response is stale."
    )
    cache_scope: Literal["public", "private"] = Field(
        "private", alias="cacheScope", description="Whether users share the cached response."
    )


class Cache(Model):
    """Cache hints, by method."""

    discover: CacheHint | None = Field(
        None, alias="server/discover", description="The server's description."
    )
    tools: CacheHint | None = Field(None, alias="tools/list", description="The list of tools.")
    resources: CacheHint | None = Field(
        None, alias="resources/list", description="The list of resources."
    )
    templates: CacheHint | None = Field(
        None, alias="resources/templates/list", description="The list of resource templates."
    )
    contents: CacheHint | None = Field(
        None, alias="resources/read", description="The content of resources."
    )
    prompts: CacheHint | None = Field(
        None, alias="prompts/list", description="The list of prompts."
    )

    @property
    def hints(self) -> Iterator[tuple[str, CacheHint]]:
        """The hints that are set, each with its method."""
        for name, field in type(self).model_fields.items():
            if hint := getattr(self, name):
                yield field.alias or name, hint


class Toolset(Model):
    """Tools that the server offers together, or not at all."""

    description: str | None = Field(None, description="What the tools are for.")
    tools: Annotated[tuple[str, ...], Limits({"minItems": 1}), UNIQUE] = Field(
        description="Names of tools."
    )
    default: bool = Field(False, description="Whether the tools are offered if nobody chooses.")


ByToolset = Annotated[
    Mapping[str, Toolset],
    Limits(
        {
            "minProperties": 1,
            "propertyNames": {
                "title": "toolset name",
                "maxLength": 64,
                "pattern": "^(?!(all|default)$)[a-z0-9][a-z0-9_-]*$",
                "patternErrorMessage": "use lowercase letters, digits, `_` and `-`; `all` and "
                "`default` stand for several toolsets",
            },
        }
    ),
]


class Budget(Model):
    """Limits for the part of a model's context that the list of tools takes."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    tools: AboveZero | None = Field(None, description="Maximum tools offered by default.")
    tokens: AboveZero | None = Field(
        None, description="Maximum tokens of these tools: bytes of their JSON, divided by 4."
    )


class Lint(Model):
    """Settings for warnings."""

    ignore: Annotated[tuple[str, ...], UNIQUE] = Field((), description="Ids of warnings to ignore.")


class Acceptance(Model):
    """A finding of `breaking` that is accepted."""

    id: str = Field(description="Id of the finding.")
    where: str = Field(description="Place of the finding, as `breaking` shows it.")
    reason: NotEmpty = Field(description="Why the change is acceptable.")
    until: Date | None = Field(
        None, description="Last day on which the finding is accepted. Default: always."
    )


class Breaking(Model):
    """Settings for `mcp-scaffold breaking`."""

    accept: tuple[Acceptance, ...] = Field((), description="Findings that are accepted.")
