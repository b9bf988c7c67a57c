"""Run a client's own command."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from scaffold.clients.client import Client
from scaffold.clients.installing.choose import masked
from scaffold.diagnostics import ScaffoldError

_SECONDS = 120
"""How long it may take."""


def run_command(
    words: Sequence[str], client: Client, folder: Path | None, secrets: Sequence[str] = ()
) -> None:
    """Run a client's own command. Raises ScaffoldError (`client-command-failed`).

    The secrets are masked in the message.
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
        last = masked(said[-1] if said else "it said nothing", secrets)
        message = f"the command of {client.name} failed with exit code {done.returncode}: {last}"
    hint = "try `--via file` or `--via project`"
    raise ScaffoldError.of("client-command-failed", message, shown, hint)
