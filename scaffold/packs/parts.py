"""The parts of a pack: its table, its templates and the files it copies, as bytes by their path.

Every run reads these, so this imports nothing slow. The folder is untrusted.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.files import RelPath
from scaffold.packs import builtin_packs

TABLE = "pack.toml"

COPIED = "files/"
"""The folder of a pack whose files are copied as they are, such as images."""

EXECUTABLES = "executables"
"""The part that lists the files to copy which are executable in the repository of the pack."""

RUNTIME = "runtime/"
"""The folder of a pack whose source files are copied below the pack's header, and hold no Jinja."""

_RUNTIME = re.compile(rf"(?:[^/]+/)*{RUNTIME}[^/.]+\.(?!j2$)\w+$")

Parts = Mapping[str, bytes]
"""The contents of `pack.toml`, of each template and each file to copy, by path with `/`."""

_CHOSEN = re.compile(rb'name = "pack"\r?\ncontract = \d+\r?\nextends = "([^"/:]+)"\r?\n')


def read_parts(folder: Path) -> Parts:
    """Read the parts of a pack in `folder`; empty if there is no such folder.

    Links are not followed. Raises ScaffoldError for every link, unreadable file and path that is
    not portable.
    """
    parts: dict[str, bytes] = {}
    faults: list[Diagnostic] = []
    top = os.fspath(folder)
    for path in _found(top):
        try:
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                raise OSError("it is a link")
            if not stat.S_ISREG(mode):
                raise OSError("it is not a file")
            relative = RelPath(path[len(top) + 1 :].replace(os.sep, "/"))
            with open(path, "rb", buffering=0) as file:
                parts[relative] = file.read()
        except OSError as error:
            message = f"the template cannot be read: {error.strerror or error}"
            faults.append(Diagnostic("pack-template", message, Place(path)))
        except ValueError as error:
            faults.append(Diagnostic("pack-path", str(error), Place(path)))
    if faults:
        raise ScaffoldError(faults)
    return dict(sorted(parts.items()))


@cache  # they do not change while mcp-scaffold runs
def builtin_parts() -> Parts:
    """Return the parts of all built-in packs, in the folder of each."""
    packs = builtin_packs()
    parts: dict[str, bytes] = {}
    for folder in sorted(path for path in packs.iterdir() if (path / TABLE).is_file()):
        parts |= {f"{folder.name}/{path}": data for path, data in read_parts(folder).items()}
    return dict(sorted(parts.items()))


def choosing(name: str) -> Parts:
    """Return the parts in a project that uses the built-in pack `name`."""
    return {TABLE: f'name = "pack"\ncontract = 4\nextends = "{name}"\n'.encode()}


def chosen_in(parts: Parts) -> str | None:
    """Return the name of the built-in pack that a project with these parts uses, or None."""
    match = _CHOSEN.fullmatch(parts[TABLE]) if parts.keys() == {TABLE} else None
    return match[1].decode() if match else None


def read_others(folder: Path) -> list[str]:
    """Return the paths of the files in a folder that do not belong to a pack."""
    files = (Path(parent, name) for parent, _, names in os.walk(folder) for name in names)
    return sorted(path for p in files if not is_part(path := p.relative_to(folder).as_posix()))


def is_part(path: str) -> bool:
    """Return whether a file at this path in a pack is its table, a template or a file to copy."""
    is_template = path.endswith(".j2")
    return path in (TABLE, EXECUTABLES) or is_template or is_copied(path) or is_runtime(path)


def is_copied(path: str) -> bool:
    """Return whether a file at this path in a pack is copied."""
    return path.startswith(COPIED)


def is_runtime(path: str) -> bool:
    """Return whether a file at this path in a pack is a source file of the runtime."""
    return _RUNTIME.match(path) is not None


def _found(folder: str) -> Iterator[str]:
    """Yield the parts in a folder, and each link to a folder in it.

    Paths are strings here: most runs read every part, and path objects cost more than the files.
    """
    if os.path.islink(folder):
        yield folder
        return
    for parent, folders, files in os.walk(folder):
        at = parent[len(folder) + 1 :].replace(os.sep, "/")
        paths = (os.path.join(parent, name) for name in folders)
        yield from filter(os.path.islink, paths)
        yield from (
            os.path.join(parent, name) for name in files if is_part(f"{at}/{name}" if at else name)
        )
