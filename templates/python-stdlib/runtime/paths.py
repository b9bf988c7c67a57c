"""Paths that come from clients, joined to a folder that they must not leave."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class PathEscapeError(ValueError):
    """A path leads out of its folder."""


def safe_join(base: str | Path, *parts: str) -> Path:
    """Return the path of a file in a folder, links followed. Raises PathEscapeError."""
    from pathlib import Path  # Takes long to import.

    folder = Path(base).resolve()
    for part in parts:
        if "\0" in part or re.match(r"[/\\]|[a-zA-Z]:", part):
            raise PathEscapeError(f"not a path in the folder: {part!r}")
    path = folder.joinpath(*parts).resolve()
    if not path.is_relative_to(folder):
        raise PathEscapeError(f"{path} is not in {folder}")
    return path
