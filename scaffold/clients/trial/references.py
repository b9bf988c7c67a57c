"""Judge the references of an entry to variables, once they are replaced."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from scaffold.clients.client import Client
from scaffold.diagnostics.wording import join
from scaffold.clients.trial.expansion import Expander
from scaffold.clients.trial.findings import Findings


def judge_references(
    client: Client,
    expander: Expander,
    shell: Mapping[str, str],
    optional: Collection[str],
    findings: Findings,
) -> None:
    """Add what is wrong with references; the server does not need the `optional` variables.

    `shell` has the variables that the client would have if a shell started it.
    """
    is_passed_on = client.expands is not None and client.expands.unset == "literal"
    for name in dict.fromkeys(expander.unset):
        if name in optional and not is_passed_on:
            continue
        message = f"`{name}` is not set"
        hint = f"set it in the shell that starts {client.name}"
        if client.desktop:
            hint = "set it for the whole session, or write its value into the entry"
        if client.desktop and name in shell:
            message = f"`{name}` is set in this shell only, and {client.name} runs without it"
        findings.add("client-variable", message, hint)
    for id in dict.fromkeys(expander.prompted):
        message = f"{client.name} asks for `{id}`, and nobody is here to answer"
        findings.add("client-variable", message, "set the variable in this shell to try it")
    for reference in dict.fromkeys(expander.foreign):
        forms = client.expands.syntax if client.expands else ()
        hint = f"it knows {join(forms, 'and')}" if forms else "write the value"
        findings.add("client-variable", f"{client.name} does not replace `{reference}`", hint)
