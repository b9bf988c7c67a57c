"""The limits of clients: features that they refuse, and how long they wait."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scaffold.clients.client import Client
from scaffold.clients.shapes import fill


def wrong_names(client: Client, name: str, tools: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what the client refuses about the server's name and its tools, each with a hint."""
    limits = client.limits
    if limits.name is not None and not re.fullmatch(limits.name, name):
        message = f"{client.name} does not accept the server name `{name}`"
        yield message, f"names match `{limits.name}`"
    elif name in limits.reserved:
        yield f"{client.name} keeps the name `{name}` for itself", "choose another name"
    seen = [fill(limits.tool, {"name": name, "tool": tool}) for tool in tools]
    if limits.length is not None and (long := [name for name in seen if len(name) > limits.length]):
        names = ", ".join(f"`{name}` ({len(name)})" for name in long[:3])
        more = f" and {len(long) - 3} more" if len(long) > 3 else ""
        most = f"{client.name} refuses tools with more than {limits.length} characters"
        yield f"{most}: {names}{more}", "shorten the names of the tools, or the server's"


def patience(client: Client, entry: Any) -> float | None:
    """Return how many seconds the client waits, as the entry says or as it always does."""
    given = entry.get(client.limits.start_field) if isinstance(entry, Mapping) else None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not given > 0:
        return client.limits.start
    return given * client.limits.start_unit
