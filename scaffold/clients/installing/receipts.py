"""Receipts: what was installed where, so that it can be removed the way it came.

They are in the user's state folder, since they hold paths of this machine. They hold no values of
variables.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, to_builtins

from scaffold.clients.places import absolute
from scaffold.diagnostics import ScaffoldError
from scaffold.disk.tree import failure

_PATIENCE = 30
"""How many seconds to wait for another run."""


class Receipt(Struct, frozen=True):
    """One entry that was installed.

    `means` are `command`, `project` or `file`. `path` is the client's file. `before` is the SHA-256
    of the old file, None if there was none, and `kept` is its copy. `after` is the SHA-256 of the file
    with the entry, None if the file without it is not the old one. `folders` were created for the
    file. `inputs` were added for the client to prompt for. `when` is the time. `entries` are hashes of
    the entries that we wrote; a killed run leaves one of two.
    """

    client: str
    server: str
    project: str
    scope: str
    path: str
    entries: tuple[str, ...]
    means: str = "file"
    transport: str = ""
    before: str | None = None
    after: str | None = None
    kept: str | None = None
    folders: tuple[str, ...] = ()
    inputs: tuple[Mapping[str, Any], ...] = ()
    when: str = ""

    @property
    def date(self) -> str:
        """The day of the installation."""
        return self.when[:10]

    @property
    def name(self) -> str:
        """The name of its file: one for each client, server and file."""
        key = json.dumps((self.client, self.server, self.project, self.path))
        return f"{self.client}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"

    def is_for(self, client: str, project: Path) -> bool:
        """Return whether the server of a project was installed into a client."""
        return (self.client, self.project) == (client, str(project))

    def wrote(self, entry: object) -> bool:
        """Return whether an entry is one that we wrote, unchanged."""
        return entry_hash(entry) in self.entries


def entry_hash(entry: object) -> str:
    """Return a hash of an entry's data, whatever its layout in the file."""
    text = json.dumps(entry, sort_keys=True, default=str)  # YAML and TOML have dates
    return hashlib.sha256(text.encode()).hexdigest()


class Store(Struct, frozen=True):
    """The folder of receipts."""

    folder: Path

    @classmethod
    def default(cls) -> Store:
        """Return the store of the user. Raises ScaffoldError if its path is not absolute."""
        from platformdirs import user_state_path  # only these commands need it

        folder = user_state_path("mcp-scaffold", appauthor=False) / "clients"
        return cls(Path(absolute(str(folder), "the folder of receipts")))

    def all(self) -> tuple[Receipt, ...]:
        """Return all receipts. Raises ScaffoldError (`receipt-broken`) for one that is damaged."""
        try:
            files = sorted(self.folder.glob("*.json"))
        except OSError as error:
            raise failure("unreadable-file", self.folder, error) from error
        return tuple(map(_read, files))

    def of(self, client: str, project: Path, server: str | None = None) -> tuple[Receipt, ...]:
        """Return the receipts of a project for a client, the last first; those of a name if given.

        A server that was renamed still has those of its old name.
        """
        found = (r for r in self.all() if r.is_for(client, project))
        named = (r for r in found if server in (None, r.server))
        return tuple(sorted(named, key=lambda receipt: receipt.when, reverse=True))

    def on(self, path: Path, server: str) -> tuple[Receipt, ...]:
        """Return the receipts for an entry in a file: several clients or projects may have one."""
        return tuple(r for r in self.all() if (r.path, r.server) == (str(path), server))

    def write(self, receipt: Receipt) -> None:
        """Write a receipt, atomically. Raises ScaffoldError."""
        text = json.dumps(to_builtins(receipt), indent=2, ensure_ascii=False) + "\n"
        file, new = self.folder / receipt.name, self.folder / f"{receipt.name}.new"
        try:
            self._create()
            new.write_text(text, "utf-8")
            os.replace(new, file)
        except OSError as error:
            raise failure("cannot-write", file, error) from error

    def forget(self, receipt: Receipt) -> None:
        """Remove a receipt."""
        (self.folder / receipt.name).unlink(missing_ok=True)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Let only one run at a time change the files of clients. Raises ScaffoldError (`busy`)."""
        from filelock import FileLock, Timeout

        try:
            self._create()
            hold = FileLock(self.folder / "lock")
            hold.acquire(timeout=_PATIENCE)
        except Timeout as error:
            message = "another run is changing the configuration of clients"
            raise ScaffoldError.of("busy", message, self.folder) from error
        except OSError as error:
            raise failure("cannot-write", self.folder, error) from error
        try:
            yield
        finally:
            hold.release()

    def _create(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _read(file: Path) -> Receipt:
    """Return the receipt in a file. Raises ScaffoldError (`receipt-broken`)."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Receipt)
    except (OSError, ValueError, RecursionError) as error:
        message, hint = "the receipt of an installed server is damaged", "delete it"
        raise ScaffoldError.of("receipt-broken", message, file, hint) from error
