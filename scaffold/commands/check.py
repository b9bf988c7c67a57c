"""Run the checks of a project's packs: its format, its lint, its types and its tests."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from scaffold.packs.table import Check
from scaffold.project.generate import layers_at
from scaffold.project.inputs import read_packs

_NOT_FOUND = 127
"""The exit code of a shell for a command that is not there."""

_PIP = ".venv\\Scripts\\pip" if sys.platform == "win32" else ".venv/bin/pip"
_INSTALL = f"python3 -m venv .venv && {_PIP} install 'pip>=25.1' && {_PIP} install -e . --group dev"
"""What installs the programs of a project without uv; older versions of pip know no groups."""


class Checked(Struct, frozen=True):
    """How a check ended: the command, its exit code and all that it printed, and how to mend it."""

    name: str
    command: str
    code: int
    output: str
    fix: str | None


def checks(root: Path) -> tuple[Check, ...]:
    """Return the checks of the project at `root`: those of its lowest pack first.

    A pack replaces checks of those beneath it by their names. Raises ScaffoldError for a pack that
    is wrong.
    """
    found: dict[str, Check] = {}
    for pack in reversed(layers_at(root, read_packs(root))):
        found |= {check.name: check for check in pack.table.checks}
    return tuple(found.values())


def checked(
    root: Path, python: Path | None = None, env: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Checked]:
    """Run each check of the project at `root`, and yield how it ended.

    uv runs it if it is installed, or else the program of the project's own environment, or that of
    the shell. With `python`, it is the program beside that. `env` is added to the environment.
    """
    uv = ("uv", "run") if python is None and shutil.which("uv") else ()
    programs = root / ".venv" / ("Scripts" if sys.platform == "win32" else "bin")
    found = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"} | dict(env)
    first = str((python.parent if python else programs).absolute())
    found["PATH"] = os.pathsep.join([first, found.get("PATH", os.defpath)])
    for check in checks(root):
        command = [*uv, *shlex.split(check.run)]
        fix = shlex.join([*uv, *shlex.split(check.fix)]) if check.fix else None
        code, output = _run(root, command, found)
        if code == _NOT_FOUND:
            fix = _INSTALL
        yield Checked(check.name, shlex.join(command), code, output, fix)


def _run(root: Path, command: list[str], env: Mapping[str, str]) -> tuple[int, str]:
    """Return the exit code of a command, and what it printed."""
    program = shutil.which(command[0], path=env["PATH"])
    if program is None:
        return _NOT_FOUND, f"{command[0]} is not installed\n"
    ran = subprocess.run(  # noqa: S603 - the pack's own command
        [program, *command[1:]],
        cwd=root,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return ran.returncode, ran.stdout
