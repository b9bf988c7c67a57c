"""The results of `clients list`, `show`, `install` and `remove`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, join
from scaffold.cli.console import Ended, drawn
from scaffold.cli.report import as_json, visible
from scaffold.clients.client import Client, client_ids, read_client
from scaffold.clients.entry import document
from scaffold.clients.installing import install, remove
from scaffold.clients.installing.choose import Asked, entry_for, transport_for
from scaffold.clients.installing.install import Installation
from scaffold.clients.installing.listing import Listed, listed
from scaffold.clients.installing.subject import subject
from scaffold.clients.places import Machine, places, this_machine
from scaffold.clients.trial.settings import wrong_settings
from scaffold.clients.written import written


def chosen_clients(ids: Sequence[str]) -> tuple[Client, ...]:
    """Return the clients with these ids, or all. Raises ScaffoldError for an unknown one."""
    known = client_ids()
    for id in ids:
        if id not in known:
            hint = did_you_mean(id, known, f"the clients are {join(known, 'and')}")
            raise ScaffoldError.of("unknown-client", f"unknown client `{id}`", id, hint)
    return tuple(map(read_client, dict.fromkeys(ids) if ids else known))


def list_clients(project: Path, form: str) -> Ended:
    server, machine = subject(project), this_machine()
    found = [listed(server, client, machine) for client in chosen_clients(())]
    if form == "json":
        rows = [
            {
                "client": one.client.id,
                "name": one.client.name,
                "here": one.is_here,
                "entries": [
                    {
                        "scope": held.scope,
                        "path": str(held.path),
                        "state": held.state,
                        "problem": held.problem.message if held.problem else None,
                    }
                    for held in one.held
                ],
            }
            for one in found
        ]
        return Ended(0, printed_json({"server": server.server.name, "clients": rows}))
    problems = [held.problem for one in found for held in one.held if held.problem]
    return Ended(0, _table(server.server.name, found), drawn(problems, "human")[1])


def _table(name: str, found: Iterable[Listed]) -> str:
    """Return a line for each client on this machine or with the server."""
    rows = [("CLIENT", "HERE", f"`{name}`")]
    for one in found:
        if one.is_here or one.held:
            states = [f"{_STATES[held.state]} ({held.path})" for held in one.held] or ["-"]
            rows.append((one.client.id, "yes" if one.is_here else "no", states[0]))
            rows += [("", "", state) for state in states[1:]]
    if len(rows) == 1:
        return (
            "none of the known clients is on this machine\n"
            "`mcp-scaffold clients show` prints what each would get\n"
        )
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return printed(f"{a:{widths[0]}}  {b:{widths[1]}}  {c}" for a, b, c in rows)


_STATES = {
    "same": "has this entry",
    "outdated": "has an outdated entry",
    "other": "has another entry of that name",
    "unreadable": "cannot be read",
}


def show_clients(project: Path, ids: Sequence[str], transport: str | None, form: str) -> Ended:
    server, machine = subject(project), this_machine()
    bare = replace(
        machine, environ={k: v for k, v in machine.environ.items() if k not in server.names}
    )
    rows: list[dict[str, Any]] = []
    problems: list[Diagnostic] = []
    lines: list[str] = []
    for client in chosen_clients(ids):
        try:
            way = transport_for(server, client, transport)
        except ScaffoldError as error:
            problems += error.diagnostics
            continue
        entry = entry_for(server, client, way, "user", bare)
        whole = document(client, server.server.name, entry)
        files = places(client, str(server.project), machine)
        rows.append(
            {
                "client": client.id,
                "transport": way,
                "means": list(client.means),
                "files": [{"scope": scope, "path": path} for scope, path in files],
                "configuration": whole,
            }
        )
        lines.append(f"{client.name} ({client.id}), {way}")
        lines += [f"  {scope}: {path}" for scope, path in files]
        text = written(whole, client.format)
        lines += ["", *(f"    {line}".rstrip() for line in text.splitlines()), ""]
    out = printed_json({"server": server.server.name, "clients": rows}) if form == "json" else ""
    code = 2 if problems and ids else 0
    return Ended(code, out or printed(lines), drawn(problems, "human")[1])


def install_clients(
    project: Path,
    ids: Sequence[str],
    asked: tuple[str | None, str | None, str | None],
    dry_run: bool,
    form: str,
) -> Ended:
    server, machine = subject(project), this_machine()
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    problems: list[Diagnostic] = []
    for client in chosen_clients(ids):
        try:
            made = install.plan(server, client, Asked(*asked), machine)
            if not dry_run:
                install.carry_out(made, machine)
        except ScaffoldError as error:
            problems += error.diagnostics
            rows.append({"client": client.id, "result": "failed"})
            continue
        rows.append(_row(made, dry_run))
        lines += _said(made, dry_run, machine)
    return _report(rows, lines, problems, form)


def _row(made: Installation, dry_run: bool) -> dict[str, Any]:
    choice = made.choice
    result = (
        "same" if made.done else "to do" if made.steps else "planned" if dry_run else "installed"
    )
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


def _said(made: Installation, dry_run: bool, machine: Machine) -> list[str]:
    choice = made.choice
    name = choice.client.name
    if made.done:
        settings = [f"  {line}" for line in _against(made, machine)]
        return [f"{name}: already has this entry ({choice.path})", *settings]
    if made.steps:
        return [f"{name}: to do by you", *(f"  {step}" for step in made.steps)]
    would = "would be installed" if dry_run else "installed"
    if choice.means == "command":
        lines = [f"{name}: {would} by its own command", f"  {choice.typed}"]
    else:
        lines = [f"{name}: {would} in {choice.path}"]
        if dry_run:
            lines += [f"  {line}" for line in made.change.splitlines()]
    said = filter(None, (_program(made), _approval(made), *_against(made, machine)))
    return lines + [f"  {line}" for line in said]


def _against(made: Installation, machine: Machine) -> Iterable[str]:
    """Yield which settings keep the client from using the entry."""
    choice, subject = made.choice, made.subject
    if choice.path and "trusts" not in {switch.rule for switch in choice.client.switches}:
        for found in wrong_settings(
            choice.client,
            subject.server.name,
            choice.path,
            choice.scope,
            subject.project,
            machine,
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


def remove_clients(project: Path, ids: Sequence[str], dry_run: bool, form: str) -> Ended:
    server, machine = subject(project), this_machine()
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    problems: list[Diagnostic] = []
    for client in chosen_clients(ids):
        held = listed(server, client, machine).held
        problems += (one.problem for one in held if one.problem)
        ours = [one for one in held if one.is_ours]
        if ids and not ours:
            message = f"{client.name} has no entry that starts the server of `{project}`"
            problems += ScaffoldError.of("not-installed", message, client.id).diagnostics
        for one in ours:
            try:
                made = remove.plan(server, client, one, machine)
                if not dry_run:
                    remove.carry_out(made, machine)
            except ScaffoldError as error:
                problems += error.diagnostics
                rows.append({"client": client.id, "result": "failed", "path": str(one.path)})
                continue
            result = "planned" if dry_run else "removed"
            command = list(made.command) if made.command else None
            row = {"client": client.id, "result": result, "scope": one.scope}
            rows.append({**row, "path": str(one.path), "command": command})
            by = f"by its own command: {shlex.join(command)}" if command else f"from {one.path}"
            lines.append(f"{client.name}: {'would be ' if dry_run else ''}removed {by}")
    if not rows and not problems:
        lines.append(f"nothing of `{project}` is installed into any client")
    return _report(rows, lines, problems, form)


def _report(
    rows: list[dict[str, Any]], lines: list[str], problems: Sequence[Diagnostic], form: str
) -> Ended:
    code = 2 if problems else 0
    if form == "json":
        return Ended(code, printed_json({"clients": rows, **as_json(problems)}))
    return Ended(code, printed(lines), drawn(problems, "human")[1])


def printed_json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def printed(lines: Iterable[str]) -> str:
    return "".join(f"{visible(line)}\n" for line in lines)
