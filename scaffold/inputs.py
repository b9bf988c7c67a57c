"""What a project is made from, as hashes: enough to tell whether anything has changed.

This answers most runs, so it imports nothing that takes time: no spec, no templates.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from scaffold import __version__
from scaffold.disk.lock import Lock, read
from scaffold.disk.tree import digest
from scaffold.disk.unchanged import unchanged
from scaffold.files import RelPath
from scaffold.render import builtin_packs

TEMPLATES = RelPath("templates")
"""Where a project keeps templates of its own, which win over those of its pack."""

PACK = RelPath(".scaffold/pack")
"""Where a project keeps the pack of its team."""


def settled(root: Path) -> Lock | None:
    """The lock of the project, if a run would write nothing; else None.

    Raises ScaffoldError as `unchanged` does.
    """
    lock = read(root)
    if lock is None:
        return None
    try:
        named = [RelPath(name) for name in lock.inputs if not name.startswith("@")]
        sources = {path: (root / path).read_bytes() for path in named}
    except (OSError, ValueError):
        return None
    return unchanged(root, __version__, fingerprints(sources, root))


def fingerprints(sources: Mapping[RelPath, bytes], root: Path | None) -> dict[str, str]:
    """The SHA-256 of everything that decides what the files of the project at `root` hold.

    `sources` are the spec and the files that it names; the packs are named with an `@`.
    """
    packs = {"@mcp-scaffold": builtin_packs()}
    if root is not None:
        packs |= {f"@{path}": root / path for path in (TEMPLATES, PACK) if (root / path).is_dir()}
    texts = {str(path): digest(data) for path, data in sources.items()}
    return texts | {name: _folder(folder) for name, folder in packs.items()}


def _folder(folder: Path) -> str:
    """The hash of the packs in a folder: their tables and templates, by path."""
    whole = hashlib.sha256()
    for path in _parts(folder):
        whole.update(f"{path.relative_to(folder).as_posix()}\n".encode())
        whole.update(f"{digest(path.read_bytes())}\n".encode())
    return whole.hexdigest()


def _parts(folder: Path) -> Iterator[Path]:
    yield from sorted(p for p in folder.rglob("*") if p.suffix == ".j2" or p.name == "pack.toml")
