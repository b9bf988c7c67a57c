"""The project as templates see it, with all names, types and code resolved.

This module is the contract with template authors: the table in `templates/README.md` says what each
attribute is. Free text from the spec is `Text`, falsy if empty. A plain `str` is always safe to
print. What the language of the project makes of a part is its `code`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from scaffold.base.data import Data
from scaffold.base.text import Text
from scaffold.clients.snippets import Snippet
from scaffold.project.seen import Seen


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


class Handler(Struct, frozen=True, kw_only=True):
    """A function that the user writes, in its own file: both are called `function`.

    `about` is the wire name or URI of its entry, `written` the entry as in the spec. `title` is its
    display name or, without one, its name. `summary` is the first sentence of its
    description, or its title or name. `arguments_type` is empty if it takes no arguments.
    """

    about: str
    written: Data
    name: Text
    title: Text
    summary: Text
    description: Text
    function: str
    arguments_type: str
    result_type: str
    code: Struct


class Tool(Handler, frozen=True, kw_only=True):
    """A tool.

    A tool with an output schema is `structured`: `output` is the type of its result, and `results`
    its properties. It `reads` if its annotations say that it changes nothing. `scopes` are what a
    call needs besides those of every request. Its calls can be tasks if it `is_task`. `page` is the path of the page that shows its results, empty if there is none or an
    earlier tool has the same.
    """

    parameters: tuple[Parameter, ...]
    reads: bool
    structured: bool
    output: Text
    results: tuple[Parameter, ...]
    errors: tuple[Seen, ...]
    examples: tuple[Example, ...]
    scopes: tuple[Text, ...]
    timeout: str
    is_task: bool
    requires_tasks: bool
    page: str


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


class Publishing(Struct, frozen=True, kw_only=True):
    """How the server is published, as `name` in the registry.

    `packages` are the kinds of packages: `pypi`, `mcpb`, `oci`. `image` is the name of the
    container image, without a tag, and `host` its registry, empty if the image does not say.
    `domain` is the domain that the namespace belongs to, empty for `github`. `server` is the text
    of server.json, `manifest` that of a bundle's manifest.
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

    @property
    def github(self) -> bool:
        """Whether the namespace is that of an owner on GitHub."""
        return not self.domain


class Project(Struct, frozen=True, kw_only=True, dict=True):
    """A server.

    `source` is the folder with the code of `package`. `spec` is the path of the spec in the project, `written` what is in it. `catalog` is the JSON
    text from which the server answers lists and static content. `told` has the keys of its
    examples, and `results` if some refer to others. `settings` is true if there is a settings
    module, because there are variables. `api` is the HTTP API that handlers call, and `upstream`
    the MCP server. `resources`, `resource_templates` and `prompts` are those with a handler;
    `handlers` are these and the tools. `has_resources` and `has_prompts` count static content too.
    `functions` says whether handlers call existing functions.
    `static` names the kinds with static content: `resources`, `prompts`. `skills` is the directory
    of skills, or empty, and `first_skill` the description of the one that is written once.
    `outputs` holds the kinds of output schemas: `any` for objects, `other` for the rest.
    `capabilities` are those declared in the spec: `logging`,
    `completions`, `subscribe`. `changing` names the lists that change: `tools`, `resources`,
    `prompts`. `replicas`
    is true if several processes serve the same clients over HTTP; `shared` has the variables of
    what they share by name: `state_keys`, `redis`. `asks` is what handlers request from clients:
    `elicitation`, `sampling`, `roots`. `urls` are the default addresses of the server. `publish` is
    how it is published, if the spec says so. `commands` are those of its packs, by purpose.
    """

    name: str
    package: str
    source: str
    spec: str
    written: Data
    version: Text
    title: Text
    summary: Text
    description: Text
    transports: tuple[str, ...]
    http: Seen
    bearer: str
    guarded: bool
    oauth: Seen | None
    replicas: bool
    shared: Mapping[str, str]
    env: tuple[Seen, ...]
    settings: bool
    api: Seen | None
    upstream: Seen | None
    telemetry: bool
    errors: tuple[Seen, ...]
    tools: tuple[Tool, ...]
    toolsets: Mapping[str, Seen]
    resources: tuple[Handler, ...]
    resource_templates: tuple[Handler, ...]
    prompts: tuple[Handler, ...]
    handlers: tuple[Handler, ...]
    has_resources: bool
    has_prompts: bool
    functions: bool
    static: frozenset[str]
    skills: str
    first_skill: Text
    outputs: frozenset[str]
    capabilities: frozenset[str]
    changing: tuple[str, ...]
    asks: frozenset[str]
    cache: Mapping[str, Seen]
    catalog: str
    told: frozenset[str]
    urls: tuple[str, ...]
    clients: tuple[Client, ...]
    publish: Publishing | None
    commands: Mapping[str, str]
    code: Struct

    @property
    def bundled(self) -> bool:
        """Whether the server is published as a bundle."""
        return self.publish is not None and "mcpb" in self.publish.packages

    @property
    def required(self) -> tuple[Seen, ...]:
        """The environment variables that the server cannot start without."""
        return tuple(variable for variable in self.env if variable.required)

    @property
    def writes(self) -> bool:
        """Whether a tool with examples may change data: it does not say that it only reads."""
        return any(tool.examples and not tool.reads for tool in self.tools)

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
        return any(tool.is_task for tool in self.tools)

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
    def has_content(self) -> bool:
        """Whether there are handlers, resources or prompts, and so blocks of content."""
        return self.has_code or self.has_resources or self.has_prompts

    @property
    def validates(self) -> bool:
        """Whether values are checked against schemas: of calls, of forms, or of examples."""
        return bool(self.tools) or self.elicits or bool(self.told & {"text", "result"})

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
