"""Read the files of a project by path, without following links."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import RelPath

BOM = b"\xef\xbb\xbf"


def digest(data: bytes) -> str:
    """Return the SHA-256 of a text file's bytes, ignoring a BOM and the kind of line ends."""
    return hashlib.sha256(data.removeprefix(BOM).replace(b"\r\n", b"\n")).hexdigest()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as found: its bytes and its permission bits."""

    data: bytes
    mode: int

    @property
    def sha256(self) -> str:
        """The hash of the text, line ends folded; see `digest`."""
        return digest(self.data)

    def text(self) -> str | None:
        """Return the text without BOM and with `\\n` for `\\r\\n`; None if it is not UTF-8.

        Mixed line ends are kept: a merge must not change the user's.
        """
        try:
            text = self.data.removeprefix(BOM).decode()
        except UnicodeDecodeError:
            return None
        return text.replace("\r\n", "\n") if self._crlf else text

    def encode(self, text: str) -> bytes:
        """Encode a new text for this file, with the BOM and the line ends that the file has."""
        data = text.encode()
        if self._crlf:
            data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        return BOM + data if self.data.startswith(BOM) else data

    @property
    def _crlf(self) -> bool:
        ends = self.data.count(b"\n")
        return ends > 0 and self.data.count(b"\r\n") == ends


class Tree:
    """A project's folder, read path by path without leaving it.

    Raises ScaffoldError if a path, or a folder above it, is a symbolic link or has the wrong type.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: set[RelPath] = set()

    def read(self, path: RelPath) -> Snapshot | None:
        """Return the file at the path; None if there is none."""
        file, mode = self.root / path, self.mode(path)
        try:
            return None if mode is None else Snapshot(file.read_bytes(), mode)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ScaffoldError([failure("unreadable-file", file, error)]) from error

    def mode(self, path: RelPath) -> int | None:
        """Return the permission bits of the file at the path; None if there is none."""
        if not self._reachable(path):
            return None
        try:
            mode = os.lstat(self.root / path).st_mode
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ScaffoldError([failure("unreadable-file", self.root / path, error)]) from error
        if not stat.S_ISREG(mode):
            raise ScaffoldError([_in_the_way(self.root, path, mode, "a file")])
        return stat.S_IMODE(mode)

    def _reachable(self, path: RelPath) -> bool:
        for folder in path.folders:
            if folder in self._folders:
                continue
            try:
                mode = os.lstat(self.root / folder).st_mode
            except (FileNotFoundError, NotADirectoryError):  # the latter if the root is a file
                return False
            except OSError as error:
                raise ScaffoldError(
                    [failure("unreadable-file", self.root / folder, error)]
                ) from error
            if not stat.S_ISDIR(mode):
                raise ScaffoldError([_in_the_way(self.root, folder, mode, "a folder")])
            self._folders.add(folder)
        return True


def is_replaced(root: Path, path: RelPath, by: RelPath | None) -> bool:
    """Return whether a file is gone and `by` exists instead."""
    return by is not None and not (root / path).exists() and (root / by).is_file()


def failure(id: str, file: Path, error: OSError) -> Diagnostic:
    """Return the diagnostic for an error of the operating system."""
    what = file.name or "the project"
    return Diagnostic(id, f"{what}: {error.strerror or error}", Place(str(file)))


def _in_the_way(root: Path, path: RelPath, mode: int, expected: str) -> Diagnostic:
    place = Place(str(root / path))
    if stat.S_ISLNK(mode):
        return Diagnostic(
            "symlink",
            f"`{path}` is a symbolic link, where {expected} of the project must be",
            place,
            hint=f"put {expected} in its place: links are never followed",
        )
    kind = (
        "a folder" if stat.S_ISDIR(mode) else "a file" if stat.S_ISREG(mode) else "a special file"
    )
    return Diagnostic(
        "in-the-way",
        f"`{path}` is {kind}, where {expected} of the project must be",
        place,
        hint="move it away",
    )
