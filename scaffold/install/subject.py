"""The project whose server is installed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import SPEC
from scaffold.clients.server import Program, Server
from scaffold.format.check import load
from scaffold.format.publish import Package
from scaffold.languages.registry import language
from scaffold.packs.traits import first_there
from scaffold.project import chosen
from scaffold.project.catalog import stand_ins
from scaffold.project.clients import served
from scaffold.project.generate import traits_at
from scaffold.yaml.source import read


class Subject(Struct, frozen=True):
    """A server to install: its project, what clients must know, and how they start it.

    `tools` are the names of the tools that it always lists. If it is `bundled`, its spec asks for a bundle. `built`
    is the command that makes what clients start, if it is built, and `installs` the one that installs
    what the server needs. `named` is how the user named the project; empty for the one around the
    current directory. `stand_ins` are addresses and paths for a trial, by variable, as in the catalog.
    """

    project: Path
    server: Server
    program: Program
    tools: tuple[str, ...] = ()
    bundled: bool = False
    built: str = ""
    installs: str = ""
    named: str = ""
    stand_ins: Mapping[str, str] = {}

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

    Clients start it as its packs say, in the first way whose program is there. That is an absolute
    path, since many clients do not have the `PATH` of a shell.
    """
    root = project.resolve()  # entries have this path
    if not (root / SPEC).exists():
        message = f"no project here: `{project}` has no `{SPEC}`"
        hint = "name the directory of a project, or change to it"
        raise ScaffoldError.of("no-project", message, project, hint)
    traits = traits_at(root)
    spec, _ = chosen.served(load(read(project / SPEC), chosen.rule(traits)).spec, traits)
    code = language(traits.language)
    server = served(spec, code.command_name(spec.name))
    made_up = stand_ins(spec, code.package_name(spec.name)).items()
    elsewhere = {n: text for n, text in made_up if "{folder}" in text or "{address}" in text}
    # With toolsets, the entry of a client may choose others.
    tools = () if spec.toolsets else tuple(tool.name for tool in spec.tools)
    bundled = spec.publish is not None and Package.MCPB in (spec.publish.packages or ())
    named = "" if Path.cwd().is_relative_to(root) else str(project)
    slots = {"name": server.name, "folder": str(root)}
    built = next(iter(traits.ways("build", **slots)), ())
    program = Program(_found(traits.ways("client", **slots)), str(root))
    installs = first_there(ways) if (ways := traits.typed("install")) else ""
    build = shlex.join(built)
    return Subject(root, server, program, tools, bundled, build, installs, named, elsewhere)


def _found(ways: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the first way whose program is there, by its path, or else the first as it is."""
    first, *others = ways
    for name, *args in (first, *others):
        if path := lasting(name) or shutil.which(name):
            is_ours = Path(path).is_relative_to(sys.prefix)  # the environment that we run in
            return (str(Path(path).resolve()) if is_ours else path, *args)
    return first


def lasting(name: str) -> str | None:
    """Return the path of a program, but not one in the environment that we run in.

    Programs that run packages from a cache put that first on the PATH: entries outlive the cache.
    """
    own = Path(sys.prefix).resolve()
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    kept = [folder for folder in folders if not Path(folder).resolve().is_relative_to(own)]
    return shutil.which(name, path=os.pathsep.join(kept))
