"""Hashes of a project's inputs, used to skip runs that would change nothing.

Most runs end here, so it imports nothing slow: no spec, no templates.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from scaffold import __version__
from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import SPEC, RelPath
from scaffold.disk.lock import Lock, read
from scaffold.disk.records import PACK, SCHEMA, SOURCE, STAGE
from scaffold.disk.tree import Tree, digest
from scaffold.disk.unchanged import unchanged
from scaffold.languages.files import CodeFiles
from scaffold.languages.registry import DEFAULT, code_files
from scaffold.packs.parts import Parts, builtin_parts, chosen_in, read_others, read_parts
from scaffold.project.pack_record import fingerprint, read_record

TEMPLATES = RelPath("templates")
"""The folder of a project's own templates, which override those of its pack."""

RESTORE = (
    f"run `git restore --source=HEAD --staged --worktree {PACK} {SOURCE}`, then make your change in "
    f"`{TEMPLATES}/`, which upgrades keep, or run `mcp-scaffold pack upgrade` if two branches did"
)
"""The hint after an edit of a pack in a project, or a merge of two upgrades."""

CHECKED = "skills/"
"""The input of a project with skills: every run checks them, as servers read them without one."""

LANGUAGE = "@language"
"""The input with the language of a project, if that is not the default: its packs say it."""

LAYOUT = "@layout"
"""The input with the hash of the options of the formatter."""

GENERATOR = "@generator"
"""The input with the requirement of this mcp-scaffold, if others can install it."""

_KEPT = (LANGUAGE, LAYOUT, GENERATOR)

Packs = Mapping[RelPath, Parts]
"""A project's packs besides the built-in ones: the parts of `TEMPLATES` and of `PACK`."""


def is_up_to_date(root: Path) -> bool:
    """Return whether a run would write nothing to the project.

    Raises ScaffoldError for a broken lock, and as `unchanged` does.
    """
    lock = read(root)
    if lock is None or CHECKED in lock.inputs or os.path.lexists(root / STAGE):
        return False
    try:
        named = [RelPath(name) for name in lock.inputs if not name.startswith("@")]
        tree = Tree(root)
        files = {path: tree.read(path) for path in named}
    except (ScaffoldError, ValueError):
        return False
    sources = {path: file.data for path, file in files.items() if file}
    inputs = fingerprints(sources, read_packs(root))
    inputs |= {name: lock.inputs[name] for name in _KEPT if name in lock.inputs}
    if read_others(root / TEMPLATES):  # a run reports each
        return False
    return unchanged(root, lock, __version__, inputs, code_files_of(lock).package)


def code_files_of(lock: Lock) -> CodeFiles:
    """Return how the code of a project is read, by its lock."""
    return code_files(lock.inputs.get(LANGUAGE, DEFAULT))


def read_packs(root: Path, team: Parts | None = None) -> Packs:
    """Read the packs in the project at `root`; `team` is the team's pack, unless it is read too.

    No parts at all mean the default pack. Raises ScaffoldError if one cannot be read, and if the
    copy of the team's pack or its record is missing (`pack-missing`) or the copy is not the one
    that was recorded (`pack-edited`).
    """
    if team is not None:
        given = {TEMPLATES: read_parts(root / TEMPLATES), PACK: team}
        return {path: parts for path, parts in given.items() if parts}
    parts = {path: read_parts(root / path) for path in (TEMPLATES, PACK)}
    record = read_record(root)
    if parts[PACK] and not record and not chosen_in(parts[PACK]):
        message = f"the pack's record is lost: `{PACK}` is there, `{SOURCE}` is not"
        hint = "restore it from version control, or run `mcp-scaffold pack upgrade --pack ADDRESS`"
        raise ScaffoldError.of("pack-missing", message, root / SOURCE, hint)
    if record and not parts[PACK]:
        message = f"the project's pack is missing: `{SOURCE}` exists, but `{PACK}` does not"
        hint = "restore it from version control, or run `mcp-scaffold pack upgrade`"
        raise ScaffoldError.of("pack-missing", message, root / PACK, hint)
    if record and record.is_edited:
        message = f"`{SOURCE}` was edited, and no longer matches `{PACK}`"
        hint = f"run `git restore {SOURCE}`, or `mcp-scaffold pack upgrade --to {record.version}`"
        raise ScaffoldError.of("pack-edited", message, root / SOURCE, hint)
    if record and fingerprint(parts[PACK]) != record.sha256:
        message = f"`{PACK}` was edited, and is no longer the pack that `{SOURCE}` records"
        raise ScaffoldError.of("pack-edited", message, root / PACK, RESTORE)
    return {path: parts for path, parts in parts.items() if parts}


def fingerprints(sources: Mapping[RelPath, bytes], packs: Packs) -> dict[str, str]:
    """Return the SHA-256 of every input that affects the files of a project.

    `sources` are the spec and the files that it names, which are served byte for byte: their line
    ends count. The names of packs begin with `@`.
    """
    texts = {
        str(path): digest(data) if path in (SPEC, SCHEMA) else hashlib.sha256(data).hexdigest()
        for path, data in sources.items()
    }
    own = {f"@{path}": fingerprint(parts) for path, parts in packs.items()}
    return texts | own | {"@mcp-scaffold": _builtin_fingerprint()}


@cache
def _builtin_fingerprint() -> str:
    return fingerprint(builtin_parts())
