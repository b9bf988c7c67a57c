"""Paths of Python modules, and of packages that people make of them."""

from __future__ import annotations

from scaffold.files import RelPath

SUFFIX = ".py"


def is_source(path: str) -> bool:
    """Whether a file is a Python module."""
    return path.endswith(SUFFIX)


def package(path: RelPath) -> RelPath | None:
    """Return where a module's code is if it is a package: `search/__init__.py` for `search.py`."""
    return RelPath(f"{path[: -len(SUFFIX)]}/__init__.py") if is_source(path) else None
