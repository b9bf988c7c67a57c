"""A machine with an empty home, a project and fake clients, for tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scaffold.clients.client import Client, read_client
from scaffold.clients.installing import install, remove
from scaffold.clients.installing.choose import Asked
from scaffold.clients.installing.install import Installation
from scaffold.clients.installing.receipts import Store
from scaffold.clients.installing.subject import Subject
from scaffold.clients.places import Machine
from scaffold.clients.server import Program, Server, Variable

TOKEN = Variable("BLOG_TOKEN", "Token", default=None, secret=True, required=True)
PLAIN = Variable("BLOG_LIMIT", "Limit", default="5", secret=False, required=False)


@dataclass(frozen=True)
class Desk:
    """A home, a project with the server `ours`, and a store of receipts, all below `folder`."""

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
    def store(self) -> Store:
        return Store(self.folder / "state")

    @property
    def subject(self) -> Subject:
        project = self.folder / "project"
        server = Server(
            "ours", "Ours", ("stdio", "streamable-http"), "127.0.0.1", 8000, self.env, None
        )
        program = Program(("/opt/uv", "--directory", str(project), "run", "ours"), str(project))
        return Subject(project, server, program)

    def plan(self, client: Client, *asked: str | None) -> Installation:
        return install.plan(self.subject, client, Asked(*asked), self.machine, self.store)

    def install(self, client: Client | str, *asked: str | None) -> Installation:
        client = read_client(client) if isinstance(client, str) else client
        return install.install(self.subject, client, Asked(*asked), self.machine, self.store)

    def remove(self) -> list[remove.Removal]:
        return [remove.remove(one, self.machine, self.store) for one in self.store.all()]

    def files(self) -> dict[str, bytes | str]:
        """Return everything in the home and the project: bytes, or the target of a link."""
        found: dict[str, bytes | str] = {}
        for path in sorted(self.folder.rglob("*")):
            if path.is_relative_to(self.store.folder) or path.is_relative_to(self.folder / "bin"):
                continue
            name = str(path.relative_to(self.folder))
            found[name] = (
                os.readlink(path)
                if path.is_symlink()
                else b""
                if path.is_dir()
                else path.read_bytes()
            )
        return found

    def fake(self, name: str, body: str) -> Path:
        """Write a program of a client: Python code, which has `arguments` and `home`."""
        path = self.folder / "bin" / name
        path.write_text(
            f"#!{sys.executable}\nimport json, sys\nfrom pathlib import Path\n"
            f"arguments, home = sys.argv[1:], Path({str(self.home)!r})\n{body}"
        )
        path.chmod(0o755)
        return path
