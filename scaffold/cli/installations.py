"""What is reported about one client: a row of data, and lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scaffold.cli.report import count, diagnosed
from scaffold.clients.places import Machine
from scaffold.install.install import Installation
from scaffold.install.listing import Held
from scaffold.trial.findings import Trial
from scaffold.trial.settings import wrong_settings

STATES = {
    "same": "has this entry",
    "outdated": "has an outdated entry",
    "other": "has another entry of that name",
    "unreadable": "cannot be read",
}


def held(one: Held) -> dict[str, object]:
    """Return what a file of a client has for a server."""
    problem = one.problem.message if one.problem else None
    return {"scope": one.scope, "path": str(one.path), "state": one.state, "problem": problem}


def installed(made: Installation, dry_run: bool) -> dict[str, object]:
    """Return what installing into a client did, or would do."""
    choice = made.choice
    result = "planned" if dry_run else "installed"
    if made.done or made.steps:
        result = "same" if made.done else "to do"
    return {
        "client": choice.client.id,
        "result": result,
        "means": choice.means,
        "scope": choice.scope,
        "transport": choice.transport,
        "path": str(choice.path) if choice.path else None,
        "command": choice.typed if choice.means == "command" else None,
        "change": made.change if made.new is not None else None,
        "steps": list(made.steps),
        "missing": _program(made),
        "approval": _approval(made),
    }


def said(made: Installation, dry_run: bool, machine: Machine) -> Iterator[str]:
    """Yield the same for people."""
    choice = made.choice
    name, would = choice.client.name, "would be installed" if dry_run else "installed"
    if made.done:
        yield f"{name}: already has this entry ({choice.path})"
    elif made.steps:
        yield f"{name}: to do by you"
        yield from (f"  {step}" for step in made.steps)
        return
    elif choice.means == "command":
        yield f"{name}: {would} by its own command"
        yield f"  {choice.typed}"
    else:
        yield f"{name}: {would} in {choice.path}"
        if dry_run:
            yield from (f"  {line}" for line in made.change.splitlines())
    notes = [] if made.done else [_program(made), _approval(made)]
    yield from (f"  {note}" for note in (*notes, *_against(made, machine)) if note)


def _against(made: Installation, machine: Machine) -> Iterator[str]:
    """Yield which settings keep the client from using the entry."""
    choice, subject = made.choice, made.subject
    if choice.path and "trusts" not in {switch.rule for switch in choice.client.switches}:
        name, project = subject.server.name, subject.project
        for found in wrong_settings(
            choice.client, name, choice.path, choice.scope, project, machine
        ):
            yield f"{found.message}: {found.hint} ({found.place and found.place.path})"


def _program(made: Installation) -> str | None:
    """Return what is missing for the client to start the server."""
    program = made.subject.program.command[0]
    if made.choice.transport != "stdio" or Path(program).is_absolute():
        return None
    create = "python3 -m venv .venv && .venv/bin/pip install -e ."
    return (
        f"`{program}` is not on the PATH: install it, or run `{create}` in the project, "
        "then install the server again"
    )


def _approval(made: Installation) -> str | None:
    """Return what the user has to approve before the client uses the entry."""
    return made.choice.client.approval.get(made.choice.scope)


def tried(trial: Trial) -> dict[str, object]:
    """Return what came of trying an entry."""
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


def outcome(trial: Trial) -> str:
    """Return the same for people."""
    name, limit = trial.client.name, trial.limit
    where = f" ({trial.file})" if trial.file else ""
    if not trial.works:
        return f"{name}: does not work{where}"
    first = f"first answer after {trial.seconds or 0:.1f} s"
    waits = f", it waits {limit:g} s" if limit and trial.transport == "stdio" else ""
    tools = count(trial.tools or 0, "tool")
    return f"{name}: works over {trial.transport}, {tools}, {first}{waits}{where}"
