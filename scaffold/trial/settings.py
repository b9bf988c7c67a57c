"""What keeps a client from using an entry besides the entry itself: its limits and its settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.clients.client import Client, Switch
from scaffold.clients.places import Machine, user_files
from scaffold.clients.shapes import fill
from scaffold.install.configuration import Configuration


def wrong_settings(
    client: Client, name: str, file: Path, scope: str, project: Path, machine: Machine
) -> Iterator[Diagnostic]:
    """Yield why the client does not use the entry `name` in its `file`.

    The settings are those of the user, and those beside the entry. A file that cannot be read is
    not judged here.
    """
    users = Path(next(iter(user_files(client, machine)), file))
    for switch in client.switches:
        if switch.scope not in ("", scope):
            continue
        for where in (users,) if switch.rule == "trusts" else dict.fromkeys((users, file)):
            if not _is_on(switch, _values(client, switch, where, name, project), name):
                message = f"{client.name} {switch.effect}"
                yield Diagnostic("client-entry", message, Place(str(where)), switch.hint)


def _is_on(switch: Switch, values: list[Any], name: str) -> bool:
    match switch.rule:
        case "excludes":
            return not any(isinstance(value, list) and name in value for value in values)
        case "allows":
            return all(not isinstance(value, list) or name in value for value in values)
        case "trusts":
            return "trusted" in values
        case _:
            return not values


def _values(client: Client, switch: Switch, file: Path, name: str, project: Path) -> list[Any]:
    """Return what a file has for the setting, under each way to name the project."""
    first, *others = switch.keys
    try:
        whole = Configuration.read(file, replace(client, root=first)).entries()
    except ScaffoldError:
        return []
    values = []
    for root in _roots(project):
        value: Any = whole
        for key in others:
            key = str(fill(key, {"name": name, "project": root}))
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            values.append(value)
    return values


def _roots(project: Path) -> Iterator[str]:
    """Yield the project's folder, and that of its repository."""
    for root in dict.fromkeys((project, project.resolve())):
        yield str(root)
        yield from (str(above) for above in root.parents if (above / ".git").exists())


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
    if limits.tools is not None and len(tools) > limits.tools:
        message = f"it lists {len(tools)} tools, and {client.name} takes at most {limits.tools}"
        yield message, "split the server"


def patience(client: Client, entry: Any) -> float | None:
    """Return how many seconds the client waits, as the entry says or as it always does."""
    given = entry.get(client.limits.start_field) if isinstance(entry, Mapping) else None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not given > 0:
        return client.limits.start
    return given * client.limits.start_unit
