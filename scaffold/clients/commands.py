"""A client's own command that adds a server to its configuration, or removes one."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence

from scaffold.base.diagnostics import ScaffoldError
from scaffold.clients.client import Client
from scaffold.clients.entry import Entry
from scaffold.clients.places import Machine, program
from scaffold.clients.shapes import fill

_SECONDS = 120
"""How long it may take."""


def add_command(client: Client, entry: Entry, machine: Machine) -> tuple[str, ...] | None:
    """Return the command that adds an entry for the user; None if the client has none here."""
    written = json.dumps(entry.fields, ensure_ascii=False)
    return _command(client, "add", {"name": entry.facts["name"], "json": written}, machine)


def remove_command(client: Client, name: str, machine: Machine) -> tuple[str, ...] | None:
    """Return the command that removes the user's server `name`; None if the client has none here."""
    return _command(client, "remove", {"name": name}, machine)


def _command(
    client: Client, work: str, values: dict[str, str], machine: Machine
) -> tuple[str, ...] | None:
    path = client.command and program(client.program, machine)
    return (path, *fill(getattr(client.command, work), values)) if path else None


def run_command(words: Sequence[str], client: Client) -> None:
    """Run a client's own command. Raises ScaffoldError (`client-command-failed`).

    It gets no secret, so that its message has none.
    """
    shown = " ".join(words[:3])
    try:
        done = subprocess.run(  # noqa: S603 - the client's own program, as words
            words,
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
        output = (done.stderr.strip() or done.stdout.strip()).splitlines()
        last = output[-1] if output else "it said nothing"
        message = f"the command of {client.name} failed with exit code {done.returncode}: {last}"
    raise ScaffoldError.of("client-command-failed", message, shown, "try `--via project`")
