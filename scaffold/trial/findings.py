"""The findings of a trial, without secrets."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit, urlunsplit

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.clients.client import Client
from scaffold.connect.process import end_of
from scaffold.install.subject import Subject


class Trial(Struct, frozen=True):
    """What came of trying an entry.

    `seconds` passed until the first answer, if there was one. `tools` is how many tools were
    listed, and `version` the protocol's. `limit` is how long the client waits, if that is known.
    `approval` is what users have to approve first, if anything.
    """

    client: Client
    file: Path | None
    transport: str = ""
    version: str = ""
    seconds: float | None = None
    tools: int | None = None
    findings: tuple[Diagnostic, ...] = ()
    limit: float | None = None
    approval: str = ""

    @property
    def works(self) -> bool:
        """Whether the client can use the server."""
        return all(finding.severity is Severity.WARNING for finding in self.findings)


@dataclass(slots=True)
class Findings:
    """Collects findings about a place. `secrets` are values, by name, that they must not show."""

    place: Place
    secrets: dict[str, str] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add(
        self, id: str, message: str, hint: str | None = None, severity: Severity = Severity.ERROR
    ) -> None:
        """Add a finding."""
        hint = hint and self.masked(hint)
        self.diagnostics.append(Diagnostic(id, self.masked(message), self.place, hint, severity))

    def masked(self, text: str) -> str:
        """Return a text with the names of secrets in place of their values."""
        for name, value in sorted(self.secrets.items(), key=lambda item: -len(item[1])):
            if len(value) > 3:
                text = text.replace(value, f"${{{name}}}")
        return text

    def end_of(self, log: IO[bytes]) -> str | None:
        """Return the end of what the server wrote to standard error, as a hint."""
        last = end_of(log)
        return f"its log ends with: {self.masked(last)[:600]}" if last else None


def write_again(subject: Subject, client: Client) -> str:
    """Return the hint for a wrong entry; `install` leaves alone one that starts something else."""
    return f"remove the entry, and run `{subject.installing(client.id)}`"


def public(url: str) -> str:
    """Return an address without user, password and parameters."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "its address"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def secrets_in(url: str) -> dict[str, str]:
    """Return what may be secret in an address, by names: the password, and all parameters."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return {}
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    written = dict(pair.partition("=")[::2] for pair in parts.query.split("&"))
    written["password"] = password or user
    decoded = {f"{name}, decoded": unquote(value) for name, value in written.items()}
    return {name: value for name, value in {**decoded, **written}.items() if value}
