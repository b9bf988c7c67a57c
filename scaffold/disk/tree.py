"""Read the files of a project by path, without following links, and inspect their text."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.files import RelPath

BOM = b"\xef\xbb\xbf"

_CONFLICT = re.compile(rb"^<{7,} [^\n]+$.*?^>{7,} [^\n]+$", re.MULTILINE | re.DOTALL)


def digest(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes; of a text, ignoring a BOM and the kind of line ends."""
    if is_binary(data):
        return hashlib.sha256(data).hexdigest()
    return hashlib.sha256(data.removeprefix(BOM).replace(b"\r\n", b"\n")).hexdigest()


def is_binary(data: bytes) -> bool:
    """Return whether a file is binary: it has a NUL byte, as in git, and is not UTF-8."""
    if b"\0" not in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def folded(data: bytes) -> str:
    """Return a file as text for comparison: without a BOM, line ends folded, UTF-8 or not."""
    return data.removeprefix(BOM).decode(errors="replace").replace("\r\n", "\n")


def has_markers(text: bytes) -> bool:
    """Return whether a file still holds conflict markers, ours or git's."""
    return _CONFLICT.search(text) is not None


def marked_line(text: bytes) -> int | None:
    """Return the first line, from 0, of a conflict in a file; None if there is none."""
    match = _CONFLICT.search(text)
    return text.count(b"\n", 0, match.start()) if match else None


HAS_MODES = os.name == "posix"
"""Whether the system has an executable bit for files."""


class Snapshot(Struct, frozen=True):
    """The bytes and the permission bits of a file."""

    data: bytes
    mode: int

    @property
    def sha256(self) -> str:
        """The hash of the text, line ends folded; see `digest`."""
        return digest(self.data)

    @property
    def is_executable(self) -> bool:
        """Whether its owner may execute the file."""
        return bool(self.mode & stat.S_IXUSR)

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


class Folder(Struct, frozen=True):
    """A folder that moves, with its contents."""

    source: RelPath
    target: RelPath


def along(path: RelPath, folders: Iterable[Folder]) -> RelPath:
    """Return where a path is once these folders have moved, one after the other."""
    for folder in folders:
        if is_within(path, folder.source):
            path = RelPath(folder.target + path[len(folder.source) :])
    return path


def back(path: RelPath, folders: Sequence[Folder]) -> RelPath:
    """Return where a path was before these folders moved."""
    return along(path, [Folder(folder.target, folder.source) for folder in reversed(folders)])


def is_within(path: str, folder: str) -> bool:
    """Return whether a path is a folder, or in it."""
    return path == folder or path.startswith(f"{folder}/")


class Tree:
    """A project's folder, read path by path without leaving it.

    It is read as it will be once the folders in `moving` have moved. Raises ScaffoldError if a path,
    or a folder above it, is a symbolic link or has the wrong type.
    """

    def __init__(self, root: Path, moving: Sequence[Folder] = ()) -> None:
        self.root, self.moving = root, moving
        self._prefix = os.path.join(root, "")  # ten times faster than joining paths
        self._folders: set[str] = set()

    def read(self, path: RelPath, or_link: bool = False) -> Snapshot | None:
        """Return the file at the path; None if there is none, or a link that may be there."""
        mode = self.mode(path, or_link)
        if mode is None:
            return None
        path = self.present(path)
        try:
            with open(self._prefix + path, "rb", buffering=0) as file:
                return Snapshot(file.read(), mode)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise failure("unreadable-file", self.root / path, error) from error

    def present(self, path: RelPath) -> RelPath:
        """Return where the file is until the folders have moved."""
        return back(path, self.moving)

    def exists(self, path: RelPath) -> bool:
        """Return whether there is anything at the path."""
        there = self.present(path)
        return along(there, self.moving) == path and os.path.lexists(self._prefix + there)

    def mode(self, path: RelPath, or_link: bool = False) -> int | None:
        """Return the permission bits of the file at the path; None as in `read`."""
        if self.moving and not self.exists(path):
            return None
        path = self.present(path)
        parent = path.rpartition("/")[0]
        for folder in () if parent in self._folders else path.folders:
            if folder in self._folders:
                continue
            mode = self._lstat(folder)
            if mode is None:
                return None
            if not stat.S_ISDIR(mode):
                raise _in_the_way(self.root, folder, mode, "a directory")
            self._folders.add(folder)
        mode = self._lstat(path)
        if mode is None or (or_link and stat.S_ISLNK(mode)):
            return None
        if not stat.S_ISREG(mode):
            raise _in_the_way(self.root, path, mode, "a file")
        return stat.S_IMODE(mode)

    def _lstat(self, path: RelPath) -> int | None:
        try:
            return os.lstat(self._prefix + path).st_mode
        except (FileNotFoundError, NotADirectoryError):  # the latter if the root is a file
            return None
        except OSError as error:
            raise failure("unreadable-file", self.root / path, error) from error


def is_replaced(tree: Tree, path: RelPath, package: Callable[[RelPath], RelPath | None]) -> bool:
    """Return whether a file is gone and a package exists instead; see `CodeFiles.package`."""
    by = package(path)
    return by is not None and not tree.exists(path) and tree.mode(by) is not None


def failure(id: str, file: Path, error: OSError) -> ScaffoldError:
    """Return the ScaffoldError for an error of the operating system."""
    return ScaffoldError.of(id, f"{file.name or 'the project'}: {error.strerror or error}", file)


@contextmanager
def reported(id: str, file: Path) -> Iterator[None]:
    """Raise the ScaffoldError about `file` for an error of the operating system in the block."""
    try:
        yield
    except OSError as error:
        raise failure(id, file, error) from error


def changed(path: str, root: Path) -> Diagnostic:
    """Return the diagnostic for a file that has changed since it was read."""
    message = f"`{path}` changed during the run"
    place = Place(str(root / path))
    return Diagnostic("changed-meanwhile", message, place, "run again; nothing was written")


def _in_the_way(root: Path, path: RelPath, mode: int, expected: str) -> ScaffoldError:
    """Return the error for a path at which there is something else than the project needs."""
    id, kind, hint = "in-the-way", "a special file", "move it away"
    if stat.S_ISLNK(mode):
        id, kind = "symlink", "a symbolic link"
        hint = f"replace it with {expected}: symbolic links are never followed"
    elif stat.S_ISDIR(mode):
        kind = "a directory"
    elif stat.S_ISREG(mode):
        kind = "a file"
    return ScaffoldError.of(id, f"`{path}` is {kind}, but must be {expected}", root / path, hint)
