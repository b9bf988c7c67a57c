"""Python as a `Language`: what updating a project needs to know about it."""

from __future__ import annotations

from scaffold.files import RelPath
from scaffold.python.imports import definitions, functions, imports
from scaffold.python.packages import SUFFIX, is_source, package
from scaffold.python.refactor.rewriter import rewriter
from scaffold.python.reformatted import is_reformatted

__all__ = [
    "definitions",
    "functions",
    "imports",
    "is_cache",
    "is_reformatted",
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
