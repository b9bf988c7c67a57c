"""Python modules in a project: their paths, what they define, and what they import.

See `scaffold.languages.files.CodeFiles`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from scaffold.base.files import RelPath
from scaffold.languages.files import Import, Renaming, Rewriter

SUFFIX = ".py"

_DEFINED = re.compile(r"^(?:class|def|async def) (\w+)|^(\w+(?:, \w+)*) *[:=(]", re.MULTILINE)

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^()]*\)|[\w., \t*]+)"
    r"|import[ \t]+([\w., \t]+?))[ \t]*(?:#.*)?$",
    re.MULTILINE,
)
_IMPORT_WORD = re.compile(r"\bimport\b")
_COMMENT = re.compile(r"#.*")


def is_source(path: str) -> bool:
    """Return whether a file is a Python module."""
    return path.endswith(SUFFIX)


def package(path: RelPath) -> RelPath | None:
    """Return a module's path as a package: `search/__init__.py` for `search.py`."""
    return RelPath(f"{path[: -len(SUFFIX)]}/__init__.py") if is_source(path) else None


def rewriter(renaming: Renaming) -> Rewriter:
    """Return a rewriter for the code of a project."""
    from scaffold.languages.python.refactor import rewriter  # slow to import, and few runs rename

    return rewriter.Rewriter(renaming)


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
    for node in _statements(text):
        if isinstance(node, ast.ImportFrom):
            module = _absolute(node.level, node.module or "", path)
            yield from (Import(module, alias.name, alias.lineno) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (Import(_absolute(0, a.name, path), "", a.lineno) for a in node.names)


def possible_imports(text: str, path: str = "") -> Iterator[Import]:
    """Yield the imports of a module, and maybe some from its docstrings, without their lines.

    It takes a fifth of the time of `imports`, as the module is parsed only if the word `import` is
    at a place that this does not understand.
    """
    matches = _IMPORT.findall(text)
    if len(matches) != len(_IMPORT_WORD.findall(text)) or "\\\n" in text:
        yield from imports(text, path)
        return
    for dots, module, names, modules in matches:
        for name in _COMMENT.sub("", names or modules).strip("() \t\n").split(","):
            if words := name.split():
                imported = (module, words[0]) if names else (words[0], "")
                yield Import(_absolute(len(dots), imported[0], path), imported[1], 0)


def _absolute(level: int, module: str, path: str) -> str:
    """Return the path of a module that the module at `path` imports with so many dots."""
    above = path.split("/")[:-level] if level else []
    return "/".join([*above, *module.split(".")]).rstrip("/")


def _statements(text: str) -> Iterator[ast.AST]:
    """Yield all statements of a module, nested ones too; expressions, most of a tree, are skipped."""
    try:
        waiting: list[ast.AST] = [ast.parse(text)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while waiting:
        node = waiting.pop()
        yield node
        for block in ("finalbody", "orelse", "handlers", "cases", "body"):
            waiting += reversed(getattr(node, block, ()))
