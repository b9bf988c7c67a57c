"""The fields of specs that callers depend on: a table of the rules about their changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from scaffold.base.diagnostics.wording import quote
from scaffold.breaking.change import Change, Level
from scaffold.breaking.entries import Field, Kind, Named, changed, listed
from scaffold.format.settings import Cache, ValueType
from scaffold.format.spec import Entry, Prompt, Spec, Tool, Transport, Variable
from scaffold.yaml.document import pointer

TIMEOUT = 600
"""The seconds that servers give a call of a tool without a timeout, if nobody sets others."""

_ANY_TEXT = (ValueType.STRING, ValueType.PATH, ValueType.LIST)
"""The types that any text can be read as."""


def _attribute(*names: str) -> Callable[[Any], Any]:
    """Return a getter for an attribute of an attribute, which returns None if one is missing."""

    def read(entry: Any) -> Any:
        for name in names:
            entry = entry and getattr(entry, name)
        return entry

    return read


def _both(*names: str) -> Callable[[Any, Any], bool]:
    read = _attribute(*names)
    return lambda old, new: bool(read(old) and read(new))


def _promise(at: str, read: Callable[[Any], Any], safe: object, message: str) -> tuple[Field, ...]:
    """Return the fields for a promise about safety; `safe` is the value that promises most."""
    return (
        Field("safety-raised", at, read, message, lambda old, new: bool(read(new) == safe)),
        Field("safety-lowered", at, read, message, lambda old, new: bool(read(new) != safe)),
    )


def _hint(field: str, key: str, default: bool) -> tuple[Field, ...]:
    def read(tool: Tool) -> bool:
        stated = tool.annotations and getattr(tool.annotations, field)
        return default if stated is None else bool(stated)

    message = f"`{key}` of {{it}} changed from {{was}} to {{now}}"
    return _promise(f"/annotations/{key}", read, not default, message)


def _scope(field: str, method: str) -> tuple[Field, ...]:
    read = _attribute("cache", field, "cache_scope")
    message = f"responses to `{method}` are cached as {{now}} now, and were {{was}}"
    at = pointer("cache", method)
    return _promise(at, lambda spec: read(spec) or "private", "private", message)


def _has_address(old: Spec, new: Spec) -> bool:
    """Return whether a transport of both listens at an address."""
    return bool({*old.transports} & {*new.transports} - {Transport.STDIO})


def _reading(old: Variable, new: Variable) -> Level:
    """Return the level of a variable that is read as another type."""
    widens = new.type in _ANY_TEXT or (old.type, new.type) == (ValueType.INTEGER, ValueType.NUMBER)
    return Level.WARNING if widens else Level.ERROR


def _task_support(tool: Tool) -> str:
    if tool.as_task:
        return tool.as_task.support
    return (tool.execution and tool.execution.task_support) or "forbidden"


def _timeout(tool: Tool) -> float:
    return TIMEOUT if tool.seconds is None else tool.seconds


_token, _issuer = _attribute("auth", "token"), _attribute("auth", "oauth", "issuer")


def _scopes(spec: Spec) -> tuple[str, ...]:
    return spec.auth.oauth.scopes if spec.auth and spec.auth.oauth else ()


def _request(entry: Tool | Prompt) -> object:
    """Return the request of a handler: over HTTP, or the name at the upstream server.

    It is None for handlers that somebody wrote.
    """
    if entry.handler is None:
        return None
    if entry.handler.proxy:
        return entry.handler.proxy.name or entry.name
    return entry.handler.http if isinstance(entry, Tool) else None


SERVER = Kind(
    "server",
    fields=(
        Field("server-renamed", "/name", _attribute("name"), "server {was} is called {now} now"),
        Field("transport-default-changed", "/transports/0", lambda spec: spec.transports[0],
              "the default transport is {now} now, and was {was}",
              lambda old, new: old.transports[0] in new.transports),
        Field("address-changed", "/http", lambda spec: f"{spec.http.host}:{spec.http.port}",
              "the default address is {now} now, and was {was}", _has_address),
        Field("auth-changed", "/auth/bearer/env", _attribute("auth", "bearer", "env"),
              "the bearer token is read from {now} now, and was from {was}",
              lambda old, new: bool(_token(old) and _token(new))),
        Field("auth-changed", "/auth", lambda spec: "oauth" if _issuer(spec) else "bearer",
              "clients authenticate with {now} now, and did with {was}", _both("auth")),
        Field("auth-changed", "/auth/oauth/issuer", _issuer,
              "access tokens come from {now} now, and came from {was}",
              lambda old, new: bool(_issuer(old) and _issuer(new))),
        Field("auth-changed", "/auth/oauth/audience", _attribute("auth", "oauth", "audience"),
              "the audience of access tokens is {now} now, and was {was}",
              lambda old, new: bool(_issuer(old) and _issuer(new))),
        Field("scope-required", "/auth/oauth", _scopes, "requests need other scopes",
              lambda old, new: bool(_issuer(old) and {*_scopes(new)} - {*_scopes(old)})),
        Field("auth-required", "/auth", _attribute("auth"), "clients need a bearer token now",
              lambda old, new: old.auth is None),
        Field("auth-removed", "/auth", _attribute("auth"), "clients need no bearer token any more",
              lambda old, new: new.auth is None),
        Field("backend-changed", "/api", _attribute("api"),
              "the API behind the tools has another address or other credentials", _both("api")),
        Field("backend-changed", "/upstream", _attribute("upstream"),
              "the server behind the tools is started or reached in another way", _both("upstream")),
        *(row for name, field in Cache.model_fields.items() for row in _scope(name, str(field.alias))),
        *(Field("description-changed", f"/{key}", _attribute(key), f"the server's {key} changed")
          for key in ("title", "description", "instructions")),
    ),
)  # fmt: skip

_REQUEST = Field("backend-changed", "/handler", _request, "{it} is passed on as another request",
                 lambda old, new: bool(_request(old) and _request(new)))  # fmt: skip
_TEXTS = Field("description-changed", "/description", lambda entry: (entry.title, entry.description),
               "{it} is described differently")  # fmt: skip
_MEDIA_TYPE = Field("mime-type-changed", "/mimeType", _attribute("mime_type"),
                    "the media type of {it} is {now} now, and was {was}",
                    lambda old, new: bool(old.mime_type))  # fmt: skip

TOOL = Kind(
    "tool", "tool-removed", "tool-added",
    fields=(
        Field("tool-renamed", "/name", _attribute("name"), "tool {was} is called {now} now"),
        *_hint("read_only_hint", "readOnlyHint", default=False),
        *_hint("destructive_hint", "destructiveHint", default=True),
        *_hint("idempotent_hint", "idempotentHint", default=False),
        *_hint("open_world_hint", "openWorldHint", default=True),
        Field("task-support-changed", "/task", _task_support,
              "calls of {it} as a task are {now} now, and were {was}",
              lambda old, new: Level.INFO if _task_support(new) == "optional" else Level.ERROR),
        Field("timeout-shortened", "/timeout", _timeout,
              "calls of {it} end after {now} seconds now, and did after {was}",
              lambda old, new: _timeout(new) < _timeout(old)),
        Field("scope-required", "/scopes", _attribute("scopes"), "calls of {it} need other scopes",
              lambda old, new: bool({*new.scopes} - {*old.scopes})),
        _REQUEST,
    ),
)  # fmt: skip
RESOURCE = Kind(
    "resource", "resource-removed", "resource-added",
    fields=(
        Field("resource-removed", "/uri", _attribute("uri"), "resource {was} has the URI {now} now"),
        _MEDIA_TYPE, _TEXTS,
    ),
)  # fmt: skip
TEMPLATE = Kind(
    "resource template", "template-changed", "template-added",
    fields=(
        Field("template-changed", "/uriTemplate", _attribute("uri_template"),
              "resource template {was} is {now} now"),
        Field("template-changed", "", _attribute("unsafe"),
              "{it} refuses variables with `..` and absolute paths", lambda old, new: old.unsafe),
        _MEDIA_TYPE, _TEXTS,
    ),
)  # fmt: skip
PROMPT = Kind(
    "prompt", "prompt-removed", "prompt-added",
    fields=(
        Field("prompt-removed", "/name", _attribute("name"), "prompt {was} is called {now} now"),
        Field("description-changed", "/messages", _attribute("messages"),
              "the messages of {it} changed", _both("messages")),
        _TEXTS, _REQUEST,
    ),
)  # fmt: skip
_PROMPT_ARGUMENT = Kind(
    "prompt", "prompt-argument-removed", "prompt-argument-added", "prompt-argument-required",
    (_TEXTS._replace(at=""),), "argument",
)  # fmt: skip
_VARIABLE = Kind(
    "variable", "variable-removed", "variable-added", "variable-required",
    fields=(
        Field("variable-changed", "/type", _attribute("type"),
              "{it} is read as {now} now, and was as {was}", _reading),
        # Its value may be a secret.
        Field("variable-default-changed", "/default", _attribute("default"), "{it} has another default",
              lambda old, new: not (old.required or new.required) and new.default is not None),
        Field("variable-default-changed", "/default", _attribute("default"),
              "{it} has no default any more",
              lambda old, new: not (old.required or new.required) and new.default is None),
    ),
)  # fmt: skip
_ERROR = Kind(
    "error", "error-removed",
    fields=(
        Field("error-message-changed", "/message", _attribute("message"), "{it} has another message"),
    ),
)  # fmt: skip
_TOOL_ERROR = Kind("tool", "error-removed", "error-added", title="error")


def _numbered(at: str, names: Iterable[str], of: str = "") -> list[Named]:
    return [Named(str(name), f"{at}/{number}", name, of) for number, name in enumerate(names)]


def _items(key: str) -> Callable[[Spec], list[Named]]:
    return lambda spec: [Named(item.name, item.pointer, item) for item in getattr(spec, key)]


def _announced(spec: Spec) -> list[Named]:
    declared, changing = spec.capabilities.declared, spec.capabilities.changing
    announced = [*sorted(declared - {"subscribe"})]
    announced += [f"{name}.listChanged" for name in changing]
    announced += ["resources.subscribe"] if "subscribe" in declared else []
    return [Named(name, f"/capabilities/{name.replace('.', '/')}", name) for name in announced]


def _addresses(spec: Spec) -> list[Named]:
    remotes = spec.publish.remotes if spec.publish else ()
    return [Named(remote.url, "/publish", remote, f" ({remote.transport})") for remote in remotes]


def _toolsets(spec: Spec) -> list[Named]:
    return [
        Named(name, pointer("toolsets", name), toolset) for name, toolset in spec.toolsets.items()
    ]


_LISTS: tuple[tuple[Kind, Callable[[Spec], list[Named]]], ...] = (
    (Kind("transport", "transport-removed", "transport-added"),
     lambda spec: _numbered("/transports", spec.transports)),
    (_VARIABLE, _items("env")),
    (Kind("capability", "capability-removed", "capability-added"), _announced),
    (Kind("capability", added="client-capability-required", title="client capability"),
     lambda spec: [Named(name, f"/clientCapabilities/{name}", name) for name in sorted(spec.asks)]),
    (_ERROR, _items("errors")),
    (Kind("toolset", "toolset-removed", "toolset-added"), _toolsets),
    (Kind("server", "distribution-removed", title="address"), _addresses),
)  # fmt: skip


def server_changes(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield the changes in the settings of a server."""
    yield from changed(SERVER, Named(old.name, "", old), Named(new.name, "", new))
    for kind, read in _LISTS:
        yield from listed(kind, read(old), read(new))


def entry_changes(kind: Kind, old: Entry | None, new: Entry | None) -> Iterator[Change]:
    """Yield the changes of a tool, a resource, a resource template or a prompt."""
    before, now = (Named(e.about, e.pointer, e) if e else None for e in (old, new))
    yield from changed(kind, before, now)
    if isinstance(old, Tool) and isinstance(new, Tool):
        raised = (_numbered(f"{t.pointer}/errors", t.errors, _of(new)) for t in (old, new))
        yield from listed(_TOOL_ERROR, *raised)
    if isinstance(old, Prompt) and isinstance(new, Prompt):
        yield from listed(_PROMPT_ARGUMENT, _arguments(old, new), _arguments(new, new))


def _of(entry: Tool | Prompt) -> str:
    return f" of {'tool' if isinstance(entry, Tool) else 'prompt'} {quote(entry.name)}"


def _arguments(prompt: Prompt, now: Prompt) -> list[Named]:
    at = f"{prompt.pointer}/arguments"
    return [
        Named(argument.name, f"{at}/{n}", argument, _of(now))
        for n, argument in enumerate(prompt.arguments)
    ]
