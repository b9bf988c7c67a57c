"""The format of the server's settings: HTTP, variables, errors, capabilities, caching, warnings.

`format.py` has the format of the whole spec.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field
from pydantic_core import core_schema

from scaffold.spec.fields import Core, Flag, Items, Maybe, whole
from scaffold.spec.objects import Item, Model
from scaffold.spec.placeholders import placeholders
from scaffold.spec.texts import ErrorName, Host, VariableName

UniqueTexts = Annotated[tuple[str, ...], Items(unique=True)]


class Transport(StrEnum):
    """How clients reach the server."""

    STDIO = "stdio"
    STREAMABLE_HTTP = "streamable-http"
    SSE = "sse"


class Http(Model):
    """Where the server listens, unless its command line says otherwise."""

    host: Host = Field("127.0.0.1", description="Address to listen at.")
    port: Annotated[int, whole(1, 65535)] = Field(8000, description="Port to listen at.")


class Bearer(Model):
    """A token that every HTTP request must carry."""

    env: VariableName = Field(description="The variable of `env` that holds the token.")


class Auth(Model):
    """Who may use the server over HTTP."""

    bearer: Bearer = Field(description="A token that every HTTP request must carry.")


class ValueType(StrEnum):
    """What the value of a variable is parsed as."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    PATH = "path"
    URL = "url"
    LIST = "list"


class Variable(Item):
    """An environment variable that the server reads."""

    name: VariableName = Field(description="Its name.")
    description: Maybe[str] = Field(None, description="What it is for.")
    type: ValueType = Field(
        ValueType.STRING,
        description="What handlers get: a `list` has commas between its items, a `path` is a Path.",
    )
    default: Maybe[str] = Field(None, description="Its value where it is not set, as text.")
    secret: Flag = Field(
        False, description="Whether its value must never be written down or shown."
    )
    demanded: Flag = Field(
        True,
        alias="required",
        description="Whether the server refuses to start without it; with a default it never "
        "has to.",
    )

    @property
    def required(self) -> bool:
        """Whether the server refuses to start without it."""
        return self.demanded and self.default is None


class DomainError(Item):
    """A failure that handlers raise and models are told of, one exception class each."""

    name: ErrorName = Field(description="Name of the exception class: `ChunkNotFound`.")
    message: Annotated[str, Core(core_schema.str_schema(min_length=1))] = Field(
        description="What models are told; `{field}` stands for a value that the handler gives.",
    )

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The unique names in braces in the message, in order."""
        return placeholders(self.message)


class Capability(Model):
    """A capability without settings: `{}`."""


class ListCapability(Model):
    """A capability of a list."""

    list_changed: Flag = Field(
        False, alias="listChanged", description="Clients are told when the list changes."
    )


class ResourcesCapability(ListCapability):
    """The capability of resources."""

    subscribe: Flag = Field(
        False, description="Clients can ask to be told when a resource changes."
    )


class Capabilities(Model):
    """MCP's ServerCapabilities, as far as the spec declares them."""

    logging: Maybe[Capability] = Field(None, description="Handlers send clients log messages.")
    completions: Maybe[Capability] = Field(
        None,
        description="A handler completes arguments of prompts and variables of URI templates.",
    )
    tools: Maybe[ListCapability] = Field(None, description="Tools come and go while it runs.")
    resources: Maybe[ResourcesCapability] = Field(
        None, description="Resources change, or come and go, while it runs."
    )
    prompts: Maybe[ListCapability] = Field(None, description="Prompts come and go while it runs.")


class ClientCapabilities(Model):
    """What handlers ask of clients."""

    elicitation: Maybe[Capability] = Field(None, description="Ask people to fill in a form.")
    sampling: Maybe[Capability] = Field(
        None, description="Ask the client's model. Deprecated since MCP 2026-07-28."
    )
    roots: Maybe[Capability] = Field(
        None,
        description="Ask for the folders that it may work in. Deprecated since MCP 2026-07-28.",
    )


class CacheHint(Model):
    """How long clients may keep an answer, and whether users may share it."""

    ttl_ms: Annotated[int, whole(0, 31_536_000_000)] = Field(
        0, alias="ttlMs", description="Milliseconds that it stays fresh."
    )
    cache_scope: Literal["public", "private"] = Field(
        "private",
        alias="cacheScope",
        description="Whether all users may share it, or each has their own.",
    )


class Cache(Model):
    """Cache hints, by method."""

    discover: Maybe[CacheHint] = Field(
        None, alias="server/discover", description="What it is and can do."
    )
    tools: Maybe[CacheHint] = Field(None, alias="tools/list", description="The list of tools.")
    resources: Maybe[CacheHint] = Field(
        None, alias="resources/list", description="The list of resources."
    )
    templates: Maybe[CacheHint] = Field(
        None, alias="resources/templates/list", description="The list of resource templates."
    )
    contents: Maybe[CacheHint] = Field(
        None, alias="resources/read", description="The content of resources."
    )
    prompts: Maybe[CacheHint] = Field(
        None, alias="prompts/list", description="The list of prompts."
    )

    @property
    def hints(self) -> Iterator[tuple[str, CacheHint]]:
        """The hints that are set, each with its method."""
        for name, field in type(self).model_fields.items():
            if hint := getattr(self, name):
                yield field.alias or name, hint


class Lint(Model):
    """Which warnings are not wanted."""

    ignore: UniqueTexts = Field((), description="Ids of the warnings that are not wanted.")
