"""Run the checks of a project's packs: its format, its lint, its types and its tests."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from scaffold.base.files import Owner
from scaffold.commands.regenerate import lock_of
from scaffold.disk.tree import Tree
from scaffold.packs.pack import Pack
from scaffold.packs.table import Check
from scaffold.packs.traits import Traits, first_there, traits
from scaffold.project.generate import layers_at

_STUB = re.compile(r"^\s*raise NotWritten\b", re.MULTILINE)
_NOT_FOUND = 127
"""The exit code of a shell for a command that is not there."""
_MAX_OUTPUT = 20_000
"""Characters at the end of a command's output that are kept: there, tests have their summary."""


class Checked(Struct, frozen=True):
    """The command, exit code and output of a check, and the suggested fix."""

    name: str
    command: str
    code: int
    output: str
    fix: str | None


def checks(layers: Sequence[Pack]) -> tuple[Check, ...]:
    """Return the checks of these layers: those of the lowest first.

    A pack replaces checks of those beneath it by their names.
    """
    by_name: dict[str, Check] = {}
    for pack in reversed(layers):
        by_name |= {check.name: check for check in pack.table.checks}
    return tuple(by_name.values())


def unwritten(root: Path) -> Iterator[str]:
    """Yield the place of each handler that is still a stub: it raises `NotWritten`."""
    tree = Tree(root)
    for path, entry in lock_of(root).files.items():
        file = tree.read(path) if entry.owner is Owner.OWNED and entry.id else None
        text = (file.text() if file else None) or ""
        if stub := _STUB.search(text):
            line = len(text[: stub.end()].splitlines())
            yield f"{path}:{line}"


def checked(
    root: Path,
    python: Path | None = None,
    env: Mapping[str, str] = MappingProxyType({}),
    at_once: int | None = None,
) -> Iterator[Checked]:
    """Run the checks of the project at `root`, and yield how each ended, in their order.

    As many run `at_once` as there are processors: no check may write what another reads. Each runs
    in the first way of the packs whose program is there, or in the last. With `python`, it is the
    program beside that. `env` is added to the environment. Raises ScaffoldError for a pack that is
    wrong.
    """
    layers = layers_at(root)
    values = traits(layers)
    programs = root / values.bin
    environment = {**os.environ, **env}
    environment.pop("VIRTUAL_ENV", None)
    first = str((python.parent if python else programs).absolute())
    environment["PATH"] = os.pathsep.join([first, environment.get("PATH", os.defpath)])

    def ended(check: Check) -> Checked:
        command = _way(values, check.run, python)
        code, output = _run(root, command, environment)
        fix = typed(_way(values, check.fix, python)) if check.fix else None
        helps = "--fix" in output.replace("--fix --unsafe-fixes", "")  # as linters say then
        if fix and "--fix" in fix and not helps:
            fix = None
        if code == _NOT_FOUND:
            develops = values.typed("develop")
            fix = first_there(develops) if develops else None
        return Checked(check.name, typed(command), code, output, fix)

    def typed(command: Sequence[str]) -> str:
        """Return a command as people type it in the project, where uv may be absent."""
        name, *arguments = command
        if not shutil.which(name) and shutil.which(name, path=str(programs)):
            name = f"{values.bin}/{name}"
        return shlex.join([name, *arguments])

    with ThreadPoolExecutor(at_once or os.cpu_count()) as threads:
        yield from threads.map(ended, checks(layers))


def _way(values: Traits, command: str, python: Path | None) -> tuple[str, ...]:
    *others, last = values.ways("run", command=shlex.split(command)) or [(*shlex.split(command),)]
    there = (way for way in others if shutil.which(way[0])) if python is None else iter(())
    return next(there, last)


def _run(root: Path, command: Sequence[str], env: Mapping[str, str]) -> tuple[int, str]:
    """Return the exit code and the output of a command."""
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
    end = ran.stdout[-_MAX_OUTPUT:]
    return ran.returncode, end if end == ran.stdout else f"… {end}"
