"""Judge what users add to an entry: how long the server may take, and which tools are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scaffold.clients.client import Client
from scaffold.diagnostics import Severity
from scaffold.diagnostics.wording import join
from scaffold.clients.trial.findings import Findings


def patience(client: Client, entry: Any) -> float | None:
    """Return how many seconds the client waits, as the entry says or as it always does."""
    given = entry.get(client.own.start) if isinstance(entry, Mapping) else None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not given > 0:
        return client.limits.start
    return given * client.own.unit


def judge_hidden(
    client: Client, entry: Mapping[str, Any], tools: Sequence[str], findings: Findings
) -> None:
    """Add a finding if the entry keeps some of the tools from the model; it is an error for all."""
    only, without = entry.get(client.own.only), entry.get(client.own.without)
    hidden = [
        tool
        for tool in tools
        if (isinstance(only, list) and tool not in only)
        or (isinstance(without, list) and tool in without)
    ]
    if hidden:
        lists = join(
            (name for name in (client.own.only, client.own.without) if name in entry), "and"
        )
        is_all = len(hidden) == len(tools)
        message = (
            f"its {lists} keep {'all tools' if is_all else join(hidden[:3], 'and')} from the model"
        )
        severity = Severity.ERROR if is_all else Severity.WARNING
        findings.add("client-entry", message, severity=severity)
