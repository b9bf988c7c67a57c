"""The project as templates see it: each name, type and piece of code decided.

What stands here is the contract with template authors, listed in `templates/README.md`. Free text
of the spec is `Text`, false where there is none; a plain `str` is safe to print by construction.
"""

from __future__ import annotations

from dataclasses import dataclass

from scaffold.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """Where the server listens unless its command line says otherwise."""

    host: Text
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """An environment variable; `attribute` is its name in the class of settings."""

    name: str
    attribute: str
    description: Text
    default: Text | None
    secret: bool
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainError:
    """An exception class; `init` is the head of its constructor, which takes `fields`, and
    `raised` the line that passes its message on."""

    name: str
    message: Text
    fields: tuple[str, ...]
    init: str
    raised: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument as people read of it; `notes` are its limits and its default."""

    name: Text
    type: Text
    required: bool
    notes: Text
    description: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A call of a tool, and whether it is to fail."""

    name: Text
    arguments: str
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """A function in a module of its own that the user writes.

    `about` is the name on the wire, or the URI, of what it answers for; `module` its import path;
    `signature` the head of the function; `alias` what the
    table of handlers calls it; `row` its row there. `arguments_type` is empty
    where it is given none.
    """

    about: str
    name: Text
    description: Text
    function: str
    module: str
    alias: str
    arguments_type: str
    result_type: str
    signature: str
    row: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Handler):
    """A tool; `invalid` are arguments that its schema refuses, where some could be found.

    `results` are the properties of its structured result, if a schema makes it `structured`; else
    its type stands for whatever a tool may return.
    """

    summary: Text
    parameters: tuple[Parameter, ...]
    structured: bool
    results: tuple[Parameter, ...]
    errors: tuple[DomainError, ...]
    examples: tuple[Example, ...]
    timeout: str
    invalid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """What a client's configuration must hold to reach the server by `transport`.

    `path` is relative to the folder of the snippets. A `bridged` one needs Node.js.
    """

    about: str
    transport: str
    path: str
    text: str
    bridged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client: where its configuration lies, as pairs of system and path, and what to know."""

    name: str
    files: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    snippets: tuple[Snippet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHint:
    """How long clients may keep what a method answers; `scope` is `public` or `private`."""

    method: str
    ttl_ms: int
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A server.

    `spec` is the path of the spec in the project, `catalog` the text of the JSON document that the
    server answers lists and static content from. `settings` tells whether there is a module of
    settings: where there are variables, or handlers still import it. `resources`, `resource_templates` and `prompts`
    are those that have a handler, `handlers` the tools and all of these. `has_resources` and
    `has_prompts` tell of those with static content too. `static` names what the catalog answers in full: `resources`, `prompts`.
    `outputs` tells of output schemas: `any`, and `other` where one describes no object.
    `definitions` are the types of arguments and results as Python. `capabilities` are those that
    the spec declares: `logging`, `completions`, `subscribe`; `changing` are the lists that change:
    `tools`, `resources`, `prompts`; `asks` is what handlers ask of clients: `elicitation`,
    `sampling`, `roots`. `urls` are where the server listens by default.
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
    asks: frozenset[str]
    cache: tuple[CacheHint, ...]
    catalog: str
    urls: tuple[str, ...]
    clients: tuple[Client, ...]

    @property
    def stdio(self) -> bool:
        """Whether clients may start the server and talk to it over its standard streams."""
        return "stdio" in self.transports

    @property
    def has_code(self) -> bool:
        """Whether the user writes more than what the handlers share."""
        return bool(self.handlers) or self.completions

    @property
    def resource_handlers(self) -> tuple[Handler, ...]:
        """The handlers of resources and of resource templates, which share a folder."""
        return self.resources + self.resource_templates

    @property
    def completions(self) -> bool:
        """Whether a handler completes arguments."""
        return "completions" in self.capabilities

    @property
    def client(self) -> bool:
        """Whether handlers may turn to the client."""
        return bool(self.asks) or "logging" in self.capabilities

    @property
    def connections(self) -> bool:
        """Whether something is to be remembered of each connection."""
        return self.changes or "logging" in self.capabilities

    @property
    def changes(self) -> bool:
        """Whether clients are told when a resource or a list changes."""
        return bool(self.changing) or "subscribe" in self.capabilities

    @property
    def web(self) -> tuple[str, ...]:
        """The transports over HTTP."""
        return tuple(transport for transport in self.transports if transport != "stdio")

    @property
    def streamable(self) -> bool:
        """Whether clients may come over streamable HTTP, some of them with sessions."""
        return "streamable-http" in self.transports

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        """Every client's."""
        return tuple(snippet for client in self.clients for snippet in client.snippets)
