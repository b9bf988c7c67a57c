"""Addresses of packs, such as `https://git.example/pack.git@v1.2.0`, parsed and checked.

An address ends up in a git command line and in a committed file. Git accepts addresses that run
programs (`ext::…`), and treats a leading `-` as an option. Therefore only known plain forms are
allowed.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.disk.records import SOURCE

_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])"
_USER = r"[A-Za-z0-9_][\w.+-]*"
_PATH = r"[^\s:?#\\-][^\s?#\\]*"
_REMOTE = re.compile(
    rf"https://(?:{_USER}@)?{_HOST}(?::\d+)?/{_PATH}"
    rf"|ssh://(?:{_USER}@)?{_HOST}(?::\d+)?/{_PATH}"
    rf"|{_USER}@{_HOST}:{_PATH}"
)
_VERSION = re.compile(r"[A-Za-z0-9_][\w.+-]*(?:/[\w.+-]+)*")
_AT = re.compile(r"(.+)@([^@/:]+)")
_FOLDER = re.compile(r"(?:file:///|\.{0,2}/|[A-Za-z]:[/\\])")
_PASSWORD = re.compile(r"\w+://[^/@]*:[^/@]*@")


class Address(Struct, frozen=True):
    """Where a pack is: a folder, or a git repository at `remote`; and the requested version."""

    remote: str | None
    folder: Path | None
    version: str | None

    @property
    def shown(self) -> str:
        """The address as the user typed it, without its version."""
        return self.remote or str(self.folder)


def parse_address(text: str, base: Path | None = None) -> Address:
    """Parse `ADDRESS[@VERSION]`; `base` is the project, if the address comes from its record.

    A relative folder is resolved against `base`, or else the working directory. Raises
    ScaffoldError (`pack-address`) unless it is a folder or a plain HTTPS or SSH address without a
    password.
    """
    address, version = text, None
    if (match := _AT.fullmatch(text)) and not ((base or Path()) / text).is_dir():
        address, version = match.groups()
        check_version(version)
    folder = (base or Path()) / address.removeprefix("file://")
    if address and not address.startswith(("-", "file://.")) and folder.is_dir():
        return Address(None, folder, version)
    if _PASSWORD.match(address):
        hint = "store it in git's credential helper"
        raise _refused("a password in the address would be committed", hint, base)
    if not _REMOTE.fullmatch(address):
        hint = "use an existing directory, https://…, ssh://… or user@host:path"
        if base:
            hint = "if the pack has moved, use `--pack ADDRESS`"
        message = f"unsupported pack address `{address}`"
        if _FOLDER.match(address) or (base and re.fullmatch(r"[^-:][^:]*", address)):
            what = "is not a directory" if folder.exists() else "does not exist"
            message = f"the pack's directory `{address}` {what}"
        raise _refused(message, hint, base)
    return Address(address, None, version)


def check_version(version: str) -> None:
    """Raise ScaffoldError (`pack-address`) unless it can name a tag, branch or commit."""
    if not _VERSION.fullmatch(version) or ".." in version:
        raise _refused(f"invalid version `{version}`", "use a tag, such as `v1.2.0`")


def _refused(message: str, hint: str, base: Path | None = None) -> ScaffoldError:
    return ScaffoldError.of("pack-address", message, base / SOURCE if base else "--pack", hint)
