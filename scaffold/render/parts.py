"""A pack's folder into its parts: the table and the templates, as bytes by their path.

This is read on every run, so it imports nothing that takes time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError

TABLE = "pack.toml"

Parts = Mapping[str, bytes]
"""The contents of `pack.toml` and of each template, by path with `/`, in path order."""


def read_parts(folder: Path) -> Parts:
    """Read what is a pack in `folder`; nothing where there is no such folder.

    Links are not followed. Raises ScaffoldError for each, and for each file that cannot be read.
    """
    parts: dict[str, bytes] = {}
    faults: list[Diagnostic] = []
    for path in _found(folder):
        try:
            if path.is_symlink():
                raise OSError("it is a link")
            if not path.is_dir():
                parts[path.relative_to(folder).as_posix()] = path.read_bytes()
        except OSError as error:
            message = f"the template cannot be read: {error.strerror or error}"
            faults.append(Diagnostic("pack-template", message, Place(str(path))))
    if faults:
        raise ScaffoldError(faults)
    return dict(sorted(parts.items()))


def _found(folder: Path) -> Iterator[Path]:
    """The parts in a folder, and what of its folders is a link."""
    if folder.is_symlink():
        yield folder
        return
    for parent, folders, files in os.walk(folder):
        inside = Path(parent)
        yield from (inside / name for name in folders if (inside / name).is_symlink())
        yield from (inside / name for name in files if name == TABLE or name.endswith(".j2"))
