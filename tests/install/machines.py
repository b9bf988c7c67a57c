"""A machine with an empty home, a project and fake clients, for tests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scaffold.clients.client import Client, read_client
from scaffold.clients.places import Machine
from scaffold.clients.server import Program, Server, Variable
from scaffold.install import install, remove
from scaffold.install.choose import Asked
from scaffold.install.install import Installation
from scaffold.install.listing import Held, listed
from scaffold.install.subject import Subject

TOKEN = Variable("BLOG_TOKEN", "Token", default=None, secret=True, required=True)
PLAIN = Variable("BLOG_LIMIT", "Limit", default="5", secret=False, required=False)


@dataclass(frozen=True)
class Desk:
    """A home and a project with the server `ours`, below `folder`."""

    folder: Path
    env: tuple[Variable, ...] = (PLAIN,)
    environ: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def at(cls, folder: Path, *env: Variable, environ: Mapping[str, str] | None = None) -> Desk:
        for name in ("home", "project", "bin"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        return cls(folder, env, {"PATH": str(folder / "bin"), **(environ or {})})

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def machine(self) -> Machine:
        return Machine("linux", str(self.home), self.environ)

    @property
    def subject(self) -> Subject:
        project = self.folder / "project"
        server = Server(
            "ours", "Ours", ("stdio", "streamable-http"), "127.0.0.1", 8000, self.env, None
        )
        program = Program(("/opt/uv", "--directory", str(project), "run", "ours"), str(project))
        return Subject(project, server, program)

    def plan(self, client: Client | str, *asked: str | None) -> Installation:
        client = read_client(client) if isinstance(client, str) else client
        return install.plan(self.subject, client, Asked(*asked), self.machine)

    def install(self, client: Client | str, *asked: str | None) -> Installation:
        planned = self.plan(client, *asked)
        install.carry_out(planned, self.machine)
        return planned

    def held(self, client: Client | str) -> tuple[Held, ...]:
        client = read_client(client) if isinstance(client, str) else client
        return tuple(listed(self.subject, client, self.machine))

    def remove(self, client: Client | str) -> int:
        """Remove our entries from a client, and return how many there were."""
        client = read_client(client) if isinstance(client, str) else client
        ours = [entry for entry in self.held(client) if entry.is_ours]
        for entry in ours:
            planned = remove.plan(self.subject, client, entry, self.machine)
            remove.carry_out(planned, self.machine)
        return len(ours)

    def files(self) -> dict[str, bytes | str]:
        """Return the files and folders below: bytes, or the target of a link."""
        return {
            str(path.relative_to(self.folder)): os.readlink(path)
            if path.is_symlink()
            else b""
            if path.is_dir()
            else path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if not path.is_relative_to(self.folder / "bin")
        }
