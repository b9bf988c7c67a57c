"""The traits of a project's packs: values, rather than files, that differ by pack or language."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.languages.registry import DEFAULT
from scaffold.packs.pack import Pack
from scaffold.packs.parts import TABLE

_PURPOSES = ("run", "start", "client", "bundle", "try", "build", "install", "develop")
_SLOT = re.compile(r"(?<!\$)\{(\w+)\}")


class Traits(Struct, frozen=True, kw_only=True):
    """The values of a project's layers; the topmost layer that has a value determines it.

    `language` is that of the code, `source` the folder with it, and `comment` begins a line of one.
    `commands` has commands by purpose, each in several ways: the first whose program is installed
    is used; see `ways`. `publish` has the values of published documents: the `registry` of packages
    and the `runtime` that starts one; the `type` of a bundle's server, its `entry` and what it
    `needs`. `project_file` has the `path` of the file that describes the package, and the `table`
    in it with its name and version. `programs` is the folder in a project with what it has
    installed, and that on Windows. `environment` are variables of the server, `watches` the files
    and folders for which `dev` restarts it, `bundles` those that are in a bundle. `shared` has, by
    generated module, how edited code begins to use it. `reserved` are words that no name in code
    can be. `refuses` names keys, transports and limits of the language that a spec cannot use, and
    `ignores` those that are left out. `pack` is the layer that refuses them, and `instead` the one
    below it. `places` are those of the values, and `table` is the path of the topmost `pack.toml`.
    """

    language: str = DEFAULT
    source: str = "src/{package}"
    comment: str = "#"
    commands: Mapping[str, tuple[str, ...]] = {}
    publish: Mapping[str, str] = {}
    project_file: Mapping[str, str] = {}
    shared: Mapping[str, str] = {}
    programs: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    watches: tuple[str, ...] = ()
    bundles: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    pack: str = ""
    instead: str = ""
    places: Mapping[str, Place] = {}
    table: str = ""

    @property
    def bin(self) -> str:
        """The folder of the programs that are installed in a project, or an empty string."""
        return "" if not self.programs else self.programs[-1 if sys.platform == "win32" else 0]

    @property
    def installs(self) -> bool:
        """Whether a server needs packages that are installed before it starts."""
        return bool(self.commands.get("install"))

    @property
    def variables(self) -> dict[str, str]:
        """The variables of the server, by name."""
        pairs = (assignment.partition("=") for assignment in self.environment)
        return {name: value for name, _, value in pairs}

    def require(self, user: str, *keys: str) -> None:
        """Raise ScaffoldError for each value that no pack has, such as `publish.needs`.

        `user` is what needs them, for the message.
        """
        faults = []
        for key in keys:
            table, _, word = key.partition(".")
            if not getattr(self, table).get(word):
                message = f"no pack has `{key}`, which {user} needs"
                place = self.places.get(table, Place(self.table))
                faults.append(Diagnostic("pack-value", message, place, "add it"))
        if faults:
            raise ScaffoldError(faults)

    def ways(self, purpose: str, **slots: str | Sequence[str]) -> list[tuple[str, ...]]:
        """Return the commands for a purpose, split into words.

        `run` runs a `{command}` of what the project has installed, `start` the server, with the
        variables of the `{env_file}`, and `try` the client script. `client` starts the server from
        any folder, and the project is in `{folder}`; `build` makes what it starts. `bundle` starts
        a bundle in a host. `install` installs the dependencies of the server, `develop` also those
        of its checks. In each, `{name}` is the server's command, `{package}` its package, and
        `{bin}` the folder of its programs.
        """
        return [_filled(way, {"bin": self.bin, **slots}) for way in self.commands.get(purpose, ())]

    def typed(self, purpose: str, **slots: str) -> list[str]:
        """Return the commands for a purpose as people type them in a shell."""
        every = {"bin": self.bin, "env_file": "--env-file .env", **slots}
        ways = self.commands.get(purpose, ())
        return [_SLOT.sub(lambda slot: every[slot[1]], way) for way in ways]

    def shown(self, **slots: str) -> dict[str, str]:
        """Return the first command for each purpose as people type it, the same on every system.

        Purposes without a command have an empty one. `start_with_env_file` reads `.env`, and
        `start` does not. `{command}` and `{folder}` are left to templates.
        """
        slots = {"bin": "".join(self.programs[:1]), **slots}
        slots |= {"command": "{command}", "folder": "{folder}"}
        first = {purpose: "".join(self.typed(purpose, **slots)[:1]) for purpose in _PURPOSES}
        configured = first["start"]
        plain = configured.replace(" --env-file .env", "")
        return {**first, "start": plain, "start_with_env_file": configured}


def first_there(ways: Sequence[str]) -> str:
    """Return the first shell command whose program is installed, or else the first."""
    return next((way for way in ways if shutil.which(shlex.split(way)[0])), ways[0])


def _filled(way: str, slots: Mapping[str, str | Sequence[str]]) -> tuple[str, ...]:
    """Return the words of a command with its slots filled in; a slot that is a word can be many."""
    words: list[str] = []
    for word in shlex.split(way):
        value = slots.get(word[1:-1]) if _SLOT.fullmatch(word) else None
        if value is None or isinstance(value, str):
            words.append(_SLOT.sub(lambda slot: str(slots[slot[1]]), word))
        else:
            words += value
    return tuple(words)


def traits(layers: Sequence[Pack]) -> Traits:
    """Return the traits of a project's layers, the topmost first."""
    values: dict[str, Any] = {}
    for pack in reversed(layers):
        for key, value in {**pack.table.values, "places": pack.table.places}.items():
            values[key] = {**values.get(key, {}), **value} if isinstance(value, dict) else value
    at = next((n for n, pack in enumerate(layers) if "refuses" in pack.table.values), 0)
    refusing, *beneath = layers[at:]
    is_whole = any("language" in pack.table.values for pack in beneath)
    return Traits(
        pack=refusing.name,
        instead=beneath[0].name if is_whole else "",
        table=str(layers[0].folder / TABLE),
        **values,
    )
