"""The project as templates see it, with all names, types and code resolved.

This module is the contract with template authors, documented in `templates/README.md`. Free text
from the spec is `Text`, falsy if empty. A plain `str` is always safe to print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scaffold.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """The default host and port of the server."""

    host: Text
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """An environment variable; `attribute` is its name in the settings class.

    `type` is that of its value: `string`, `integer`, `number`, `boolean`, `path`, `url`, `list`.
    """

    name: str
    attribute: str
    type: str
    description: Text
    default: Text | None
    secret: bool
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainError:
    """An exception class.

    `init` is the signature of its constructor, with `fields` as parameters. `raised` is the
    `super().__init__` call with its message.
    """

    name: str
    message: Text
    fields: tuple[str, ...]
    init: str
    raised: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument or a property in it, in documentation; `notes` are its limits and default."""

    name: Text
    type: Text
    required: bool
    notes: Text
    description: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example call of a tool, and whether it should fail.

    `refers` says whether its arguments need the result of an earlier one. `elicitation` and
    `sampling` are the answers to the questions of the tool, as Python, empty if there are none.
    """

    name: Text
    arguments: str
    refers: bool
    elicitation: str
    sampling: str
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """A function that the user writes, in its own module.

    `about` is the wire name or URI of its entry. `summary` is the first sentence of its
    description, or its title or name. `module` is its import path. `alias` is its name
    in the table of handlers, and `row` is its row there. `arguments_type` is empty if it takes no
    arguments; `arguments` are some that its schema accepts, empty if none were found.
    """

    about: str
    name: Text
    summary: Text
    description: Text
    function: str
    module: str
    alias: str
    arguments_type: str
    result_type: str
    signature: str
    row: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Handler):
    """A tool.

    `sample` and `invalid` hold arguments that its schema accepts and rejects, if any were found; a
    tool with examples, or one that says it is destructive, has no sample. A tool with an output
    schema is `structured`, and `results` are the properties of its result.
    """

    parameters: tuple[Parameter, ...]
    structured: bool
    results: tuple[Parameter, ...]
    errors: tuple[DomainError, ...]
    examples: tuple[Example, ...]
    timeout: str
    sample: str
    invalid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """The client configuration for reaching the server by `transport`.

    `path` is relative to the snippets folder. A `bridged` snippet needs Node.js.
    """

    about: str
    transport: str
    path: str
    text: str
    bridged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client: its configuration files, as pairs of system and path, notes and snippets."""

    name: str
    files: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    snippets: tuple[Snippet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHint:
    """How long clients may cache a method's result; `scope` is `public` or `private`."""

    method: str
    ttl_ms: int
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A server.

    `spec` is the path of the spec in the project. `catalog` is the JSON text from which the server
    answers lists and static content. `settings` is true if there is a settings module, because
    there are variables or handlers still import it. `resources`, `resource_templates` and
    `prompts` are those with a handler; `handlers` are these and the tools. `has_resources` and
    `has_prompts` count static content too. `static` names the kinds with static content:
    `resources`, `prompts`. `outputs` holds the kinds of output schemas: `any` for objects, `other`
    for the rest. `definitions` is the Python source of argument and result types. `capabilities`
    are those declared in the spec: `logging`, `completions`, `subscribe`. `changing` names the
    lists that change: `tools`, `resources`, `prompts`, and `listed` has the type of the names on
    each, resources by their URIs. `asks` is what handlers request from
    clients: `elicitation`, `sampling`, `roots`. `urls` are the default addresses of the server.
    """

    name: str
    package: str
    spec: str
    version: Text
    title: Text
    summary: Text
    description: Text
    transports: tuple[str, ...]
    http: Http
    bearer: str
    env: tuple[Variable, ...]
    settings: bool
    errors: tuple[DomainError, ...]
    tools: tuple[Tool, ...]
    resources: tuple[Handler, ...]
    resource_templates: tuple[Handler, ...]
    prompts: tuple[Handler, ...]
    handlers: tuple[Handler, ...]
    has_resources: bool
    has_prompts: bool
    static: frozenset[str]
    outputs: frozenset[str]
    definitions: tuple[str, ...]
    capabilities: frozenset[str]
    changing: tuple[str, ...]
    listed: Mapping[str, str]
    asks: frozenset[str]
    cache: tuple[CacheHint, ...]
    catalog: str
    urls: tuple[str, ...]
    clients: tuple[Client, ...]

    @property
    def required(self) -> tuple[Variable, ...]:
        """The environment variables that the server cannot start without."""
        return tuple(variable for variable in self.env if variable.required)

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of all tools."""
        return tuple(example for tool in self.tools for example in tool.examples)

    @property
    def tried(self) -> tuple[Handler, ...]:
        """The first tool, resource and prompt that an example of a test can call."""
        kinds = (self.tools, self.resource_handlers, self.prompts)
        found = (
            next((h for h in kind if h.arguments or not h.arguments_type), None) for kind in kinds
        )
        return tuple(handler for handler in found if handler)

    @property
    def stdio(self) -> bool:
        """Whether the server supports the stdio transport."""
        return "stdio" in self.transports

    @property
    def has_code(self) -> bool:
        """Whether the user writes handlers, in addition to the code they share."""
        return bool(self.handlers) or self.completions

    @property
    def resource_handlers(self) -> tuple[Handler, ...]:
        """The handlers of resources and resource templates, which share a folder."""
        return self.resources + self.resource_templates

    @property
    def completions(self) -> bool:
        """Whether a handler completes arguments."""
        return "completions" in self.capabilities

    @property
    def client(self) -> bool:
        """Whether handlers may send requests or log messages to the client."""
        return bool(self.asks) or "logging" in self.capabilities

    @property
    def connections(self) -> bool:
        """Whether the server keeps state for each connection."""
        return self.changes or "logging" in self.capabilities

    @property
    def changes(self) -> bool:
        """Whether clients are notified when a resource or a list changes."""
        return bool(self.changing) or "subscribe" in self.capabilities

    @property
    def web(self) -> tuple[str, ...]:
        """The transports over HTTP."""
        return tuple(transport for transport in self.transports if transport != "stdio")

    @property
    def streamable(self) -> bool:
        """Whether the server supports streamable HTTP, with and without sessions."""
        return "streamable-http" in self.transports

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        """The snippets of all clients."""
        return tuple(snippet for client in self.clients for snippet in client.snippets)
