"""Python modules in a project: their paths, what they define, and what they import.

The part of a language that `disk/` needs; see `scaffold.languages.language.Language`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from scaffold.base.files import RelPath
from scaffold.languages.language import Rewriter

SUFFIX = ".py"

ENTRY_POINT = "__main__.py"
"""The file of a package that starts it."""

_DEFINED = re.compile(r"^(?:class|def|async def) (\w+)|^(\w+) *[:=(]", re.MULTILINE)


def is_source(path: str) -> bool:
    """Return whether a file is a Python module."""
    return path.endswith(SUFFIX)


def package(path: RelPath) -> RelPath | None:
    """Return a module's path as a package: `search/__init__.py` for `search.py`."""
    return RelPath(f"{path[: -len(SUFFIX)]}/__init__.py") if is_source(path) else None


class Import(NamedTuple):
    """A name that code imports from a module, and the line; `name` is empty for a whole module."""

    module: str
    name: str
    line: int


def rewriter(
    package: tuple[str, str],
    names: Mapping[str, str],
    modules: Collection[RelPath],
    files: Collection[RelPath],
) -> Rewriter:
    """Return a rewriter for renames in a project; see `Language.rewriter`."""
    from scaffold.languages.python.refactor import rewriter  # slow to import, and few runs rename

    return rewriter.Rewriter(package, names, modules, files)


def definitions(text: bytes) -> frozenset[str]:
    """Return the top-level names that a generated module defines."""
    found = _DEFINED.findall(text.decode("utf-8", "replace").replace("\r\n", "\n"))
    return frozenset(one or other for one, other in found)


def imports(text: str, path: str = "") -> Iterator[Import]:
    """Yield all imports of a module, nested ones too; none if it does not parse.

    Relative imports become absolute ones of the folder that `path` begins with.
    """
    tree = _parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.ImportFrom):
            above = path.split("/")[: -node.level] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield from (Import(module, one.name, one.lineno) for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (Import(one.name, "", one.lineno) for one in node.names)


def _parsed(text: str | bytes) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
