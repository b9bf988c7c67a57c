"""Replace references to variables as a client does it, and judge them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scaffold.base.diagnostics.wording import join
from scaffold.clients.client import Client
from scaffold.clients.places import Machine
from scaffold.trial.findings import Findings

_FORMS = {
    "$NAME": r"\$(?P<name>[A-Za-z_]\w*)",
    "${NAME}": r"\$\{(?P<name>\w+)\}",
    "${NAME:-DEFAULT}": r"\$\{(?P<name>\w+):-(?P<default>[^}]*)\}",
    "${env:NAME}": r"\$\{env:(?P<name>\w+)\}",
    "{env:NAME}": r"(?<!\$)\{env:(?P<name>\w+)\}",
    "${input:ID}": r"\$\{input:(?P<name>[^}]+)\}",
    "${{ secrets.NAME }}": r"\$\{\{\s*secrets\.(?P<name>\w+)\s*\}\}",
    "%NAME%": r"%(?P<name>\w+)%",
}
"""The forms of references, by their names in the data about clients."""


def _without_groups(form: str) -> str:
    """Return the pattern of a form for a part of another pattern."""
    return _FORMS[form].replace("?P<name>", "?:").replace("?P<default>", "?:")


_ANY = re.compile(
    "|".join(_without_groups(form) for form in _FORMS if form not in ("$NAME", "%NAME%"))
)
"""What looks like a reference and like nothing else."""


def is_reference(text: str) -> bool:
    """Return whether a text refers to a variable in the form of some client."""
    return bool(_ANY.search(text) or re.match(r"\$\w+$", text))


@dataclass(slots=True)
class Expander:
    """Replaces references by what is in `environment`, and collects what is wrong with them.

    `unset` has the names of variables that are not set, `prompted` the ids of values that the
    client asks for and nobody gave, and `foreign` the references in forms that the client does not
    know. `secrets` has the values that were put in, by name.
    """

    client: Client
    environment: Mapping[str, str]
    inputs: Mapping[str, str]
    machine: Machine
    folder: str
    unset: list[str] = field(default_factory=list)
    prompted: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)

    def expand(self, value: Any, where: str, given: Mapping[str, Any] | None = None) -> Any:
        """Return a value of the field `where` as the server gets it.

        `given` are variables of the entry itself, which a server may replace in its arguments.
        """
        if isinstance(value, Mapping):
            return {key: self.expand(below, where, given) for key, below in value.items()}
        if isinstance(value, list):
            return [self.expand(below, where, given) for below in value]
        if not isinstance(value, str):
            return value
        value = self._built_in(value)
        rules = self.client.expands
        known = [
            form for form in _FORMS if rules and form in rules.syntax and where in rules.fields
        ]
        if self.machine.system != "windows":
            known = [form for form in known if form != "%NAME%"]
        pattern = "|".join(map(_without_groups, known)) or "(?!)"
        text = re.sub(pattern, lambda match: self._value(match[0], known, given), value)
        for left in _ANY.finditer(re.sub(pattern, "", value)):
            name = re.sub(r"^\$\{|[:-].*|\}$", "", left[0])
            if where != "args" or name not in (given or ()):
                self.foreign.append(left[0])
        return text

    def _built_in(self, text: str) -> str:
        """Replace the names of folders that editors have; they go with `${env:NAME}`."""
        if self.client.expands is None or "${env:NAME}" not in self.client.expands.syntax:
            return text
        separator = "\\" if self.machine.system == "windows" else "/"
        known = {
            "userHome": self.machine.home,
            "workspaceFolder": self.folder,
            "workspaceFolderBasename": re.split(r"[/\\]", self.folder)[-1],
            "pathSeparator": separator,
            "/": separator,
        }
        return re.sub(r"\$\{([\w/]+)\}", lambda match: known.get(match[1], match[0]), text)

    def _value(self, written: str, forms: Sequence[str], given: Mapping[str, Any] | None) -> str:
        matches = ((form, re.fullmatch(_FORMS[form], written)) for form in forms)
        form, match = next((form, match) for form, match in matches if match)
        name = match["name"]
        value = (self.inputs if form == "${input:ID}" else self.environment).get(name)
        if form == "${NAME:-DEFAULT}":
            value = value or match["default"]
        if value is None and form == "${input:ID}":
            self.prompted.append(name)
            return ""
        if value is None:
            keeps = self.client.expands is not None and self.client.expands.unset == "literal"
            if not (keeps and given and name in given):
                self.unset.append(name)
            return written if keeps else ""
        self.secrets[name] = value
        return value


def judge_references(expander: Expander, optional: Collection[str], findings: Findings) -> None:
    """Add what is wrong with references, and hide the values that were put in their places.

    The server does not need the `optional` variables.
    """
    client = expander.client
    findings.secrets |= expander.secrets
    is_passed_on = client.expands is not None and client.expands.unset == "literal"
    for name in dict.fromkeys(expander.unset):
        if name in optional and not is_passed_on:
            continue
        message = f"`{name}` is not set"
        hint = f"set it in the shell that starts {client.name}"
        if client.desktop:
            hint = "set it for the whole session, or write its value into the entry"
        if client.desktop and name in expander.machine.environ:
            message = f"`{name}` is set in this shell only, and {client.name} runs without it"
        findings.add("client-variable", message, hint)
    for id in dict.fromkeys(expander.prompted):
        message = f"{client.name} asks for `{id}`, and nobody is here to answer"
        findings.add("client-variable", message, "set the variable in this shell to try it")
    for reference in dict.fromkeys(expander.foreign):
        forms = client.expands.syntax if client.expands else ()
        hint = f"it knows {join(forms, 'and')}" if forms else "write the value"
        findings.add("client-variable", f"{client.name} does not replace `{reference}`", hint)
