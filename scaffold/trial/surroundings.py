"""The environment that a client gives to servers, and where it finds their programs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from scaffold.base.diagnostics import Severity
from scaffold.base.files import SPEC
from scaffold.clients.client import Client
from scaffold.clients.places import Machine
from scaffold.trial.findings import Findings

_MAX_PATH_LENGTH = 4096
"""The maximum length of a path, in characters."""

_FOLDER_OPTIONS = ("--directory", "--project")
"""The options of programs that start others, with the folder to start them in."""

_DESKTOP_PATH = {
    "macos": "/usr/bin:/bin:/usr/sbin:/sbin",
    "linux": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}
"""PATH as applications have it that no shell started. Windows has one PATH for all."""

_SESSION = re.compile(
    r"HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TMPDIR|DISPLAY|WAYLAND_DISPLAY|DBUS_\w+|XDG_\w+"
    r"|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES.*|COMSPEC|HOMEDRIVE|HOMEPATH|PATH|PATHEXT|OS"
    r"|PROCESSOR_ARCHITECTURE|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR",
    re.IGNORECASE,
)
"""The variables that a login session has without a shell."""

_FEW = re.compile(
    r"HOME|LOGNAME|PATH|SHELL|TERM|USER"
    r"|APPDATA|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROCESSOR_ARCHITECTURE|SYSTEMDRIVE"
    r"|SYSTEMROOT|TEMP|USERNAME|USERPROFILE",
    re.IGNORECASE,
)
"""What the clients of the SDKs pass on."""

_SECRET_OF_GEMINI = re.compile(
    r"TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT", re.IGNORECASE
)
"""The names of variables that Gemini CLI keeps from servers."""


def of_client(client: Client, shell: Mapping[str, str], system: str) -> dict[str, str]:
    """Return the environment of a client's process.

    One for the terminal has what the `shell` has. One for the desktop has neither its variables
    nor its PATH. `system` is as in `Machine`.
    """
    if not client.desktop:
        return dict(shell)
    session = {name: value for name, value in shell.items() if _SESSION.fullmatch(name)}
    return session | ({"PATH": poor} if (poor := _DESKTOP_PATH.get(system)) else {})


def of_server(client: Client, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what servers inherit of the environment of a client."""
    match client.inherits:
        case "few":
            return {name: text for name, text in environment.items() if _FEW.fullmatch(name)}
        case "no-secrets":
            return {
                name: text
                for name, text in environment.items()
                if not _SECRET_OF_GEMINI.search(name)
            }
        case _:
            return dict(environment)


def find_program(
    word: str,
    client: Client,
    folder: Path,
    environment: Mapping[str, str],
    machine: Machine,
    findings: Findings,
) -> str | None:
    """Return the path of the program `word` in the `environment` of the server, started in `folder`.

    Adds a finding if there is none, or if only a shell's PATH leads to it.
    """
    if "/" in word or "\\" in word:
        path = shutil.which(str(folder / word))
        if path is None:
            why = "is not executable" if (folder / word).is_file() else "does not exist"
            hint = _elsewhere(re.split(r"[/\\]", word)[-1], machine)
            if word.startswith("~"):
                hint = "clients do not replace `~`: write it in full"
            findings.add("client-program", f"the program `{word}` {why}", hint)
        return path
    directories = environment.get("PATH", "")
    path = shutil.which(word, path=directories)
    if path is None:
        message = f"`{word}` is not found: {client.name} looks in {directories or 'no directory'}"
        findings.add("client-program", message, _elsewhere(word, machine))
        return None
    poor = _DESKTOP_PATH.get(machine.system)
    if poor and not client.desktop and not shutil.which(word, path=poor):
        message = f"`{word}` is found only if a shell starts {client.name}, not from the desktop"
        findings.add("client-program", message, f"write `{path}`", Severity.WARNING)
    return path


def _elsewhere(name: str, machine: Machine) -> str:
    """Return the hint where a program is, as far as the shell knows."""
    path = shutil.which(name, path=machine.environ.get("PATH", ""))
    return f"write `{path}`" if path else f"install {name}"


def missing_folders(command: Sequence[str], started_in: str | None, folder: Path) -> list[str]:
    """Return which folders do not exist: `started_in`, and those in the options of `command`.

    Paths are relative to `folder`.
    """
    named = [started_in, *(value for key, value in pairwise(command) if key in _FOLDER_OPTIONS)]
    return [name for name in named if name and not (folder / name).is_dir()]


def other_project(words: Sequence[str], folder: Path, project: Path) -> str | None:
    """Return the project that a path among the words leads into, if it is not `project`.

    Paths are as seen from `folder`; one that leads into no project is not judged.
    """
    for word in words:
        path = word.rpartition("=")[2]
        if not {"/", "\\"}.isdisjoint(path) and "://" not in path and len(path) <= _MAX_PATH_LENGTH:
            whole = Path(os.path.abspath(folder / path))
            owners = (at for at in (whole, *whole.parents) if os.path.isfile(at / SPEC))
            owner = next(owners, None)
            if owner and not (project.exists() and owner.samefile(project)):
                return str(owner)
    return None
