"""What the modules of a project import from each other, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from scaffold.diagnostics import Place
from scaffold.yaml.document import Document

_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


class Import(NamedTuple):
    """A module that is imported, the names that are imported from it, and where.

    An optional one may be missing: it is for type checkers alone, or its absence is handled.
    """

    module: str
    names: tuple[str, ...]
    place: Place
    is_optional: bool


def imports(document: Document, package: str) -> Iterator[Import]:
    """Yield the imports of a module; `package` is the dotted name of the package it is in.

    Raises SyntaxError, ValueError, RecursionError or MemoryError if it cannot be parsed.
    """
    lines = document.text.splitlines()
    around = package.split(".") if package else []
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(document.text), False)]
    while waiting:
        node, is_optional = waiting.pop()
        forgiven = _forgiven(node)
        for child in ast.iter_child_nodes(node):
            waiting.append((child, is_optional or child in forgiven))
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, (), _place(document, lines, node), is_optional)
        elif isinstance(node, ast.ImportFrom):
            base = around[: len(around) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = tuple(alias.name for alias in node.names)
            yield Import(module, names, _place(document, lines, node), is_optional)


def _place(document: Document, lines: list[str], node: ast.Import | ast.ImportFrom) -> Place:
    line = lines[node.lineno - 1]
    return Place(document.name, node.lineno, node.col_offset + 1, len(line.strip()), line)


def _forgiven(node: ast.AST) -> list[ast.stmt]:
    """Return the statements in which a module may be missing."""
    if isinstance(node, ast.If):
        named = {getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(node.test)}
        return node.body if "TYPE_CHECKING" in named else []
    if isinstance(node, ast.Try):
        return node.body if any(map(_catches, node.handlers)) else []
    return []


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    named = {getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(handler.type)}
    return bool(named & _CAUGHT)
