"""Paths of Python modules and of packages that replace them."""

from __future__ import annotations

from scaffold.files import RelPath

SUFFIX = ".py"


def is_source(path: str) -> bool:
    """Return whether a file is a Python module."""
    return path.endswith(SUFFIX)


def package(path: RelPath) -> RelPath | None:
    """Return a module's path as a package: `search/__init__.py` for `search.py`."""
    return RelPath(f"{path[: -len(SUFFIX)]}/__init__.py") if is_source(path) else None


def dotted(path: str, package: str) -> str:
    """Return the dotted name of a module in a package: `blog.tools.search`."""
    folders, _, inside = f"/{path.removesuffix(SUFFIX)}".partition(f"/{package}/")
    return f"{package}.{inside}".replace("/", ".") if inside else folders[1:].replace("/", ".")
