"""Handlers that their users have made a package of: `search/__init__.py` for `search.py`."""

from __future__ import annotations

from pathlib import Path

from scaffold.files import RelPath


def package(path: RelPath) -> RelPath | None:
    """Return where the code of a Python module lies if that is a package."""
    return RelPath(f"{path[:-3]}/__init__.py") if path.endswith(".py") else None


def is_package(root: Path, path: RelPath) -> bool:
    """Whether a package lies in the place of a Python module."""
    inside = package(path)
    return inside is not None and not (root / path).exists() and (root / inside).is_file()
