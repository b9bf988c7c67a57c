"""The project as templates see it, with all names, types and code resolved.

This module is the contract with template authors: the table in `templates/README.md` says what each
attribute is. Free text from the spec is `Text`, falsy if empty. A plain `str` is always safe to
print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct

from scaffold.base.data import Data
from scaffold.base.text import Text
from scaffold.clients.snippets import Snippet
from scaffold.languages.python.handlers import Code
from scaffold.languages.python.plain import Plain


class Http(Struct, frozen=True, kw_only=True):
    """The default address of the server."""

    host: Text
    port: int


class Variable(Struct, frozen=True, kw_only=True):
    """An environment variable; `attribute` is its name in the settings class.

    `type` is that of its value: `string`, `integer`, `number`, `boolean`, `path`, `url`, `list`.
    `parser` is empty if any text will do, `header` for a credential in a header, or else the type.
    `value` is what an unset variable gives, as Python; empty if the variable is required.
    """

    name: str
    attribute: str
    type: str
    parser: str
    description: Text
    default: Text | None
    value: str
    secret: bool
    required: bool


class DomainError(Struct, frozen=True, kw_only=True):
    """An exception class.

    `init` is the signature of its constructor, with `fields` as parameters. `raised` is the
    `super().__init__` call with its message.
    """

    name: str
    message: Text
    fields: tuple[str, ...]
    init: str
    raised: str


class OAuth(Struct, frozen=True, kw_only=True):
    """The issuer whose access tokens requests need.

    `variable` holds the URL of the server. `audience` and `jwks` are empty if they are that URL,
    and what the issuer's metadata says. `scopes` are those that every request needs.
    """

    issuer: Text
    variable: str
    audience: Text
    jwks: Text
    scopes: tuple[Text, ...]


class Parameter(Struct, frozen=True, kw_only=True):
    """An argument or a property in it, in documentation; `notes` are its limits and default."""

    name: Text
    type: Text
    required: bool
    notes: Text
    description: Text


class Example(Struct, frozen=True, kw_only=True):
    """An example call of a tool.

    `given` are its arguments. It `fails`, with an error that the spec does not name, or `outcome`
    is the expected error or result, for readers. One `is_for_models` if they can call it as it
    is: it refers to no other, and shows no mistake.
    """

    name: Text
    given: Text
    fails: bool
    outcome: Text
    is_for_models: bool


class Credential(Struct, frozen=True, kw_only=True):
    """What authenticates requests; `attribute` has it in the settings class.

    `type` is how it is sent: `bearer`, `basic`, `header`, `query` or `cookie`.
    """

    type: str
    name: Text
    attribute: str


class Api(Struct, frozen=True, kw_only=True):
    """The HTTP API that handlers call.

    `url` is the attribute of its address in the settings class, and `variable` the environment
    variable.
    """

    url: str
    variable: str
    credentials: tuple[Credential, ...]


class Upstream(Struct, frozen=True, kw_only=True):
    """The MCP server to which calls are passed on, over standard streams or at a URL.

    `command`, `args` and `env` start it, `url` and `headers` reach it, as Python; those of the
    other way are empty. `sse` is true if it speaks SSE. `configured` says whether they read
    `settings`.
    """

    command: str
    args: str
    env: str
    url: str
    sse: bool
    headers: str
    configured: bool


class Handler(Code, frozen=True, kw_only=True):
    """A function that the user writes, in its own module.

    `about` is the wire name or URI of its entry, `written` the entry as in the spec. `title` is its
    display name or, without one, its name. `summary` is the first sentence of its
    description, or its title or name.
    """

    about: str
    written: Data
    name: Text
    title: Text
    summary: Text
    description: Text


class Tool(Handler, frozen=True, kw_only=True):
    """A tool.

    A tool with an output schema is `structured`: `output` is the type of its result, and `results`
    its properties. It `reads` if its annotations say that it changes nothing. `scopes` are what a
    call needs besides those of every request. `task` is its row in the table of tasks, as Python,
    or empty. `page` is the path of the page that shows its results, empty if there is none or an
    earlier tool has the same.
    """

    parameters: tuple[Parameter, ...]
    reads: bool
    structured: bool
    output: Text
    results: tuple[Parameter, ...]
    errors: tuple[DomainError, ...]
    examples: tuple[Example, ...]
    scopes: tuple[Text, ...]
    timeout: str
    task: str
    requires_tasks: bool
    page: str


class Toolset(Struct, frozen=True, kw_only=True):
    """Tools that the server offers together: by `default`, or if somebody chooses them."""

    name: str
    description: Text
    tools: tuple[Text, ...]
    default: bool


class Client(Struct, frozen=True, kw_only=True):
    """A client: its configuration files, as pairs of system and path, notes and snippets.

    `where` says where the configuration goes if there are no files. `missing` has the transports
    that it does not support, each with the reason.
    """

    name: str
    files: tuple[tuple[str, str], ...]
    where: str
    notes: tuple[str, ...]
    snippets: tuple[Snippet, ...]
    missing: tuple[tuple[str, str], ...]


class CacheHint(Struct, frozen=True, kw_only=True):
    """How long clients may cache a method's result; `scope` is `public` or `private`."""

    method: str
    ttl_ms: int
    scope: str


class Publishing(Struct, frozen=True, kw_only=True):
    """How the server is published, as `name` in the registry.

    `packages` are the kinds of packages: `pypi`, `mcpb`, `oci`. `image` is the name of the
    container image, without a tag, and `host` its registry, empty if the image does not say.
    `domain` is the domain that the namespace belongs to, empty for `github`. `server` is the text
    of server.json, `manifest` that of a bundle's manifest, and `plain_manifest` the same for a
    server without dependencies.
    """

    name: str
    packages: frozenset[str]
    author: Text
    license: Text
    repository: Text
    image: str
    host: str
    domain: str
    server: str
    manifest: str
    plain_manifest: str

    @property
    def github(self) -> bool:
        """Whether the namespace is that of an owner on GitHub."""
        return not self.domain


class Project(Struct, frozen=True, kw_only=True, dict=True):
    """A server.

    `spec` is the path of the spec in the project, `written` what is in it. `catalog` is the JSON
    text from which the server answers lists and static content. `told` has the keys of its
    examples, and `results` if some refer to others. `settings` is true if there is a settings
    module, because there are variables. `api` is the HTTP API that handlers call, and `upstream`
    the MCP server. `resources`, `resource_templates` and `prompts` are those with a handler;
    `handlers` are these and the tools. `has_resources` and `has_prompts` count static content too.
    `static` names the kinds with static content: `resources`, `prompts`. `skills` is the directory
    of skills, or empty, and `first_skill` the description of the one that is written once.
    `outputs` holds the kinds of output schemas: `any` for objects, `other` for the rest.
    `definitions` is the Python source of argument and result types, as pydantic models, and `plain`
    has it without pydantic. `capabilities` are those declared in the spec: `logging`,
    `completions`, `subscribe`. `changing` names the lists that change: `tools`, `resources`,
    `prompts`, and `listed` has the type of the names on each, resources by their URIs. `replicas`
    is true if several processes serve the same clients over HTTP; `shared` has the variables of
    what they share by name: `state_keys`, `redis`. `asks` is what handlers request from clients:
    `elicitation`, `sampling`, `roots`. `urls` are the default addresses of the server. `publish` is
    how it is published, if the spec says so.
    """

    name: str
    package: str
    spec: str
    written: Data
    version: Text
    title: Text
    summary: Text
    description: Text
    transports: tuple[str, ...]
    http: Http
    bearer: str
    guarded: bool
    oauth: OAuth | None
    replicas: bool
    shared: Mapping[str, str]
    env: tuple[Variable, ...]
    settings: bool
    api: Api | None
    upstream: Upstream | None
    telemetry: bool
    errors: tuple[DomainError, ...]
    tools: tuple[Tool, ...]
    toolsets: tuple[Toolset, ...]
    resources: tuple[Handler, ...]
    resource_templates: tuple[Handler, ...]
    prompts: tuple[Handler, ...]
    handlers: tuple[Handler, ...]
    has_resources: bool
    has_prompts: bool
    static: frozenset[str]
    skills: str
    first_skill: Text
    outputs: frozenset[str]
    definitions: tuple[str, ...]
    _plain: Callable[[], Plain]
    capabilities: frozenset[str]
    changing: tuple[str, ...]
    listed: Mapping[str, str]
    asks: frozenset[str]
    cache: tuple[CacheHint, ...]
    catalog: str
    told: frozenset[str]
    urls: tuple[str, ...]
    clients: tuple[Client, ...]
    publish: Publishing | None

    @cached_property
    def plain(self) -> Plain:
        """The code of a server without dependencies, made when a template asks for it."""
        return self._plain()

    @property
    def bundled(self) -> bool:
        """Whether the server is published as a bundle."""
        return self.publish is not None and "mcpb" in self.publish.packages

    @property
    def required(self) -> tuple[Variable, ...]:
        """The environment variables that the server cannot start without."""
        return tuple(variable for variable in self.env if variable.required)

    @property
    def writes(self) -> bool:
        """Whether a tool with examples may change data: it does not say that it only reads."""
        return any(tool.examples and not tool.reads for tool in self.tools)

    @property
    def functions(self) -> bool:
        """Whether handlers call existing functions."""
        return any(one.existing for one in self.handlers)

    @property
    def starts_upstream(self) -> bool:
        """Whether the MCP server that handlers pass calls on to is one that this server starts."""
        return self.upstream is not None and not self.upstream.url

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
    def logs(self) -> bool:
        """Whether handlers send log messages to the client."""
        return "logging" in self.capabilities

    @property
    def elicits(self) -> bool:
        """Whether handlers ask users to fill in forms."""
        return "elicitation" in self.asks

    @property
    def samples(self) -> bool:
        """Whether handlers ask the client's model."""
        return "sampling" in self.asks

    @property
    def rooted(self) -> bool:
        """Whether handlers ask for the client's roots."""
        return "roots" in self.asks

    @property
    def tasks(self) -> bool:
        """Whether calls of tools can become tasks."""
        return any(tool.task for tool in self.tools)

    @property
    def requires_tasks(self) -> bool:
        """Whether there are tools for clients that support tasks only."""
        return any(tool.requires_tasks for tool in self.tools)

    @property
    def tasks_variable(self) -> str:
        """The environment variable with the file of tasks."""
        return f"{self.package.upper()}_TASKS"

    @property
    def asking_tasks(self) -> bool:
        """Whether handlers of tasks can ask the client."""
        return self.tasks and bool(self.asks)

    @property
    def contexts(self) -> tuple[str, ...]:
        """The classes of the runtime that make up the context of handlers."""
        kinds = {
            "AskingTaskContext": self.asking_tasks,
            "TaskContext": self.tasks and not self.asks,
            "ElicitingContext": self.elicits,
            "SamplingContext": self.samples,
            "AskingContext": self.rooted,  # After its subclasses.
            "LoggingContext": self.logs,
            "ClientContext": self.oauth is not None,
        }
        return tuple(kind for kind, used in kinds.items() if used) or ("BaseContext",)

    @property
    def exported(self) -> tuple[str, ...]:
        """The types of MCP that handlers import from the contract, sorted."""
        names = {"Annotations", "AudioContent", "BlobResourceContents", "ContentBlock"}
        names |= {"EmbeddedResource", "Icon", "ImageContent", "ResourceLink"}
        names |= {"TextContent", "TextResourceContents"}
        names |= {"CallToolResult"} if self.tools else set()
        names |= {"ReadResourceResult"} if self.has_resources else set()
        names |= {"GetPromptResult", "PromptMessage"} if self.has_prompts else set()
        names |= {"CompleteRequestParams"} if self.completions else set()
        if "sampling" in self.asks:
            names |= {"CreateMessageRequestParams", "CreateMessageResult", "SamplingMessage"}
        return tuple(sorted(names))

    @property
    def contents(self) -> str:
        """The contents of static resources and skills by URI, as Python."""
        static = ['CATALOG["contents"]'] if "resources" in self.static else []
        static += ["skills.contents"] if self.skills else []
        return " | ".join(static) or "{}"

    @property
    def has_content(self) -> bool:
        """Whether there are handlers, resources or prompts, and so blocks of content."""
        return self.has_code or self.has_resources or self.has_prompts

    @property
    def validates(self) -> bool:
        """Whether values are checked against schemas: of calls, of forms, or of examples."""
        return bool(self.tools) or self.elicits or bool(self.told & {"text", "result"})

    @property
    def has_formats(self) -> bool:
        """Whether one of these schemas may name a format of text."""
        return self.plain.formats or self.elicits

    @property
    def connections(self) -> bool:
        """Whether the server keeps state for each connection."""
        return self.changes or "logging" in self.capabilities

    @property
    def changes(self) -> bool:
        """Whether clients are notified when a resource or a list changes."""
        return bool(self.changing) or "subscribe" in self.capabilities

    @property
    def state_keys(self) -> str:
        """The variable with the keys that seal the state of questions, if replicas share them."""
        return self.shared.get("state_keys", "") if self.replicas and self.asks else ""

    @property
    def redis(self) -> str:
        """The variable with the URL of the Redis that carries notifications, if one does."""
        return self.shared.get("redis", "") if self.replicas and self.changes else ""

    @property
    def web(self) -> tuple[str, ...]:
        """The transports over HTTP."""
        return tuple(transport for transport in self.transports if transport != "stdio")

    @property
    def streamable(self) -> bool:
        """Whether the server supports streamable HTTP, with and without sessions."""
        return "streamable-http" in self.transports

    @property
    def sse(self) -> bool:
        """Whether the server supports SSE."""
        return "sse" in self.transports

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        """The snippets of all clients."""
        return tuple(snippet for client in self.clients for snippet in client.snippets)
