"""The project as templates see it, with all names, types and code resolved.

This module is the contract with template authors: the table in `templates/README.md` says what each
attribute is, and a test holds the two together. Free text from the spec is `Text`, falsy if empty.
A plain `str` is always safe to print. What the language of the project makes of a part is its
`code`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from scaffold.base.data import Data
from scaffold.base.text import Text
from scaffold.clients.snippets import Snippet
from scaffold.format import settings
from scaffold.format.examples import CallExample
from scaffold.format.settings import CacheHint, OAuth
from scaffold.format.spec import DomainError, Entry, Spec
from scaffold.project.view import View
from scaffold.schema.describe import Description


class Variable(View[settings.Variable], frozen=True):
    """An environment variable."""

    code: Struct


class Error(View[DomainError], frozen=True):
    """A domain error."""

    code: Struct


class Example(View[CallExample], frozen=True, kw_only=True):
    """An example call of a tool."""

    given: Text
    fails: bool
    outcome: Text
    is_for_models: bool


class Handler(View[Entry], frozen=True, kw_only=True):
    """An entry with a handler: a function that the user writes, in a file of the same name."""

    about: str
    written: Data
    title: Text
    summary: Text
    description: Text
    function: str
    arguments_type: str
    result_type: str
    code: Struct


class Tool(Handler, frozen=True, kw_only=True):
    """A tool."""

    parameters: tuple[View[Description], ...]
    reads: bool
    structured: bool
    output: Text
    results: tuple[View[Description], ...]
    errors: tuple[Error, ...]
    examples: tuple[Example, ...]
    timeout: str
    is_task: bool
    requires_tasks: bool
    page: str


class Client(Struct, frozen=True, kw_only=True):
    """A client: its configuration files, notes and snippets."""

    id: str
    name: str
    files: tuple[tuple[str, str], ...]
    where: str
    notes: tuple[str, ...]
    snippets: tuple[Snippet, ...]
    missing: tuple[tuple[str, str], ...]


class Publishing(Struct, frozen=True, kw_only=True):
    """How the server is published."""

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


class Project(View[Spec], frozen=True, kw_only=True):
    """A server: its spec, and what a template needs and the spec does not have."""

    name: str
    package: str
    source: str
    spec: str
    written: Data
    title: Text
    summary: Text
    description: Text
    bearer: str
    oauth: View[OAuth] | None
    replicas: bool
    shared: Mapping[str, str]
    env: tuple[Variable, ...]
    errors: tuple[Error, ...]
    tools: tuple[Tool, ...]
    resources: tuple[Handler, ...]
    resource_templates: tuple[Handler, ...]
    prompts: tuple[Handler, ...]
    handlers: tuple[Handler, ...]
    has_prompts: bool
    skills: str
    first_skill: Text
    capabilities: frozenset[str]
    changing: tuple[str, ...]
    cache: Mapping[str, View[CacheHint]]
    catalog: str
    example_keys: frozenset[str]
    urls: tuple[str, ...]
    clients: tuple[Client, ...]
    publish: Publishing | None
    commands: Mapping[str, str]
    generator: Text
    code: Struct

    @property
    def bundled(self) -> bool:
        """Whether the server is published as a bundle."""
        return self.publish is not None and "mcpb" in self.publish.packages

    @property
    def starts_upstream(self) -> bool:
        """Whether the MCP server that handlers pass calls on to is one that this server starts."""
        return self._part.upstream is not None and not self._part.upstream.url

    @property
    def stand_ins(self) -> bool:
        """Whether a trial has to make up variables, or the address of the upstream."""
        return bool(self.env or self._part.upstream)

    @property
    def stdio(self) -> bool:
        """Whether the server supports the stdio transport."""
        return "stdio" in self._part.transports

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
    def logs_calls(self) -> bool:
        """Whether each call of a tool is a line of the server's log."""
        return bool(self.tools) and self._part.log is not None and self._part.log.calls

    @property
    def has_log_format(self) -> bool:
        """Whether people choose the format of the server's log."""
        return self._part.telemetry or self._part.log is not None

    @property
    def elicits(self) -> bool:
        """Whether handlers ask users to fill in forms."""
        return self._part.client_capabilities.forms

    @property
    def elicits_urls(self) -> bool:
        """Whether handlers ask users to open a page."""
        return self._part.client_capabilities.urls

    @property
    def samples(self) -> bool:
        """Whether handlers ask the client's model."""
        return "sampling" in self._part.asks

    @property
    def tasks(self) -> bool:
        """Whether calls of tools can become tasks."""
        return any(tool.is_task for tool in self.tools)

    @property
    def refers(self) -> bool:
        """Whether an example refers to the result of another."""
        return "saves" in self.example_keys

    @property
    def asking_tasks(self) -> bool:
        """Whether handlers of tasks can ask the client."""
        return self.tasks and bool(self._part.asks)

    @property
    def excerpts(self) -> frozenset[str]:
        """How parts of an API's answers are made: `select` by JMESPath, `limit` by cutting lists."""
        return frozenset(key for tool in self._part.tools for key in tool.excerpt)

    @property
    def forwards(self) -> bool:
        """Whether headers of the caller are sent to the API."""
        return self._part.api is not None and "forward" in self._part.api.credential_types

    @property
    def api_tools(self) -> bool:
        """Whether tools can return what an API answers."""
        return self._part.api is not None and bool(self._part.tools)

    @property
    def gets_tokens(self) -> bool:
        """Whether the server gets tokens for the API by itself."""
        return self._part.api is not None and "oauth2" in self._part.api.credential_types

    @property
    def has_content(self) -> bool:
        """Whether there are handlers, resources or prompts, and so blocks of content."""
        has_code = bool(self.handlers) or self.completions
        return has_code or self._part.has_resources or self.has_prompts

    @property
    def validates(self) -> bool:
        """Whether values are checked against schemas: of calls, of forms, or of examples."""
        return bool(self.tools) or self.elicits or bool(self.example_keys & {"text", "result"})

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
        return self.shared.get("state_keys", "") if self.replicas and self._part.asks else ""

    @property
    def redis(self) -> str:
        """The variable with the URL of the Redis that carries notifications, if one does."""
        return self.shared.get("redis", "") if self.replicas and self.changes else ""

    @property
    def web(self) -> tuple[str, ...]:
        """The transports over HTTP."""
        return tuple(str(transport) for transport in self._part.transports if transport != "stdio")

    @property
    def shares_calls(self) -> bool:
        """Whether each client over HTTP has a share of the server's calls."""
        return bool(self.web) and self._part.http.share is not None

    @property
    def cross_origin(self) -> bool:
        """Whether pages of other sites may call the server."""
        return bool(self.web) and self._part.http.allowed_origins is not None

    @property
    def streamable(self) -> bool:
        """Whether the server supports streamable HTTP, with and without sessions."""
        return "streamable-http" in self._part.transports

    @property
    def stateless(self) -> bool:
        """Whether no client needs a session: none is asked, or sent what it did not ask for."""
        return self.streamable and not (self._part.asks or self.connections)

    @property
    def sse(self) -> bool:
        """Whether the server supports SSE."""
        return "sse" in self._part.transports

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        """The snippets of all clients."""
        return tuple(snippet for client in self.clients for snippet in client.snippets)
