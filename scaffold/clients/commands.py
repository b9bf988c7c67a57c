"""A client's own command that adds or removes a server."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scaffold.clients.client import Client
from scaffold.clients.entry import Entry
from scaffold.clients.fill import fill
from scaffold.diagnostics import ScaffoldError

_SECONDS = 120
"""How long it may take."""


def add_command(client: Client, transport: str, entry: Entry, scope: str) -> list[str] | None:
    """Return the command that adds the entry to the client's configuration of `scope`.

    None if the client has none for this scope or transport, or its command cannot pass on all of the entry.
    """
    command = client.command
    way = "stdio" if entry.bridged else transport
    if command is None or scope not in command.scopes or way not in command.add:
        return None
    parts, facts = command.add[way], entry.facts
    if not _carries_all(parts, facts):
        return None
    named = {"name": facts["name"], **entry.fields}
    if entry.inputs:
        named["inputs"] = entry.inputs
    values = {
        **facts,
        "scope": command.scopes[scope],
        "json": json.dumps(entry.fields, ensure_ascii=False),
        "named": json.dumps(named, ensure_ascii=False),
    }
    return [command.program, *_arguments(parts, values)]


def remove_command(client: Client, name: str, scope: str) -> list[str] | None:
    """Return the command that removes the server `name`; None if the client has none for this."""
    command = client.command
    if command is None or scope not in command.scopes or not command.remove:
        return None
    values = {"name": name, "scope": command.scopes[scope]}
    return [command.program, *_arguments(command.remove, values)]


def run_command(words: Sequence[str], client: Client, folder: Path | None) -> None:
    """Run a client's own command. Raises ScaffoldError (`client-command-failed`).

    It gets no secret, so that its message has none.
    """
    shown = " ".join(words[:3])
    try:
        done = subprocess.run(  # noqa: S603 - the client's own program, as words
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"the command of {client.name} did not end within {_SECONDS} seconds"
    except OSError as error:
        message = f"the command of {client.name} does not start: {error.strerror}"
    else:
        if done.returncode == 0:
            return
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        last = said[-1] if said else "it said nothing"
        message = f"the command of {client.name} failed with exit code {done.returncode}: {last}"
    hint = "try `--via file` or `--via project`"
    raise ScaffoldError.of("client-command-failed", message, shown, hint)


def _carries_all(parts: Sequence[str | Sequence[str]], facts: Mapping[str, Any]) -> bool:
    """Return whether arguments pass on the variables or headers of an entry."""
    written = str(parts)
    if "<json>" in written or "<named>" in written:
        return True
    if "command" in facts:
        return not facts["names"] and (not facts["env"] or "<variable>" in written)
    return not facts["headers"] or "<header>" in written or "<token>" in written


def _arguments(parts: Sequence[str | Sequence[str]], values: Mapping[str, Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            filled = fill(part, values)
            yield from filled if isinstance(filled, list) else filter(None, [filled])
        else:
            for more in _repeated(str(part), values):
                yield from fill(part, {**values, **more})


def _repeated(part: str, values: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """Yield the slots of each repetition of an optional part."""
    if "<variable>" in part:
        yield from ({"variable": name, "value": value} for name, value in values["env"].items())
    elif "<header>" in part:
        yield from ({"header": name, "content": text} for name, text in values["headers"].items())
    elif values["token"]:
        yield {}
