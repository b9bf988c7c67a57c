"""A server that clients have an entry for, and a trial of such an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scaffold.clients.client import Client, read_client
from scaffold.clients.places import Machine
from scaffold.clients.server import Program, Server, Variable
from scaffold.install.listing import Held
from scaffold.install.subject import Subject
from scaffold.trial import trial
from scaffold.trial.findings import Trial
from tests.generated import REPOSITORY

KNOB_SERVER = str(REPOSITORY / "tests/cases/clients/knob_server.py")

SHELL = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "TOKEN": "s3cret-value"}

TOKEN = Variable("TOKEN", "A token", default=None, secret=True, required=True)
REGION = Variable("REGION", "A region", default=None, secret=False, required=False)
SERVER = Server("blog", None, ("stdio",), "127.0.0.1", 8000, (TOKEN, REGION), None)


def tried(
    client: Client | str,
    fields: Any,
    server: Server = SERVER,
    tools: Sequence[str] = ("search",),
    shell: Mapping[str, str] = SHELL,
    project: Path = Path("/nowhere"),
) -> Trial:
    """Try an entry with these fields, in the environment of a shell."""
    client = read_client(client) if isinstance(client, str) else client
    home = shell.get("HOME", "/tmp")
    held = Held("user", Path("config.json"), "same", fields)
    subject = Subject(project, server, Program((), str(project)), tuple(tools))
    return trial.tried(client, held, subject, Machine("linux", home, shell))
