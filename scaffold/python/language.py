"""Python as a `Language`: what updating a project needs to know about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from scaffold.files import RelPath
from scaffold.language import Rewriter
from scaffold.python.imports import definitions, imports
from scaffold.python.packages import SUFFIX, dotted, is_source, package

__all__ = [
    "definitions",
    "dotted",
    "imports",
    "is_cache",
    "is_source",
    "module",
    "package",
    "rewriter",
]


def is_cache(folder: str) -> bool:
    """Return whether a folder of this name holds bytecode."""
    return folder == "__pycache__"


def module(path: RelPath) -> str:
    """Return the name of a module without its package."""
    return path.rpartition("/")[2].removesuffix(SUFFIX)


def rewriter(
    package: tuple[str, str],
    names: Mapping[str, str],
    modules: Mapping[RelPath, Callable[[], str | None]],
    files: Collection[RelPath],
) -> Rewriter:
    """Return a rewriter for renames in a project; see `Language.rewriter`."""
    from scaffold.python.refactor import rewriter  # slow to import, and few runs rename

    return rewriter.Rewriter(package, names, modules, files)
