"""Python modules in a project: their paths, what they define, and what they import.

See `scaffold.languages.files.CodeFiles`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from scaffold.base.files import RelPath
from scaffold.languages.files import Import, Rewriter

SUFFIX = ".py"

ENTRY_POINT = "__main__.py"
"""The file of a package that starts it."""

_DEFINED = re.compile(r"^(?:class|def|async def) (\w+)|^(\w+(?:, \w+)*) *[:=(]", re.MULTILINE)


def is_source(path: str) -> bool:
    """Return whether a file is a Python module."""
    return path.endswith(SUFFIX)


def package(path: RelPath) -> RelPath | None:
    """Return a module's path as a package: `search/__init__.py` for `search.py`."""
    return RelPath(f"{path[: -len(SUFFIX)]}/__init__.py") if is_source(path) else None


def rewriter(
    package: tuple[str, str],
    names: Mapping[str, str],
    modules: Collection[RelPath],
    files: Collection[RelPath],
) -> Rewriter:
    """Return a rewriter for renames in a project; see `CodeFiles.rewriter`."""
    from scaffold.languages.python.refactor import rewriter  # slow to import, and few runs rename

    return rewriter.Rewriter(package, names, modules, files)


def definitions(text: bytes) -> frozenset[str]:
    """Return the top-level names that a generated module defines."""
    matches = _DEFINED.findall(text.decode("utf-8", "replace").replace("\r\n", "\n"))
    return frozenset(
        name for defined, assigned in matches for name in (defined or assigned).split(", ")
    )


def imports(text: str, path: str = "") -> Iterator[Import]:
    """Yield all imports of a module, nested ones too; none if it does not parse.

    Relative imports become absolute ones of the folder that `path` begins with.
    """
    tree = _parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.ImportFrom):
            above = path.split("/")[: -node.level] if node.level else []
            module = "/".join([*above, *(node.module or "").split(".")]).rstrip("/")
            yield from (Import(module, alias.name, alias.lineno) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (Import(_path(alias.name), "", alias.lineno) for alias in node.names)


def _path(module: str) -> str:
    return module.replace(".", "/")


def _parsed(text: str | bytes) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
