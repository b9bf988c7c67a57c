"""The result of `clients test`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scaffold.cli.console import Ended, drawn
from scaffold.cli.installations import begin, chosen_clients, printed, printed_json
from scaffold.cli.report import as_json
from scaffold.clients.trial.findings import Trial
from scaffold.clients.trial.project import trials


def tried(project: Path, ids: Sequence[str], form: str) -> Ended:
    subject, machine, store = begin(project)
    found = [*trials(subject, chosen_clients(ids), machine, store, wanted=bool(ids))]
    code = 0 if found and all(trial.works for trial in found) else 1
    if form == "json":
        rows = [
            {
                "client": one.client.id,
                "works": one.works,
                "path": str(one.file) if one.file else None,
                "transport": one.transport or None,
                "protocol": one.version or None,
                "tools": one.tools,
                "seconds": None if one.seconds is None else round(one.seconds, 3),
                "limit": one.limit,
                **as_json(one.findings),
            }
            for one in found
        ]
        return Ended(code, printed_json({"server": subject.server.name, "clients": rows}))
    if not found:
        said = f"no client has an entry for `{subject.server.name}`"
        said += "; `clients install --client ID` writes one\n"
        return Ended(code, "", said)
    problems = [finding for one in found for finding in one.findings]
    return Ended(code, printed(map(_outcome, found)), drawn(problems, "human", every=True)[1])


def _outcome(trial: Trial) -> str:
    name, limit = trial.client.name, trial.limit
    where = f" ({trial.file})" if trial.file else ""
    if not trial.works:
        return f"{name}: does not work{where}"
    tools = f"{trial.tools} tool{'' if trial.tools == 1 else 's'}"
    first = f"first answer after {trial.seconds or 0:.1f} s"
    waits = f", it waits {limit:g} s" if limit and trial.transport == "stdio" else ""
    return f"{name}: works over {trial.transport}, {tools}, {first}{waits}{where}"
