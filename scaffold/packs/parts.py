"""The parts of a pack: its table and templates, as bytes by their path.

Every run reads these, so this imports nothing slow. The folder is untrusted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import RelPath

TABLE = "pack.toml"

Parts = Mapping[str, bytes]
"""The contents of `pack.toml` and of each template, by path with `/`, in path order."""

MOST = 2000
"""Files in a pack; the built-in one has forty."""

LARGEST = 16 * 2**20
"""Bytes in all files of a pack."""


def read_parts(folder: Path) -> Parts:
    """Read the parts of a pack in `folder`; empty if there is no such folder.

    Links are not followed. Raises ScaffoldError for every link, unreadable file and path that is
    not portable, and if the pack is too large.
    """
    parts: dict[str, bytes] = {}
    faults: list[Diagnostic] = []
    total = 0
    for path in _found(folder):
        try:
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                raise OSError("it is a link")
            if not stat.S_ISREG(status.st_mode):
                raise OSError("it is not a file")
            total += status.st_size
            if len(parts) == MOST or total > LARGEST:
                raise ScaffoldError([oversized(folder)])
            parts[RelPath(path.relative_to(folder).as_posix())] = path.read_bytes()
        except OSError as error:
            message = f"the template cannot be read: {error.strerror or error}"
            faults.append(Diagnostic("pack-template", message, Place(str(path))))
        except ValueError as error:
            faults.append(Diagnostic("pack-path", str(error), Place(str(path))))
    if faults:
        raise ScaffoldError(faults)
    return dict(sorted(parts.items()))


def oversized(place: Path | str) -> Diagnostic:
    """Return the diagnostic for a pack that is too large."""
    message = f"the pack has more than {MOST} files or {LARGEST // 2**20} MB"
    return Diagnostic("pack-size", message, Place(str(place)))


def _found(folder: Path) -> Iterator[Path]:
    """Yield the parts in a folder, and each link to a folder in it."""
    if folder.is_symlink():
        yield folder
        return
    for parent, folders, files in os.walk(folder):
        inside = Path(parent)
        yield from (inside / name for name in folders if (inside / name).is_symlink())
        yield from (inside / name for name in files if name == TABLE or name.endswith(".j2"))
