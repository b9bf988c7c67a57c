"""The findings of a trial, without the values of variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scaffold.clients.client import Client
from scaffold.diagnostics import Diagnostic, Place, Severity


@dataclass(slots=True)
class Findings:
    """Collects findings about a place. `secrets` are values, by name, that they must not show."""

    place: Place
    secrets: dict[str, str] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)

    def add(
        self, id: str, message: str, hint: str | None = None, severity: Severity = Severity.ERROR
    ) -> None:
        """Add a finding."""
        hint = hint and self.masked(hint)
        self.found.append(Diagnostic(id, self.masked(message), self.place, hint, severity))

    def hide(self, values: Mapping[str, str]) -> None:
        """Show the names of these values instead of the values, from now on."""
        self.secrets |= values

    def masked(self, text: str) -> str:
        """Return a text with the names of secrets in place of their values."""
        for name, value in sorted(self.secrets.items(), key=lambda item: -len(item[1])):
            if len(value) > 3:
                text = text.replace(value, f"${{{name}}}")
        return text


def write_again(client: Client) -> str:
    """Return the hint for an entry that is wrong; `install` leaves alone what someone has edited."""
    return f"remove the entry, and run `mcp-scaffold clients install --client {client.id}`"
