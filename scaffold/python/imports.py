"""What a Python module defines, and what it imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from scaffold.language import Import

_DEFINED = re.compile(r"^(?:class|def|async def) (\w+)|^(\w+) *[:=(]", re.MULTILINE)


def functions(text: bytes) -> frozenset[str]:
    """Return the functions at the top of a module; none if it does not parse."""
    tree = _parsed(text)
    body = tree.body if tree else ()
    return frozenset(
        one.name for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def definitions(text: bytes) -> frozenset[str]:
    """Return the names that a generated module defines at its top."""
    found = _DEFINED.findall(text.decode("utf-8", "replace").replace("\r\n", "\n"))
    return frozenset(one or other for one, other in found)


def imports(text: str) -> Iterator[Import]:
    """Yield what a module imports, wherever in it; nothing if it does not parse."""
    tree = _parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.ImportFrom):
            yield from (Import(node.module or "", one.name, one.lineno) for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (Import(one.name, "", one.lineno) for one in node.names)


def _parsed(text: str | bytes) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
