"""A client's file on disk: read it, and replace it without losing what others write."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from scaffold.clients.client import Client
from scaffold.clients.formats import Format, FormatError, Json, format_of
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

_PROMPTING = Json(comments=True)
"""The format of the clients that prompt for values."""

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

    def _encoded(self, text: str) -> bytes:
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

    def put(
        self, name: str, entry: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]] = ()
    ) -> bytes:
        """Return the file with an entry, and the inputs that it asks for. Raises ScaffoldError."""
        text = self.text
        try:
            for item in inputs:
                text = _PROMPTING.add_item(text, "inputs", item)
            return self._encoded(self._format.put(text, self._root, name, entry))
        except FormatError as error:
            self._refuse(text, error)

    def drop(self, name: str, inputs: Sequence[Mapping[str, Any]] = ()) -> bytes:
        """Return the file without an entry, and without the inputs that no other entry asks for.

        Raises ScaffoldError.
        """
        text = self.text
        try:
            text = self._format.drop(text, self._root, name)
            for item in inputs:
                if f"${{input:{item['id']}}}" not in text:
                    text = _PROMPTING.drop_item(text, "inputs", item)
        except FormatError as error:
            self._refuse(text, error)
        return self._encoded(text)

    def new_inputs(self, inputs: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
        """Return the inputs whose ids the file does not have yet."""
        held = _PROMPTING.items(self.text, "inputs") if inputs else ()
        known = {item.get("id") for item in held if isinstance(item, dict)}
        return tuple(item for item in inputs if item["id"] not in known)

    def check_replaceable(self) -> None:
        """Raise ScaffoldError if the file may not be written."""
        if self.data is not None and not self.target.stat().st_mode & 0o222:
            raise failure("cannot-write", self.path, PermissionError(13, os.strerror(13)))

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
            target.parent.mkdir(parents=True, exist_ok=True)
            self.clean({*known, self.sha256})
            if new is not None:
                self._write(part, new)
                os.replace(part, ready)
            if not swap(target, None if new is None else ready, old, self.sha256):
                ready.unlink(missing_ok=True)
                message, hint = "the file was saved by another program meanwhile", "run again"
                raise ScaffoldError.of("changed-meanwhile", message, self.path, hint)
            old.unlink(missing_ok=True)
        except OSError as error:
            raise failure("cannot-write", self.path, error) from error

    def keep(self, kept: str) -> None:
        """Write a copy of the file as it is. Raises ScaffoldError."""
        assert self.data is not None
        path = Path(kept)
        part = self._temporary[0]
        try:
            self._write(part, self.data)
            os.replace(part, path)
        except OSError as error:
            raise failure("cannot-write", path, error) from error

    def missing_folders(self) -> tuple[Path, ...]:
        """Return the folders that must be created for the file, innermost first."""
        return tuple(folder for folder in self.target.parents if not folder.exists())

    def free_name(self) -> Path:
        """Return a name beside the file for a copy of it."""
        count = 0
        while True:
            name = f"{self.target.name}.{_KEPT}{f'-{count}' if count else ''}"
            if not os.path.lexists(path := self.target.with_name(name)):
                return path
            count += 1

    def clean(self, known: Collection[str | None]) -> None:
        """Remove what a killed run left; what may be another program's save gets a name of its own."""
        part, *left = self._temporary
        part.unlink(missing_ok=True)
        for file in left:
            if file_hash(file) in known:
                file.unlink(missing_ok=True)
            elif os.path.lexists(file):
                os.replace(file, self.free_name())

    def _write(self, path: Path, data: bytes) -> None:
        """Write a new file with the permissions and the owner of this one. Raises OSError.

        Nobody else can read it before. If this one is not there, it is the user's only.
        """
        path.unlink(missing_ok=True)
        like = None if self.data is None else self.target.stat()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(path, flags, _PRIVATE), "wb") as file:
            if like and sys.platform != "win32" and os.geteuid() == 0:
                os.chown(path, like.st_uid, like.st_gid)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if like:
            os.chmod(path, stat.S_IMODE(like.st_mode))

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


def _as_os_error(error: OSError | RuntimeError) -> OSError:
    return error if isinstance(error, OSError) else OSError(40, "too many links")
