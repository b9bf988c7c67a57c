"""A client's file on disk: read it, and replace it without losing what others write."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.base.diagnostics import Place, ScaffoldError
from scaffold.clients.client import Client
from scaffold.clients.entry import Entry, document
from scaffold.disk.swap import save, write_like
from scaffold.disk.tree import BOM, failure, reported
from scaffold.editing.formats import Format, format_of, written
from scaffold.editing.json import Json
from scaffold.editing.text import FormatError

MAX_FILE_BYTES = 64 * 2**20
"""The maximum bytes of a file."""

_KEPT = "before-mcp-scaffold"

_PROMPTING = Json(comments=True)
"""The format of the clients that prompt for values."""


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
            status = os.stat(target)
            if not stat.S_ISREG(status.st_mode):
                raise ScaffoldError.of("unreadable-file", "it is not a file", path)
            if status.st_size > MAX_FILE_BYTES:
                message = f"the file is larger than {MAX_FILE_BYTES // 2**20} MB"
                raise ScaffoldError.of("file-too-large", message, path)
            return cls(client, path, target, target.read_bytes())
        except RuntimeError as error:
            raise failure("unreadable-file", path, OSError(40, "too many links")) from error
        except OSError as error:
            raise failure("unreadable-file", path, error) from error

    @property
    def text(self) -> str:
        """Its text without byte order mark; empty if there is no file. Raises ScaffoldError."""
        if self.client.refuses_mark and (self.data or b"").startswith(BOM):
            message = f"{self.client.name} refuses the file: it begins with a byte order mark"
            hint = "save it as UTF-8 without one"
            raise ScaffoldError.of("client-file-invalid", message, self.path, hint)
        try:
            return (self.data or b"").removeprefix(BOM).decode()
        except UnicodeDecodeError as error:
            message, hint = "the file is not UTF-8", "save it as UTF-8"
            raise ScaffoldError.of("client-file-invalid", message, self.path, hint) from error

    def _encoded(self, text: str) -> bytes:
        """Return a new text as bytes, with the byte order mark that the file has."""
        return (BOM if (self.data or b"").startswith(BOM) else b"") + text.encode()

    def entries(self) -> Mapping[str, Any]:
        """Return its entries by name. Raises ScaffoldError if it cannot be parsed."""
        with self._readable():
            return self._format.entries(self.text, self.client.root)

    def put(self, name: str, entry: Entry) -> bytes:
        """Return the file with an entry, and the inputs that it asks for. Raises ScaffoldError."""
        if self.data is None:
            return written(document(self.client, name, entry), self.client.format).encode()
        text = self.text
        with self._readable():
            for item in self.new_inputs(entry.inputs):
                text = _PROMPTING.add_item(text, "inputs", item)
            return self._encoded(self._format.put(text, self.client.root, name, entry.fields))

    def drop(self, name: str, inputs: Sequence[Mapping[str, Any]] = ()) -> bytes:
        """Return the file without an entry, and without the inputs that no other entry asks for.

        Raises ScaffoldError.
        """
        text = self.text
        with self._readable():
            text = self._format.drop(text, self.client.root, name)
            for item in inputs:
                if f"${{input:{item['id']}}}" not in text:
                    text = _PROMPTING.drop_item(text, "inputs", item)
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

    def copies(self) -> Iterator[Configuration]:
        """Yield the copies of the file beside it that we made. Raises ScaffoldError."""
        start = f"{self.target.name}.{_KEPT}"
        for path in sorted(self.target.parent.glob(f"{escape(start)}*")):
            if re.fullmatch(r"(-[0-9]+)?", path.name.removeprefix(start)):
                yield Configuration.read(path, self.client)

    def keep(self) -> None:
        """Keep a copy of the file beside it, before another program changes it. Raises ScaffoldError."""
        assert self.data is not None  # a program keeps what it will change
        copy = self._free_name()
        with reported("cannot-write", copy):
            write_like(copy, self.data, self.target)

    def replace(self, new: bytes | None, keep: bool = False) -> None:
        """Replace the file, or remove it if `new` is None; `keep` the old one beside it as a copy.

        Another program may have written it meanwhile: then nothing is changed. Raises ScaffoldError
        (`changed-meanwhile`).
        """
        save(self.path, new, self.data, self._free_name() if keep else None, mode=0o600)

    def _free_name(self) -> Path:
        """Return a name beside the file for a copy of it."""
        count = 0
        while True:
            name = f"{self.target.name}.{_KEPT}{f'-{count}' if count else ''}"
            if not os.path.lexists(path := self.target.with_name(name)):
                return path
            count += 1

    @property
    def _format(self) -> Format:
        return format_of(self.client.format)

    @contextmanager
    def _readable(self) -> Generator[None]:
        """Raise ScaffoldError for a text that cannot be parsed or edited, with the place in it."""
        try:
            yield
        except FormatError as error:
            where = Place(str(self.path), *(error.at or ()))
            message, hint = error.message, error.hint
            if self.client.format == "json" and _is_commented(self.text, self.client.root):
                message = f"{self.client.name} reads neither comments nor final commas"
                hint = "remove them"
            raise ScaffoldError.of("client-file-invalid", message, where, hint) from error


def _is_commented(text: str, root: str) -> bool:
    """Return whether a text is JSON but for comments and final commas."""
    try:
        Json(comments=True).entries(text, root)
    except FormatError:
        return False
    return True
