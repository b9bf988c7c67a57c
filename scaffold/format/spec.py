"""The format of the spec, version 1, as pydantic models.

They are the only definition of the format: validation, editor completion and what is sent to
clients derive from them. Each key has its type and its description in one place.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Annotated

from pydantic import Field

from scaffold.base.files import RelPath
from scaffold.format.entries import Entry, Prompt, Resource, ResourceTemplate, Tool
from scaffold.format.fields import UNIQUE, Item, Limits, Listed
from scaffold.format.handler import Upstream
from scaffold.format.http_handler import Api
from scaffold.format.parts import Icon
from scaffold.format.publish import Publish
from scaffold.format.settings import (
    USUAL_CLIENTS,
    Auth,
    Breaking,
    Budget,
    ByToolset,
    Cache,
    Capabilities,
    ClientCapabilities,
    ClientName,
    DomainError,
    Http,
    Lint,
    Log,
    Replicas,
    Transport,
    Variable,
)
from scaffold.format.texts import ServerName, Version, WebAddress
from scaffold.schema.index import Index

__all__ = [
    "LISTS",
    "DomainError",
    "Entry",
    "Item",
    "Prompt",
    "Resource",
    "ResourceTemplate",
    "Spec",
    "Tool",
    "Transport",
    "Variable",
]


class Spec(Item):
    """An MCP server: its tools, resources and prompts."""

    name: ServerName = Field(
        description="Name of the server, its package and its command.", examples=["blog-search"]
    )
    version: Version = Field(description="Version of the server, in quotes.", examples=['"0.1.0"'])
    title: str | None = Field(None, description="Display name.")
    description: str | None = Field(None, description="What the server is for, in one line.")
    instructions: str | None = Field(
        None, description="Instructions for models on how to use the server."
    )
    website_url: WebAddress | None = Field(None, alias="websiteUrl", description="Website.")
    icons: tuple[Icon, ...] = Field((), description="Icons that clients may show.")
    transports: Annotated[tuple[Transport, ...], Limits({"minItems": 1}), UNIQUE] = Field(
        (Transport.STDIO,), description="Supported transports. The first is the default."
    )
    http: Http = Field(
        Http.model_construct(),
        description="Default host and port. The server's command line can override them.",
    )
    auth: Auth | None = Field(None, description="Authentication over HTTP.")
    replicas: Replicas | None = Field(
        None, description="Several processes serve the same clients over HTTP."
    )
    clients: Annotated[tuple[ClientName, ...], UNIQUE] = Field(
        USUAL_CLIENTS, description="Clients for which the project holds a configuration."
    )
    env: Listed[Variable] = Field((), description="Environment variables that the server reads.")
    api: Api | None = Field(None, description="HTTP API that the tools with `handler.http` call.")
    upstream: Upstream | None = Field(
        None, description="MCP server that the entries with `handler.proxy` are passed on to."
    )
    telemetry: bool = Field(
        False,
        description="Send spans and metrics (OpenTelemetry) if environment variables enable it.",
    )
    log: Log | None = Field(None, description="Contents of the server's log.")
    errors: Listed[DomainError] = Field(
        (), description="Errors that handlers raise and that models see, each an exception class."
    )
    tools: Listed[Tool] = Field((), description="Functions that models call.")
    toolsets: ByToolset = Field(
        {}, description="Sets of tools to choose from. Tools in none are always offered."
    )
    budget: Budget | None = Field(
        None, description="Limits for the part of a model's context that the list of tools takes."
    )
    resources: Listed[Resource] = Field((), description="Documents that clients read.")
    resource_templates: Listed[ResourceTemplate] = Field(
        (), alias="resourceTemplates", description="Documents with variable URIs."
    )
    prompts: Listed[Prompt] = Field((), description="Message templates that people choose.")
    skills: str | None = Field(
        None,
        description="Directory with skills (SEP-2640), relative to the spec. A first one is written "
        "for you.",
    )
    capabilities: Capabilities = Field(
        Capabilities.model_construct(),
        description="Capabilities to announce (MCP 2025-11-25, schema, ServerCapabilities).",
    )
    client_capabilities: ClientCapabilities = Field(
        ClientCapabilities.model_construct(),
        alias="clientCapabilities",
        description="Client capabilities to use (MCP 2025-11-25, schema, ClientCapabilities).",
    )
    cache: Cache = Field(
        Cache.model_construct(),
        description="How long clients may cache responses, by method "
        "(MCP 2026-07-28, server/utilities/caching).",
    )
    publish: Publish | None = Field(
        None, description="How the server is published, and under which name."
    )
    lint: Lint = Field(Lint.model_construct(), description="Settings for warnings.")
    breaking: Breaking = Field(
        Breaking.model_construct(), description="Settings for `mcp-scaffold breaking`."
    )

    @cached_property
    def offered(self) -> tuple[Tool, ...]:
        """The tools that the server offers if nobody chooses toolsets."""
        return self.offered_with(
            [name for name, toolset in self.toolsets.items() if toolset.default]
        )

    def offered_with(self, toolsets: Collection[str]) -> tuple[Tool, ...]:
        """Return the tools that the server offers with some toolsets: theirs, and those in none."""
        kept = {name for chosen in toolsets for name in self.toolsets[chosen].tools}
        left_out = {name for toolset in self.toolsets.values() for name in toolset.tools} - kept
        return tuple(tool for tool in self.tools if tool.name not in left_out)

    @property
    def skills_path(self) -> RelPath | None:
        """The path of `skills`, relative to the directory of the spec."""
        return None if self.skills is None else RelPath.beside(self.skills)

    def page_of(self, tool: Tool) -> str | None:
        """Return the URI of the page that shows the results of a tool, if it has one."""
        return f"ui://{self.name}/{tool.name}.html" if tool.ui else None

    @property
    def asks(self) -> frozenset[str]:
        """What handlers request from clients: `elicitation`, `sampling`, `roots`."""
        return frozenset(self.client_capabilities.model_fields_set)

    @property
    def guarded(self) -> bool:
        """Whether the server refuses to start over HTTP without its bearer token."""
        if self.auth is None or self.auth.bearer is None:
            return False
        needed = [variable.name for variable in self.env if variable.required]
        return self.auth.bearer.required or self.auth.bearer.env in needed

    @property
    def functions(self) -> bool:
        """Whether handlers call existing functions."""
        every = (entry.handler for entries in self.entries.values() for entry in entries)
        return any(handler and handler.python for handler in every)

    @property
    def outputs(self) -> frozenset[str]:
        """The kinds of output schemas: `any` for objects, `other` for the rest."""
        types = (t.result.root.keywords.get("type") for t in self.tools if t.result is not None)
        return frozenset("any" if type_name == "object" else "other" for type_name in types)

    @property
    def has_resources(self) -> bool:
        """Whether the server has resources: listed ones, pages or skills."""
        pages = any(tool.ui for tool in self.tools)
        return bool(self.resources or self.resource_templates or pages or self.skills)

    @property
    def static(self) -> frozenset[str]:
        """The lists with static content: `resources`, `prompts`."""
        pages = any(tool.ui for tool in self.tools)
        lists = {"resources": self.resources, "prompts": self.prompts}
        keys = {key for key, entries in lists.items() if any(entry.is_static for entry in entries)}
        return frozenset(keys | {"resources"} if pages else keys)

    @property
    def entries(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries that the server lists, by the key of the list."""
        return {
            "tools": self.tools,
            "resources": self.resources,
            "resourceTemplates": self.resource_templates,
            "prompts": self.prompts,
        }

    @property
    def handled(self) -> Iterator[Entry]:
        """The entries with a handler: all without static content."""
        for entries in self.entries.values():
            yield from (entry for entry in entries if not entry.is_static)

    @property
    def schemas(self) -> Iterator[tuple[str, Index]]:
        """The schemas of all tools, each with its JSON Pointer."""
        for tool in self.tools:
            yield from tool.schemas

    @property
    def shared(self) -> frozenset[str]:
        """The variables for the state that replicas share, which servers over stdio lack."""
        return frozenset(variable.env for _, variable in self.replicas or () if variable)

    @property
    def of_http(self) -> frozenset[str]:
        """The variables that only servers over HTTP read: those of `auth` and of shared state."""
        auth = self.auth.variable if self.auth else None
        return self.shared | ({auth} if auth else frozenset())


LISTS: dict[str, type[Item]] = {
    "env": Variable,
    "errors": DomainError,
    "tools": Tool,
    "resources": Resource,
    "resourceTemplates": ResourceTemplate,
    "prompts": Prompt,
}
"""The top-level lists, with the model of their items."""
