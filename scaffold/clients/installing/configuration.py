"""A client's file on disk: read it, and replace it without losing what others write."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from scaffold.clients.client import Client
from scaffold.clients.formats import Format, FormatError, format_of, jsonc
from scaffold.clients.formats.text import place
from scaffold.diagnostics import Place, ScaffoldError
from scaffold.disk.swap import file_hash, swap
from scaffold.disk.tree import failure

LARGEST = 64 * 2**20
"""The maximum bytes of a file."""

_BOM = b"\xef\xbb\xbf"
_KEPT = "before-mcp-scaffold"
_PRIVATE = 0o600
_RETRIES = 3

T = TypeVar("T")


class Configuration(Struct, frozen=True):
    """A client's file as found.

    `path` is as the client names it, and `target` is the file that it leads to. `data` is None if
    there is no file.
    """

    client: Client
    path: Path
    target: Path
    data: bytes | None

    @classmethod
    def read(cls, path: Path, client: Client) -> Configuration:
        """Read a client's file. Raises ScaffoldError if it is not a readable file."""
        try:
            target = path.resolve()
            if not os.path.lexists(target):
                return cls(client, path, target, None)
            found = os.stat(target)
            if not stat.S_ISREG(found.st_mode):
                raise ScaffoldError.of("unreadable-file", "it is not a file", path)
            if found.st_size > LARGEST:
                message = f"the file is larger than {LARGEST // 2**20} MB"
                raise ScaffoldError.of("file-too-large", message, path)
            return cls(client, path, target, target.read_bytes())
        except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
            raise failure("unreadable-file", path, _as_os_error(error)) from error

    @property
    def sha256(self) -> str | None:
        """The hash of its bytes, or None."""
        return None if self.data is None else digest(self.data)

    @property
    def text(self) -> str:
        """Its text without byte order mark; empty if there is no file. Raises ScaffoldError."""
        try:
            return (self.data or b"").removeprefix(_BOM).decode()
        except UnicodeDecodeError as error:
            message, hint = "the file is not UTF-8", "save it as UTF-8"
            raise ScaffoldError.of("client-file-invalid", message, self.path, hint) from error

    def encoded(self, text: str) -> bytes:
        """Return a new text as bytes, with the byte order mark that the file has."""
        return (_BOM if (self.data or b"").startswith(_BOM) else b"") + text.encode()

    def entries(self) -> Mapping[str, Any]:
        """Return its entries by name. Raises ScaffoldError if it cannot be parsed."""
        text = self.text
        try:
            return self._format.entries(text, self._root)
        except FormatError as error:
            self._refuse(text, error)

    def after_command(self, name: str) -> Configuration | None:
        """Return the file that has an entry now, or None: clients may prefer `.jsonc` for a new one."""
        for path in (self.path, self.path.with_suffix(".jsonc")):
            now = Configuration.read(path, self.client)
            if name in now.entries():
                return now
        return None

    def put(self, text: str, name: str, entry: Mapping[str, Any]) -> str:
        """Return a text of this file with an entry. Raises ScaffoldError."""
        try:
            return self._format.put(text, self._root, name, entry)
        except FormatError as error:
            self._refuse(text, error)

    def drop(self, text: str, name: str, was: str | None) -> str:
        """Return a text of this file without an entry. Raises ScaffoldError."""
        try:
            return self._format.drop(text, self._root, name, was)
        except FormatError as error:
            self._refuse(text, error)

    def new_inputs(
        self, text: str, inputs: Sequence[Mapping[str, Any]]
    ) -> tuple[Mapping[str, Any], ...]:
        """Return the inputs whose ids the text does not have yet."""
        held = jsonc.items(text, "inputs") if inputs else ()
        known = {item.get("id") for item in held if isinstance(item, dict)}
        return tuple(item for item in inputs if item["id"] not in known)

    def add_inputs(self, text: str, inputs: Sequence[Mapping[str, Any]]) -> str:
        """Return the text with values that the client prompts for."""
        try:
            for item in inputs:
                text = jsonc.add_item(text, "inputs", item)
        except FormatError as error:
            self._refuse(text, error)
        return text

    def drop_inputs(self, text: str, inputs: Sequence[Mapping[str, Any]], was: str | None) -> str:
        """Return the text without inputs that nothing refers to any more."""
        for item in reversed(inputs):
            # If the file was rearranged, an input stays that nobody asks for, which is harmless.
            with suppress(FormatError):
                if f"${{input:{item['id']}}}" not in text:
                    text = jsonc.drop_item(text, "inputs", item, was)
        return text

    def check_replaceable(self) -> None:
        """Raise ScaffoldError if the file may not be written, or has another hard link.

        The other one may be a backup or the same file elsewhere: nobody can tell if it is to change.
        """
        if self.data is None:
            return
        found = self.target.stat()
        if not found.st_mode & 0o222:
            raise failure("cannot-write", self.path, PermissionError(13, os.strerror(13)))
        left = [file for file in self._temporary if os.path.lexists(file)]  # by a killed run
        if found.st_nlink - sum(os.path.samestat(file.lstat(), found) for file in left) > 1:
            message = "the file has another hard link, which would keep the old text"
            hint = "make it a file of its own, or the other one a symbolic link to it"
            raise ScaffoldError.of("hard-link", message, self.path, hint)

    def replace(self, new: bytes | None, known: Collection[str | None] = ()) -> None:
        """Replace the file, or remove it if `new` is None. Raises ScaffoldError.

        Another program may have written it meanwhile: then nothing is changed (`changed-meanwhile`).
        `known` are the hashes of versions that a killed run may have left behind.
        """
        if new == self.data:
            return
        target = self.target
        part, ready, old = self._temporary
        try:
            owner, folders = self.owner, self.missing_folders()
            target.parent.mkdir(parents=True, exist_ok=True)
            if owner:
                for folder in folders:
                    os.chown(folder, *owner)
            self.clean({*known, self.sha256, None if new is None else digest(new)})
            if new is not None:
                write(part, new, self.mode, owner)
                os.replace(part, ready)
            swapped = swap(target, None if new is None else ready, old, self.sha256)
            if not swapped:
                ready.unlink(missing_ok=True)
                message, hint = "the file was saved by another program meanwhile", "run again"
                raise ScaffoldError.of("changed-meanwhile", message, self.path, hint)
            old.unlink(missing_ok=True)
        except OSError as error:
            raise failure("cannot-write", self.path, error) from error

    def keep(self, data: bytes, kept: str) -> None:
        """Write the copy of the old file. Raises ScaffoldError."""
        path = Path(kept)
        part = _part(path)
        try:
            write(part, data, self.mode, self.owner)
            os.replace(part, path)
        except OSError as error:
            raise failure("cannot-write", path, error) from error

    def missing_folders(self) -> tuple[Path, ...]:
        """Return the folders that must be created for the file, innermost first."""
        return tuple(folder for folder in self.target.parents if not folder.exists())

    @property
    def mode(self) -> int:
        """The permissions for new versions: those of the file, or only the user's."""
        return _PRIVATE if self.data is None else stat.S_IMODE(self.target.stat().st_mode)

    @property
    def owner(self) -> tuple[int, int] | None:
        """The user and group for new versions, or None: those of the file.

        What root creates belongs to the owner of the folder, whose home it may be in.
        """
        if sys.platform == "win32" or (self.data is None and os.geteuid()):
            return None
        nearest = (path for path in (self.target, *self.target.parents) if path.exists())
        found = next(nearest).stat()
        return found.st_uid, found.st_gid

    def free_name(self) -> Path:
        """Return a name beside the file for a copy of it."""
        count = 0
        while True:
            name = f"{self.target.name}.{_KEPT}{f'-{count}' if count else ''}"
            if not os.path.lexists(path := self.target.with_name(name)):
                return path
            count += 1

    def clean(self, known: Collection[str | None], kept: str | None = None) -> None:
        """Remove what a killed run left; what may be another program's save gets a name of its own."""
        part, *left = self._temporary
        part.unlink(missing_ok=True)
        if kept:
            _part(Path(kept)).unlink(missing_ok=True)
        for file in left:
            if file_hash(file) in known:
                file.unlink(missing_ok=True)
            elif os.path.lexists(file):
                os.replace(file, self.free_name())

    @property
    def _temporary(self) -> tuple[Path, Path, Path]:
        """The new file while it is written, the whole new file, and the old file."""
        part, ready, old = (
            self.target.with_name(f".{self.target.name}.mcp-scaffold-{what}")
            for what in ("part", "new", "old")
        )
        return part, ready, old

    @property
    def _format(self) -> Format:
        return format_of(self.client.format)

    @property
    def _root(self) -> tuple[str, ...]:
        return (self.client.root,)

    def _refuse(self, text: str, error: FormatError) -> NoReturn:
        where = Place(str(self.path))
        if error.at is not None:
            where = Place(str(self.path), *place(text, error.at))
        raise ScaffoldError.of("client-file-invalid", error.message, where, error.hint) from error


def undisturbed(attempt: Callable[[], T]) -> T:
    """Return what an attempt returns. If another program saves the file meanwhile, try again.

    Raises ScaffoldError.
    """
    for _ in range(_RETRIES):
        try:
            return attempt()
        except ScaffoldError as error:
            if error.diagnostics[0].id != "changed-meanwhile":
                raise
    return attempt()


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")


def write(path: Path, data: bytes, mode: int, owner: tuple[int, int] | None = None) -> None:
    """Write a new file that nobody else can read before it has its permissions.

    Raises OSError if it cannot belong to the owner.
    """
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, _PRIVATE), "wb") as file:
        made = os.fstat(file.fileno())
        if owner and owner != (made.st_uid, made.st_gid):
            os.chown(path, *owner)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(path, mode)


def _as_os_error(error: OSError | RuntimeError) -> OSError:
    return error if isinstance(error, OSError) else OSError(40, "too many links")
