"""Compare where the answers of two servers come from: an API, another server, and the requests."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.breaking.change import Change
from scaffold.breaking.rules import made
from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Prompt, Spec, Tool


def backend_changes(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield what changes in the API and the server behind a server."""
    for key, name in (("api", "the API"), ("upstream", "the server")):
        was, now = getattr(old, key), getattr(new, key)
        if was and now and was != now:
            message = f"{name} behind the tools has another address or other credentials"
            if key == "upstream":
                message = f"{name} behind the tools is started or reached in another way"
            yield made("backend-changed", "server", new.name, f"/{key}", message)


def request_changes(old: Tool | Prompt, new: Tool | Prompt) -> Iterator[Change]:
    """Yield a warning if a tool or a prompt is passed on as another request.

    A handler that somebody wrote is not known, so that nothing is said about it.
    """
    was, now = _request(old), _request(new)
    if was and now and was != now:
        kind = "tool" if isinstance(new, Tool) else "prompt"
        message = f"{kind} {quote(new.name)} is passed on as another request"
        yield made("backend-changed", kind, new.name, f"{new.pointer}/handler", message)


def _request(entry: Tool | Prompt) -> object:
    """Return what a handler sends: an HTTP request, or the name at the upstream server."""
    if entry.handler is None:
        return None
    if entry.handler.proxy:
        return entry.handler.proxy.name or entry.name
    return entry.handler.http if isinstance(entry, Tool) and entry.handler else None
