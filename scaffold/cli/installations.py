"""Reports about one client: a row of data, and lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scaffold.base.diagnostics.wording import join
from scaffold.cli.report import count, diagnosed
from scaffold.install.install import Installation
from scaffold.install.listing import Held
from scaffold.trial.findings import Trial

STATES = {
    "same": "has this entry",
    "outdated": "has an outdated entry",
    "other": "has another entry of that name",
    "unreadable": "cannot be read",
}


def entry_row(entry: Held) -> dict[str, object]:
    """Return the entry that a client's file has for a server, as data."""
    problem = entry.problem.message if entry.problem else None
    return {"scope": entry.scope, "path": str(entry.path), "state": entry.state, "problem": problem}


def as_row(installation: Installation, dry_run: bool) -> dict[str, object]:
    """Return the result of an installation, or its plan, as data."""
    choice = installation.choice
    result = "planned" if dry_run else "installed"
    if installation.done or installation.steps:
        result = "same" if installation.done else "to do"
    return {
        "client": choice.client.id,
        "result": result,
        "means": choice.means,
        "scope": choice.scope,
        "transport": choice.transport,
        "path": str(choice.path) if choice.path else None,
        "command": choice.typed if choice.means == "command" else None,
        "change": installation.change if installation.new is not None else None,
        "steps": list(installation.steps),
        "missing": _program(installation),
        "approval": _approval(installation),
        "values": list(choice.values),
    }


def lines_of(installation: Installation, dry_run: bool) -> Iterator[str]:
    """Yield the result of an installation, or its plan, as lines for people."""
    choice = installation.choice
    name, would = choice.client.name, "would be installed" if dry_run else "installed"
    if installation.done:
        yield f"{name}: already has this entry ({choice.path})"
    elif installation.steps:
        yield f"{name}: install it by hand"
        yield from (f"  {step}" for step in installation.steps)
        return
    elif choice.means == "command":
        yield f"{name}: {would} by its own command"
        yield f"  {choice.typed}"
    else:
        yield f"{name}: {would} in {choice.path}"
        if dry_run:
            yield from (f"  {line}" for line in installation.change.splitlines())
    notes = [] if installation.done else [_program(installation), _approval(installation)]
    notes += [] if installation.done else [*_of_this_machine(installation)]
    yield from (f"  {note}" for note in notes if note)


def _of_this_machine(installation: Installation) -> Iterator[str]:
    """Yield the written values that are valid on this machine only."""
    choice, project = installation.choice, installation.subject.project
    if choice.values:
        names = join(choice.values, "and")
        yield f"it has the value of {names} from the environment of this command"
    folders = (project, *project.parents)
    is_shared = choice.scope == "project" and any((folder / ".git").exists() for folder in folders)
    if is_shared and repr(str(project))[1:-1] in repr(choice.entry.fields):
        yield f"it has the path `{project}` of this machine: do not commit the file"


def _program(installation: Installation) -> str | None:
    """Return how to install what the client needs to start the server, or None."""
    program = installation.subject.program.command[0]
    if installation.choice.transport != "stdio" or Path(program).is_absolute():
        return None
    installs = installation.subject.installs
    instead = f", or run `{installs}` in the project" if installs else ""
    return f"`{program}` is not on the PATH: install it{instead}, then install the server again"


def _approval(installation: Installation) -> str | None:
    """Return the approval that the client asks of the user before it uses the entry, or None."""
    return installation.choice.client.approval.get(installation.choice.scope)


def trial_row(trial: Trial) -> dict[str, object]:
    """Return the result of a trial as data."""
    return {
        "client": trial.client.id,
        "works": trial.works,
        "path": str(trial.file) if trial.file else None,
        "transport": trial.transport or None,
        "protocol": trial.version or None,
        "tools": trial.tools,
        "seconds": None if trial.seconds is None else round(trial.seconds, 3),
        "limit": trial.limit,
        "diagnostics": diagnosed(trial.findings),
    }


def trial_lines(trial: Trial) -> Iterator[str]:
    """Yield the result of a trial for people, and what they have to approve first."""
    name, limit = trial.client.name, trial.limit
    where = f" ({trial.file})" if trial.file else ""
    if not trial.works:
        yield f"{name}: does not work{where}"
        return
    first = f"first answer after {trial.seconds or 0:.1f} s"
    waits = f", it waits {limit:g} s" if limit and trial.transport == "stdio" else ""
    tools = count(trial.tools or 0, "tool")
    yield f"{name}: works over {trial.transport}, {tools}, {first}{waits}{where}"
    if trial.approval:
        yield f"  {trial.approval}"
