"""The environment of a client, and the part of it that a server inherits."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scaffold.clients.client import Client

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

_SECRET = re.compile(
    r"TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT", re.IGNORECASE
)


def desktop_path(system: str) -> str:
    """Return the PATH of applications that no shell started; empty if it is that of shells too."""
    return _DESKTOP_PATH.get(system, "")


def of_client(client: Client, shell: Mapping[str, str], system: str) -> dict[str, str]:
    """Return the environment of a client's process.

    One for the terminal has what the `shell` has. One for the desktop has neither its variables
    nor its PATH. `system` is as in `Machine`.
    """
    if not client.desktop:
        return dict(shell)
    session = {name: value for name, value in shell.items() if _SESSION.fullmatch(name)}
    return session | ({"PATH": poor} if (poor := desktop_path(system)) else {})


def of_server(client: Client, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what servers inherit of the environment of a client."""
    match client.inherits:
        case "few":
            return {name: text for name, text in environment.items() if _FEW.fullmatch(name)}
        case "no-secrets":
            return {name: text for name, text in environment.items() if not _SECRET.search(name)}
        case _:
            return dict(environment)
