"""The reports of `clients list`, `show`, `install`, `remove` and `test`."""

from __future__ import annotations

import shlex
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, join
from scaffold.cli.report import Report, count, diagnosed, lines
from scaffold.clients.client import Client, client_ids, read_client
from scaffold.clients.entry import document
from scaffold.clients.formats import written
from scaffold.clients.installing import install, remove
from scaffold.clients.installing.choose import Asked, entry_for, transport_for
from scaffold.clients.installing.install import Installation
from scaffold.clients.installing.listing import Held, Listed, listed
from scaffold.clients.installing.subject import Subject, subject
from scaffold.clients.places import Machine, places, this_machine
from scaffold.clients.trial.findings import Trial
from scaffold.clients.trial.settings import wrong_settings

_STATES = {
    "same": "has this entry",
    "outdated": "has an outdated entry",
    "other": "has another entry of that name",
    "unreadable": "cannot be read",
}


def chosen_clients(ids: Sequence[str]) -> tuple[Client, ...]:
    """Return the clients with these ids, or all. Raises ScaffoldError for an unknown one."""
    known = client_ids()
    for id in ids:
        if id not in known:
            hint = did_you_mean(id, known, f"the clients are {join(known, 'and')}")
            raise ScaffoldError.of("unknown-client", f"unknown client `{id}`", id, hint)
    return tuple(map(read_client, dict.fromkeys(ids) if ids else known))


@dataclass
class _Told:
    """What is told about clients: a row of data each, lines, and problems."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    @contextmanager
    def collecting(self, **row: object) -> Generator[None]:
        """Collect the errors of one client, which does not stop the others; the row says so too."""
        try:
            yield
        except ScaffoldError as error:
            self.problems += error.diagnostics
            self.rows += [{**row, "result": "failed"}] if row else []

    def report(self, server: Subject, code: int | None = None) -> Report:
        """Return the report; by default, the exit code is 2 if there are problems."""
        code = 2 * bool(self.problems) if code is None else code
        data = {"server": server.server.name, "clients": self.rows}
        return Report(tuple(self.problems), code, out=lines(self.lines), data=data)


def list_clients(project: Path) -> Report:
    """Return which clients have the server of a project."""
    server, machine = subject(project), this_machine()
    found = [listed(server, client, machine) for client in chosen_clients(())]
    told = _Told(lines=_table(server.server.name, found))
    for one in found:
        entries = [_held(held) for held in one.held]
        row = {"client": one.client.id, "name": one.client.name, "here": one.is_here}
        told.rows.append({**row, "entries": entries})
        told.problems += [held.problem for held in one.held if held.problem]
    return told.report(server, 0)


def _held(held: Held) -> dict[str, object]:
    problem = held.problem.message if held.problem else None
    return {"scope": held.scope, "path": str(held.path), "state": held.state, "problem": problem}


def _table(name: str, found: Iterable[Listed]) -> list[str]:
    """Return a line for each client on this machine or with the server."""
    rows = [("CLIENT", "HERE", f"`{name}`")]
    for one in found:
        if one.is_here or one.held:
            states = [f"{_STATES[held.state]} ({held.path})" for held in one.held] or ["-"]
            rows.append((one.client.id, "yes" if one.is_here else "no", states[0]))
            rows += [("", "", state) for state in states[1:]]
    if len(rows) == 1:
        return [
            "none of the known clients is on this machine",
            "`mcp-scaffold clients show` prints what each would get",
        ]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return [f"{a:{widths[0]}}  {b:{widths[1]}}  {c}" for a, b, c in rows]


def show_clients(project: Path, ids: Sequence[str], transport: str | None) -> Report:
    """Return what each client would get, with the paths of this machine."""
    server, machine = subject(project), this_machine()
    bare = replace(
        machine, environ={k: v for k, v in machine.environ.items() if k not in server.names}
    )
    told = _Told()
    for client in chosen_clients(ids):
        with told.collecting():
            way = transport_for(server, client, transport)
            entry = entry_for(server, client, way, "user", bare)
            whole = document(client, server.server.name, entry)
            files = places(client, str(server.project), machine)
            row = {
                "client": client.id,
                "transport": way,
                "means": list(client.means),
                "files": [{"scope": scope, "path": path} for scope, path in files],
                "configuration": whole,
            }
            told.rows.append(row)
            told.lines.append(f"{client.name} ({client.id}), {way}")
            told.lines += [f"  {scope}: {path}" for scope, path in files]
            text = written(whole, client.format).splitlines()
            told.lines += ["", *(f"    {line}".rstrip() for line in text), ""]
    return told.report(server, 2 if told.problems and ids else 0)


def install_clients(project: Path, ids: Sequence[str], asked: Asked, dry_run: bool) -> Report:
    """Install the server of a project into clients, or return what that would do."""
    server, machine = subject(project), this_machine()
    told = _Told()
    for client in chosen_clients(ids):
        with told.collecting(client=client.id):
            made = install.plan(server, client, asked, machine)
            if not dry_run:
                install.carry_out(made, machine)
            told.rows.append(_installed(made, dry_run))
            told.lines += _said(made, dry_run, machine)
    return told.report(server)


def _installed(made: Installation, dry_run: bool) -> dict[str, Any]:
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


def _said(made: Installation, dry_run: bool, machine: Machine) -> Iterator[str]:
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


def remove_clients(project: Path, ids: Sequence[str], dry_run: bool) -> Report:
    """Remove the server of a project from clients, or return what that would do."""
    server, machine = subject(project), this_machine()
    told = _Told()
    for client in chosen_clients(ids):
        held = listed(server, client, machine).held
        told.problems += [one.problem for one in held if one.problem]
        ours = [one for one in held if one.is_ours]
        if ids and not ours:
            message = f"{client.name} has no entry that starts the server of `{project}`"
            told.problems += ScaffoldError.of("not-installed", message, client.id).diagnostics
        for one in ours:
            row = {"client": client.id, "scope": one.scope, "path": str(one.path)}
            with told.collecting(**row):
                made = remove.plan(server, client, one, machine)
                if not dry_run:
                    remove.carry_out(made, machine)
                command = list(made.command) if made.command else None
                result = "planned" if dry_run else "removed"
                told.rows.append({**row, "result": result, "command": command})
                by = f"by its own command: {shlex.join(command)}" if command else f"from {one.path}"
                told.lines.append(f"{client.name}: {'would be ' if dry_run else ''}removed {by}")
    if not told.rows and not told.problems:
        told.lines.append(f"nothing of `{project}` is installed into any client")
    return told.report(server)


def try_clients(project: Path, ids: Sequence[str]) -> Report:
    """Start the server of a project as clients do, and return what came of it."""
    from scaffold.clients.trial.project import trials  # slow to import, with the SDK

    server = subject(project)
    found = [*trials(server, chosen_clients(ids), this_machine(), wanted=bool(ids))]
    code = 0 if found and all(trial.works for trial in found) else 1
    name, command = server.server.name, server.installing("ID")
    said = [] if found else [f"no client has an entry for `{name}`; `{command}` writes one"]
    return Report(
        tuple(finding for one in found for finding in one.findings),
        code,
        out=lines(map(_outcome, found)),
        below=lines(said),
        every=True,
        data={"server": server.server.name, "clients": [*map(_tried, found)]},
    )


def _tried(trial: Trial) -> dict[str, object]:
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


def _outcome(trial: Trial) -> str:
    name, limit = trial.client.name, trial.limit
    where = f" ({trial.file})" if trial.file else ""
    if not trial.works:
        return f"{name}: does not work{where}"
    first = f"first answer after {trial.seconds or 0:.1f} s"
    waits = f", it waits {limit:g} s" if limit and trial.transport == "stdio" else ""
    tools = count(trial.tools or 0, "tool")
    return f"{name}: works over {trial.transport}, {tools}, {first}{waits}{where}"
