"""The format of the spec, version 1, as pydantic models.

They are the only definition of the format: validation, editor completion and what is sent to
clients derive from them. Each key has its type and its description in one place.
"""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from scaffold.spec.entries import Entry, Icon, Prompt, Resource, ResourceTemplate, Tool
from scaffold.spec.fields import Items, Listed, Many, Maybe
from scaffold.spec.objects import Item
from scaffold.spec.settings import (
    Auth,
    Cache,
    Capabilities,
    ClientCapabilities,
    DomainError,
    Http,
    Lint,
    Transport,
    Variable,
)
from scaffold.spec.texts import ServerName, Version, WebAddress

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
    title: Maybe[str] = Field(None, description="Name for people.")
    description: Maybe[str] = Field(None, description="What it is for, in one line.")
    instructions: Maybe[str] = Field(
        None, description="What a model is told about using the server as a whole."
    )
    website_url: Maybe[WebAddress] = Field(None, alias="websiteUrl", description="A page about it.")
    icons: Many[Icon] = Field((), description="Images that clients may show beside it.")
    transports: Annotated[tuple[Transport, ...], Items(min_length=1, unique=True)] = Field(
        (Transport.STDIO,),
        description="How clients reach it; the first is what it uses unless told otherwise.",
    )
    http: Http = Field(
        Http.model_construct(),
        description="Where it listens, unless its command line says otherwise.",
    )
    auth: Maybe[Auth] = Field(None, description="Who may use it over HTTP.")
    env: Listed[Variable] = Field((), description="Environment variables that it reads.")
    errors: Listed[DomainError] = Field(
        (),
        description="Failures that handlers raise and models are told of: one exception class "
        "each.",
    )
    tools: Listed[Tool] = Field((), description="Functions that models call.")
    resources: Listed[Resource] = Field((), description="Documents that clients read.")
    resource_templates: Listed[ResourceTemplate] = Field(
        (), alias="resourceTemplates", description="Families of documents."
    )
    prompts: Listed[Prompt] = Field((), description="Message templates that people choose.")
    capabilities: Capabilities = Field(
        Capabilities.model_construct(),
        description="What it does besides answering, as it is announced to clients "
        "(MCP 2025-11-25, schema, ServerCapabilities).",
    )
    client_capabilities: ClientCapabilities = Field(
        ClientCapabilities.model_construct(),
        alias="clientCapabilities",
        description="What handlers ask of clients that can do it "
        "(MCP 2025-11-25, schema, ClientCapabilities).",
    )
    cache: Cache = Field(
        Cache.model_construct(),
        description="How long clients may keep an answer, by method "
        "(MCP 2026-07-28, server/utilities/caching).",
    )
    lint: Lint = Field(Lint.model_construct(), description="Which warnings are not wanted.")

    @property
    def entries(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries that the server lists, by the key of the list."""
        return {
            "tools": self.tools,
            "resources": self.resources,
            "resourceTemplates": self.resource_templates,
            "prompts": self.prompts,
        }


LISTS: dict[str, type[Item]] = {
    "env": Variable,
    "errors": DomainError,
    "tools": Tool,
    "resources": Resource,
    "resourceTemplates": ResourceTemplate,
    "prompts": Prompt,
}
"""The top-level lists, with the model of their items."""
