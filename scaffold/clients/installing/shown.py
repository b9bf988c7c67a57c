"""What an installation would change, for people; secrets are masked."""

from __future__ import annotations

import shlex
from typing import Any

from scaffold.clients.commands import add_command
from scaffold.clients.entry import document
from scaffold.clients.installing.choose import Choice
from scaffold.clients.installing.install import Installation
from scaffold.clients.written import written
from scaffold.yaml.document import mask


def change(plan: Installation) -> str:
    """Return what is written into a file, as a new file would have it, each line with a plus.

    No line of the file itself: it may hold the secrets of other servers, or an old value of ours.
    """
    choice, name = plan.choice, plan.subject.server.name
    whole: dict[str, Any] = document(choice.client, name, choice.shown)
    if plan.found and plan.found.data is not None:
        inputs = {"inputs": [*plan.inputs]} if plan.inputs else {}
        whole = {**inputs, choice.client.root: whole[choice.client.root]}
    lines = written(whole, choice.client.format).splitlines()
    return mask("\n".join(f"+{line}" for line in lines))


def command(choice: Choice) -> str:
    """Return the client's own command, as one would type it."""
    words = add_command(choice.client, choice.transport, choice.shown, choice.scope) or ()
    return mask(shlex.join((*(choice.command or ())[:1], *words[1:])))
