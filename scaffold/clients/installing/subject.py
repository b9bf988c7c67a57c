"""The project whose server is installed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import SPEC
from scaffold.clients.server import Program, Server, file_program, project_program
from scaffold.disk.records import PACK
from scaffold.project import chosen
from scaffold.project.clients import served
from scaffold.project.generate import names_at
from scaffold.project.inputs import read_packs
from scaffold.spec.check import load
from scaffold.spec.publish import Package
from scaffold.yaml.source import read

_BASE = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
"""The Python that the environment we run in was made from."""


class Subject(Struct, frozen=True):
    """A server to install: its project, what clients must know, and how they start it.

    `tools` are the names of the tools that it always lists. If it is `bundled`, its spec asks for a bundle. `file` is the
    one file that clients start, if it is built as one. `named` is how the user named the project;
    empty for the one around the current directory.
    """

    project: Path
    server: Server
    program: Program
    tools: tuple[str, ...] = ()
    bundled: bool = False
    file: Path | None = None
    named: str = ""

    def installing(self, client: str) -> str:
        """Return the command that installs it into a client, as the user can type it."""
        project = f" {shlex.quote(self.named)}" if self.named else ""
        return f"mcp-scaffold clients install{project} --client {client}"

    @property
    def names(self) -> frozenset[str]:
        """The names of the variables that the server reads."""
        return frozenset((*(v.name for v in self.server.env), *self._token))

    @property
    def secrets(self) -> frozenset[str]:
        """The names of those whose values are secret."""
        return frozenset((*(v.name for v in self.server.env if v.secret), *self._token))

    @property
    def _token(self) -> tuple[str, ...]:
        return (self.server.bearer_env,) if self.server.bearer_env else ()


def subject(project: Path) -> Subject:
    """Return the server of the project at a path.

    Raises ScaffoldError if there is no project (`no-project`), or if its spec is invalid.

    Clients start it with uv, or without uv by the script in the project's `.venv`, or as one file with
    Python. These are absolute paths, since many clients do not have the `PATH` of a shell.
    """
    root = project.resolve()  # entries have this path
    if not (root / SPEC).exists():
        message = f"no project here: `{project}` has no `{SPEC}`"
        hint = "name the directory of a project, or change to it"
        raise ScaffoldError.of("no-project", message, project, hint)
    packs = names_at(root, read_packs(root)) if (root / PACK).is_dir() else ()
    spec = load(read(project / SPEC), chosen.rule(packs)).spec
    server = served(spec)
    # With toolsets, the entry of a client may choose others.
    tools = () if spec.toolsets else tuple(tool.name for tool in spec.tools)
    bundled = spec.publish is not None and Package.MCPB in spec.publish.packages
    named = "" if Path.cwd().is_relative_to(root) else str(project)
    if chosen.is_one_file(packs):
        file = root / f"{server.name}.pyz"
        program = file_program(str(root), str(file), lasting("python3") or _BASE)
        return Subject(root, server, program, tools, bundled, file, named)
    uv = lasting("uv") or shutil.which("uv")
    programs = root / ".venv" / ("Scripts" if sys.platform == "win32" else "bin")
    script = shutil.which(server.name, path=str(programs))
    program = project_program(server.name, str(root), uv or "uv")
    if script and not uv:
        program = Program((script,), str(root), uses_uv=False)
    return Subject(root, server, program, tools, bundled, None, named)


def lasting(name: str) -> str | None:
    """Return the path of a program, but not one in the environment that we run in.

    `uvx` puts that first on the PATH, and it is a part of its cache: entries outlive it.
    """
    own = Path(sys.prefix).resolve()
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    kept = [one for one in folders if not Path(one).resolve().is_relative_to(own)]
    return shutil.which(name, path=os.pathsep.join(kept))
