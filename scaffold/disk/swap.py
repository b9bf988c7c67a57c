"""Replace a file without losing a save that happens at the same moment.

An editor may save between the last check of a file and its replacement. Linux and macOS can
exchange two files atomically: the old file is then compared with the expected one, and put back if
it differs. Elsewhere a second link to the old file is compared, so a save by rename can still be
lost in the instant between two system calls.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from scaffold.base.diagnostics import ScaffoldError
from scaffold.disk.tree import reported

_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_HERE = -100  # AT_FDCWD: paths are relative to the working directory
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2), RENAME_SWAP of renamex_np(2)


def swap(target: Path, new: Path | None, out: Path, expected: str | None) -> bool:
    """Put the file `new` at `target` and keep the old one at `out`; None means no file.

    Returns False, with the saved version at `target`, unless its bytes had the SHA-256 `was`.
    Raises OSError if the system refuses.
    """
    if new is None:
        return _removed(target, out, expected)
    if expected is None:
        return _added(target, new)
    ours = file_hash(new)
    try:
        _exchange(new, target)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        return _replaced(target, new, out, expected)
    came = file_hash(new)
    if came == expected:
        os.replace(new, out)
        return True
    placed = ours
    while True:  # exchange again, until we get our own file back
        given = came
        _exchange(new, target)
        came = file_hash(new)
        if came == placed:
            return False
        placed = given


def save(
    path: Path,
    data: bytes | None,
    before: bytes | None,
    kept: Path | None = None,
    mode: int = 0o666,
) -> None:
    """Write `data` to a file that held the bytes `before`; None means that there is no file.

    A link stays a link to the same file. The old file is kept at `kept`, if that is given. A new
    one gets the `mode`, less the umask. Raises ScaffoldError.
    """
    if before == data:
        return
    target = path.resolve()
    expected = None if before is None else hashlib.sha256(before).hexdigest()
    known = {expected, None if data is None else hashlib.sha256(data).hexdigest()}
    with reported("cannot-write", path):
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        new, old = folder / "new", folder / "old"
        is_written = False
        try:
            if data is not None:
                write_like(new, data, None if before is None else target, mode)
            is_written = True
            if not swap(target, None if data is None else new, kept or old, expected):
                message, hint = "the file was saved by another program meanwhile", "run again"
                raise ScaffoldError.of("changed-meanwhile", message, path, hint)
        finally:  # What another program has saved stays, if a run is interrupted here.
            for file in (new, old):
                if not is_written or file_hash(file) in known:
                    file.unlink(missing_ok=True)
            with suppress(OSError):
                folder.rmdir()


def write_like(path: Path, data: bytes, like: Path | None, mode: int = 0o600) -> None:
    """Create a file with the permissions and the owner of the file `like`, or with `mode`.

    Until it has them, only the current user can read it. Raises OSError.
    """
    status = like.stat() if like else None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o600 if status else mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if status:
        if sys.platform != "win32" and os.geteuid() == 0:
            os.chown(path, status.st_uid, status.st_gid)
        path.chmod(stat.S_IMODE(status.st_mode))


def file_hash(file: Path) -> str | None:
    """Return the SHA-256 of a file: None if it does not exist, "" if it is not a regular file."""
    try:
        if not stat.S_ISREG(os.lstat(file).st_mode):
            return ""
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _added(target: Path, new: Path) -> bool:
    try:
        os.link(new, target)
    except FileExistsError:
        return False
    except OSError:  # no hard links here, or `rename` fails too
        if os.path.lexists(target):
            return False
        os.rename(new, target)
        return True
    os.unlink(new)
    return True


def _removed(target: Path, out: Path, expected: str | None) -> bool:
    try:
        os.replace(target, out)
    except FileNotFoundError:
        return expected is None
    if file_hash(out) == expected:
        return True
    _added(target, out)
    return False


def _replaced(target: Path, new: Path, out: Path, expected: str) -> bool:
    """Replace without an exchange: a second link reveals a save in place."""
    out.unlink(missing_ok=True)
    try:
        os.link(target, out)
    except FileNotFoundError:
        return False
    except OSError:
        shutil.copy2(target, out, follow_symlinks=False)
    if file_hash(out) != expected:
        os.unlink(out)
        return False
    os.replace(new, target)
    if file_hash(out) == expected:
        return True
    os.replace(out, target)
    return False


def _exchange(a: Path, b: Path) -> None:
    """Exchange two files atomically. Raises OSError (ENOSYS) if the system cannot."""
    call = _system_call()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    sys.audit("os.rename", str(a), str(b), -1, -1)  # like `os.rename`
    if call(os.fsencode(a), os.fsencode(b)):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(a), None, str(b))


@cache
def _system_call() -> Callable[[bytes, bytes], int] | None:
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            renamex = library.renamex_np
            return lambda a, b: int(renamex(a, b, ctypes.c_uint(_EXCHANGE)))
        if sys.platform == "linux":
            rename = library.renameat2
            return lambda a, b: int(rename(_HERE, a, _HERE, b, ctypes.c_uint(_EXCHANGE)))
    except (OSError, AttributeError):  # no C library, or an old one
        return None
    return None
