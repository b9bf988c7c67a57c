"""Starters: small projects with written handlers, which `init` begins with.

A starter is a folder: a spec, the files that are laid over what the spec generates, and a table.
Its package is called `starter`, and so is its server.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath
from types import MappingProxyType

from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import SPEC, Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.base.shipped import shipped
from scaffold.commands.new import Created, created
from scaffold.disk.create import refuse_unless_vacant
from scaffold.disk.records import Metadata
from scaffold.languages.registry import language
from scaffold.packs.traits import first_there
from scaffold.project.generate import Generated, generate
from scaffold.project.inputs import Packs
from scaffold.yaml.source import parse

NAMES = ("minimal", "api", "files", "database", "inventory")
"""The names of the starters, the simplest first."""

_PLACEHOLDER = re.compile(r"\bstarter\b")


class Starter(Struct, frozen=True):
    """A starter: its name, a summary, and the dependencies of its handlers.

    With `sdk`, they import the SDK or what comes with it.
    """

    name: str
    summary: str
    sdk: bool

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return _folder() / self.name

    def spec(self, name: str) -> str:
        """Return the text of its spec for a server of this name."""
        text = (self.folder / SPEC).read_text(encoding="utf-8")
        return text.replace("name: starter", f"name: {name}", 1)

    def laid_over(self, generated: Generated) -> RenderedFiles:
        """Return the files of a project with those of the starter.

        The tests of starters call a server of the SDK. Raises ScaffoldError if the handlers need
        packages, and the pack has none.
        """
        plain, code = not generated.traits.installs, language(generated.traits.language)
        if plain and self.sdk:
            message = f"the starter `{self.name}` needs packages, and the pack has none"
            hint = "choose another starter"
            raise ScaffoldError.of("starter-packages", message, "--starter", hint)
        paths = (path for path in self._paths() if not (plain and path.startswith("tests/")))
        own = {file.path: file for file in (self._file(path, generated) for path in paths)}
        files = RenderedFiles({**generated.everything, **own})
        done = {path: file.text for path, file in generated.files.items() if path not in own}
        return RenderedFiles(code.formatted(files, done))

    def _paths(self) -> list[RelPath]:
        """Return the paths of the files to lay over; pip leaves bytecode beside modules."""
        files = (file for file in self.folder.rglob("*") if file.is_file())
        paths = (file.relative_to(self.folder) for file in files)
        return [
            RelPath(path.as_posix())
            for path in sorted(paths)
            if path.name not in (SPEC, "starter.toml") and "__pycache__" not in path.parts
        ]

    def _file(self, path: RelPath, generated: Generated) -> RenderedFile:
        package = generated.project.package
        text = (self.folder / path).read_text(encoding="utf-8")
        if language(generated.traits.language).is_source(path):
            text = _PLACEHOLDER.sub(package, text)
        to = RelPath(path.replace("src/starter/", f"{generated.project.source}/", 1))
        if to in generated.files:
            return replace(generated.files[to], text=text)
        return RenderedFile(to, Owner.OWNED, text, f"the starter `{self.name}`")


@cache
def _folder() -> Path:
    return shipped("templates") / "starters"


def starters() -> tuple[Starter, ...]:
    """Return all starters, the simplest first."""
    result = []
    for name in NAMES:
        table = tomllib.loads((_folder() / name / "starter.toml").read_text("utf-8"))
        result.append(Starter(name, table["summary"], table.get("sdk", False)))
    return tuple(result)


def init(
    starter: Starter,
    name: str,
    dest: Path,
    packs: Packs = MappingProxyType({}),
    metadata: Metadata = MappingProxyType({}),
    generator: str = "",
) -> Created:
    """Create the project of a starter in the folder `dest`, for a server of this name.

    `packs`, `metadata` and `generator` are as in `new`. Raises ScaffoldError, and writes nothing,
    if the name is wrong, if `dest` is not vacant, or if the starter does not go with the pack.
    """
    refuse_unless_vacant(dest)
    spec = parse(starter.spec(name), SPEC)
    generated = generate(spec, starter.folder, Path(), packs, generator)
    return created(dest, generated, starter.laid_over(generated), metadata)


def to_try(generated: Generated) -> tuple[str, ...]:
    """Return the commands that start a new server and talk to it, as they work on this machine.

    There are none if no pack has such commands, or one leaves the client script out. Over stdio the client starts the server,
    with variables that it makes up. Over HTTP alone the server has to run before.
    """
    project, traits = generated.project, generated.traits
    tries, installs = traits.typed("try"), traits.typed("install")
    scripts = [word for word in shlex.split("".join(tries[:1]))[1:] if PurePath(word).suffix]
    if not tries or not {*scripts} <= {*generated.files}:
        return ()
    is_ready = shutil.which(shlex.split(tries[0])[0]) is not None or not installs
    before = () if is_ready else tuple(first_there(installs).split(" && "))
    client = tries[0] if is_ready else tries[-1]
    if project.stdio or not traits.installs or not traits.commands.get("start"):
        return (*before, client) if project.stdio or not traits.installs else ()
    filled = any(variable.required for variable in project.env)
    starts = traits.typed("start", name=project.name, package=project.package)
    program = starts[0] if is_ready else starts[:2][-1]
    if filled and not is_ready:
        program = "mcp-scaffold dev"  # reads `.env`
    elif not filled:
        program = program.replace(" --env-file .env", "")
    fill_in = ["cp .env.example .env  # and fill it in"] if filled else []
    return (*before, *fill_in, f"{program} &", client)
