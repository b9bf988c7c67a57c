"""Say whose entry stands in the place of ours."""

from __future__ import annotations

import shlex
from pathlib import Path

from scaffold.clients.client import Client, read_client
from scaffold.clients.installing.receipts import Receipt
from scaffold.diagnostics import ScaffoldError


def taken(
    client: Client, path: Path, name: str, mine: Receipt | None, theirs: Receipt | None
) -> ScaffoldError:
    """Return the error about an entry that is not ours.

    `mine` is the receipt of an earlier installation, and `theirs` that of the one that wrote the
    entry: for another project, or for another client that reads the same file.
    """
    if theirs and theirs.client != client.id:
        other = read_client(theirs.client).name
        message = f"{other} has the entry `{name}` in the same file, over {theirs.transport}"
    elif theirs:
        message = f"the entry `{name}` of {client.name} is for the project `{theirs.project}`"
    elif mine:
        message = f"the entry `{name}` of {client.name} was changed since it was installed"
        return ScaffoldError.of("entry-changed", message, path, "remove or rename that entry first")
    else:
        message = f"{client.name} has another entry `{name}`, which mcp-scaffold did not write"
        return ScaffoldError.of("entry-exists", message, path, "remove or rename that entry first")
    command = ("mcp-scaffold", "clients", "remove", "--client", theirs.client, theirs.project)
    hint = f"remove it there first: `{shlex.join(command)}`"
    return ScaffoldError.of("entry-exists", message, path, hint)
