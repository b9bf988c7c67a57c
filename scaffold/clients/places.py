"""Locate clients on a machine: their configuration files, their programs and running processes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from msgspec import Struct

from scaffold.clients.client import Client

_SYSTEMS = {"darwin": "macos", "win32": "windows"}

_FOLDERS = {
    "USERPROFILE": "",
    "APPDATA": r"AppData\Roaming",
    "LOCALAPPDATA": r"AppData\Local",
}
"""The folders of Windows that a variable names, below the home."""

_PERCENT = re.compile(r"%(\w+)%")
_DOLLAR = re.compile(r"\$\{(\w+):-([^}]*)\}")


class Machine(Struct, frozen=True):
    """What decides where files are: the `system` (`macos`, `windows` or `linux`), home and variables."""

    system: str
    home: str
    environ: Mapping[str, str]
    exists: Callable[[str], bool] = os.path.exists

    @property
    def path(self) -> type[PurePath]:
        """The paths of its system."""
        return PureWindowsPath if self.system == "windows" else PurePosixPath


def this_machine() -> Machine:
    """Return the machine that we run on."""
    return Machine(_SYSTEMS.get(sys.platform, "linux"), os.path.expanduser("~"), os.environ)


def places(client: Client, project: str | None, machine: Machine) -> tuple[tuple[str, str], ...]:
    """Return the scope and the path of each file that may configure the client.

    That of the project is first, then those of the user, best first.
    """
    shared = project_file(client, project, machine) if project else None
    project_places = [("project", shared)] if shared else []
    return (*project_places, *(("user", file) for file in user_files(client, machine)))


def project_file(client: Client, project: str, machine: Machine) -> str | None:
    """Return the file of a project that configures the client, if it reads one."""
    file = client.files.get("project")
    return _variant(str(machine.path(project, *file.split("/"))), client, machine) if file else None


def user_files(client: Client, machine: Machine) -> tuple[str, ...]:
    """Return the user's files of a client; it reads the first.

    On Windows, an app from the Store has files of its own. They are only used if it is installed.
    """
    plain = client.files.get(machine.system)
    for name, moved in client.moved.items():
        if name == "XDG_CONFIG_HOME" and not (plain or "").startswith("~/.config/"):
            continue
        if value := machine.environ.get(name):
            return (_variant(_expanded(moved.replace("<value>", value), machine), client, machine),)
    files = [_variant(_expanded(plain, machine), client, machine)] if plain else []
    if machine.system == "windows" and "windows-msix" in client.files:
        store = _expanded(client.files["windows-msix"], machine)
        parts = PureWindowsPath(store).parts
        package = PureWindowsPath(*parts[: parts.index("Packages") + 2])
        if machine.exists(str(package)):
            files.insert(0, store)
    return tuple(files)


def is_here(client: Client, machine: Machine) -> bool:
    """Return whether the client seems to be on the machine: its command, or its own folder."""
    if client.program and program(client.program, machine):
        return True
    for file in user_files(client, machine):
        folder = str(machine.path(file).parent)
        if machine.exists(file if folder == str(machine.path(machine.home)) else folder):
            return True
    return False


def program(name: str, machine: Machine) -> str | None:
    """Return the path of a program; None if there is none, or if it is a batch file.

    Arguments of batch files are parsed by the shell of Windows, which makes quotes unsafe.
    """
    path = shutil.which(name, path=machine.environ.get("PATH", os.defpath))
    if path and path.lower().endswith((".cmd", ".bat")):
        return None
    return path and os.path.abspath(path)


def _variant(file: str, client: Client, machine: Machine) -> str:
    """Return the file, or `.jsonc` if there is one where the client allows comments."""
    commented = f"{file}c"
    is_there = client.format == "jsonc" and file.endswith(".json") and machine.exists(commented)
    return commented if is_there else file


def _expanded(file: str, machine: Machine) -> str:
    """Return a path with the home and the variables in it replaced."""

    def percent(match: re.Match[str]) -> str:
        name = match[1]
        folder = PureWindowsPath(machine.home, _FOLDERS.get(name, ""))
        return machine.environ.get(name) or (str(folder) if name in _FOLDERS else match[0])

    file = _DOLLAR.sub(lambda match: machine.environ.get(match[1]) or match[2], file)
    if file == "~" or file.startswith(("~/", "~\\")):
        file = machine.home.rstrip("/") + file[1:]
    return _PERCENT.sub(percent, file) if machine.system == "windows" else file


def running(names: Iterable[str]) -> str | None:
    """Return the first of these programs that runs, or None; also if nobody can tell.

    Only Windows ignores case: elsewhere, `Claude` is another program than `claude`.
    """
    fold = str.casefold if sys.platform == "win32" else str
    wanted = {fold(name): name for name in names}
    programs = map(fold, _programs()) if wanted else ()
    return next((wanted[name] for name in programs if name in wanted), None)


def _programs() -> Iterator[str]:
    """Yield the names of the programs that run, without `.exe`."""
    if sys.platform == "linux":
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                yield (process / "comm").read_text("utf-8", "replace").strip()
            except OSError:  # it has ended, or is another user's
                continue
            yield PurePath(words[0].decode(errors="replace")).name
        return
    windows = sys.platform == "win32"
    command = ["tasklist", "/fo", "csv", "/nh"] if windows else ["ps", "-axo", "comm="]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError):
        return
    for line in done.stdout.splitlines():
        if windows:
            yield PureWindowsPath(line.split(",")[0].strip('"')).stem
        else:
            yield PurePath(line.strip()).name
