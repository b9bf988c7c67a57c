"""Judge the settings outside an entry that keep a client from using it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.clients.client import Client, Switch
from scaffold.clients.fill import fill
from scaffold.clients.formats import FormatError, format_of
from scaffold.clients.installing.configuration import Configuration
from scaffold.clients.places import Machine, user_files


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
                message = f"{client.name} {switch.said}"
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
        text = Configuration.read(file, client).text
        whole = format_of(client.format).entries(text, (first,))
    except (ScaffoldError, FormatError):
        return []
    found = []
    for root in _roots(project):
        value: Any = whole
        for key in others:
            key = str(fill(key, {"name": name, "project": root}))
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            found.append(value)
    return found


def _roots(project: Path) -> Iterator[str]:
    """Yield the project's folder, and that of its repository."""
    for root in dict.fromkeys((project, project.resolve())):
        yield str(root)
        yield from (str(above) for above in root.parents if (above / ".git").exists())
