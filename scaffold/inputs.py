"""Hashes of a project's inputs, used to skip runs that would change nothing.

Most runs end here, so it imports nothing slow: no spec, no templates.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from scaffold import __version__
from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.lock import read
from scaffold.disk.records import PACK, SOURCE, STAGE
from scaffold.disk.tree import Tree, digest
from scaffold.disk.unchanged import unchanged
from scaffold.files import SPEC, RelPath
from scaffold.packs import builtin_packs
from scaffold.packs.parts import Parts, read_parts
from scaffold.python.packages import package

TEMPLATES = RelPath("templates")
"""The folder of a project's own templates, which override those of its pack."""


Packs = Mapping[RelPath, Parts]
"""A project's packs besides the built-in ones: the parts of `TEMPLATES` and of `PACK`."""


def is_up_to_date(root: Path) -> bool:
    """Return whether a run would write nothing to the project.

    Raises ScaffoldError for a broken lock, and as `unchanged` does.
    """
    lock = read(root)
    if lock is None or os.path.lexists(root / STAGE):
        return False
    try:
        named = [RelPath(name) for name in lock.inputs if not name.startswith("@")]
        tree = Tree(root)
        found = {path: tree.read(path) for path in named}
    except (ScaffoldError, ValueError):
        return False
    sources = {path: file.data for path, file in found.items() if file}
    return unchanged(root, lock, __version__, fingerprints(sources, read_packs(root)), package)


def read_packs(root: Path) -> Packs:
    """Read the packs in the project at `root`. Raises ScaffoldError if one cannot be read."""
    found = {path: read_parts(root / path) for path in (TEMPLATES, PACK)}
    if not found[PACK] and (root / SOURCE).exists():
        message = f"the project's pack is lost: `{SOURCE}` is there, `{PACK}` is not"
        hint = "restore it from version control, or run `mcp-scaffold pack upgrade`"
        raise ScaffoldError([Diagnostic("pack-missing", message, Place(str(root / PACK)), hint)])
    return {path: parts for path, parts in found.items() if parts}


def fingerprints(sources: Mapping[RelPath, bytes], packs: Packs) -> dict[str, str]:
    """Return the SHA-256 of every input that affects the files of a project.

    `sources` are the spec and the files that it names, which are served byte for byte: their line
    ends count. The names of packs begin with `@`.
    """
    texts = {
        str(path): digest(data) if path == SPEC else hashlib.sha256(data).hexdigest()
        for path, data in sources.items()
    }
    own = {f"@{path}": fingerprint(parts) for path, parts in packs.items()}
    return texts | own | {"@mcp-scaffold": fingerprint(read_parts(builtin_packs()))}


def fingerprint(parts: Parts) -> str:
    """Return the SHA-256 of a pack: its table and templates, by path, line ends folded."""
    whole = hashlib.sha256()
    for path, data in sorted(parts.items()):
        whole.update(f"{path}\n{digest(data)}\n".encode())
    return whole.hexdigest()
