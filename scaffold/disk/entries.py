"""Merge a file by its path: in JSON, TOML and a Dockerfile, each line is an entry of its own."""

from __future__ import annotations

import json
import tomllib

from scaffold.disk.merge import Merged, merge
from scaffold.files import RelPath


def merged(path: RelPath, base: str, ours: str, theirs: str) -> Merged:
    """Merge two edits of a file as `merge` does, with edits of adjacent entries side by side.

    They conflict nevertheless if the file would not be valid any more, as with a missing comma.
    """
    if path.endswith((".json", ".toml")) or path.rpartition("/")[2] == "Dockerfile":
        found = merge(base, ours, theirs, entries=True)
        if found.conflicts or _is_valid(path, found.text):
            return found
    return merge(base, ours, theirs)


def _is_valid(path: RelPath, text: str) -> bool:
    try:
        if path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".toml"):
            tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
