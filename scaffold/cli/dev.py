"""The `dev` command."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import click

from scaffold.cli.console import Ended, guarded, interrupted_by_signals, tell
from scaffold.cli.projects import PROJECT
from scaffold.cli.regenerate import write


@click.command()
@PROJECT
@click.option("--inspector", is_flag=True, help="Open the official Inspector (needs Node.js).")
def dev(project: Path, inspector: bool) -> None:
    """Run the server of PROJECT and restart it on every change.

    If the spec changes, the project is regenerated first. A server without HTTP is not kept
    running: it is only started to check that it works.
    """
    sys.exit(_told(lambda: _run(project, inspector)))


def _run(project: Path, inspected: bool) -> Ended:
    from scaffold.commands.dev.development import Development
    from scaffold.commands.regenerate import lock_of
    from scaffold.commands.watch import WATCHED, saves

    lock_of(project)
    _say(f"watching {WATCHED}, and the code in src/; press Ctrl-C to stop")
    development = Development(project, _say, inspected)

    def updated() -> Ended:
        development.update()
        return Ended()

    with suppress(KeyboardInterrupt), interrupted_by_signals(), closing(development):
        for _ in saves(project, development.code):
            _told(lambda: _regenerated(project))
            _told(updated)
    _say("stopped")
    return Ended()


def _regenerated(project: Path) -> Ended:
    """Update the project if its spec or templates have changed."""
    from scaffold.project.inputs import is_up_to_date

    return Ended() if is_up_to_date(project) else write(project, "human", (), False, False)


def _told(work: Callable[[], Ended]) -> int:
    """Do the work, print what it returns or its errors, and return its exit code."""
    ended = guarded(work, "human")
    tell(ended.out, ended.err)
    return ended.code


def _say(line: str) -> None:
    from scaffold.cli.report import visible  # slow to import

    tell("", f"{visible(line)}\n")
