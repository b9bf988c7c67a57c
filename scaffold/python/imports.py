"""Find the definitions and imports of a Python module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from scaffold.language import Import

_DEFINED = re.compile(r"^(?:class|def|async def) (\w+)|^(\w+) *[:=(]", re.MULTILINE)


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
