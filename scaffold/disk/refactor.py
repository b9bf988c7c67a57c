"""Python that uses names which have changed → the same Python with the new ones.

A name is changed only where it means what has been renamed: attributes, strings and comments that
read the same stay, and so does everything else, to the byte.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias, TypeGuard


@dataclass(frozen=True, slots=True)
class Names:
    """What is called otherwise in a Python package: old names and new ones.

    `package` is the package itself, before and now. `dotted` holds modules in it, and functions of
    these, by their whole path: `blog.tools.find` and `blog.tools.find.find`. `types` are classes,
    which any module of the package may pass on.
    """

    package: tuple[str, str] = ("", "")
    dotted: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.package[0] != self.package[1] or bool(self.dotted or self.types)

    def new(self, dotted: str) -> str:
        """What a dotted name is called now."""
        if dotted in self.dotted:
            return self.dotted[dotted]
        parent, _, last = dotted.rpartition(".")
        if not parent:
            return self.package[1] if dotted == self.package[0] else dotted
        inside = dotted.startswith(f"{self.package[0]}.")
        return f"{self.new(parent)}.{self.types.get(last, last) if inside else last}"

    def old(self, dotted: str) -> str:
        """What a dotted name was called."""
        if dotted in self.dotted:
            return dotted
        before = {new: old for old, new in self.dotted.items()}
        return Names(self.package[::-1], before).new(dotted)

    def occur(self, text: str) -> bool:
        """Whether one of the old names stands in a text, whatever it means there."""
        old = {_last(name) for name in (*self.dotted, *self.types, self.package[0])}
        return not old.isdisjoint(re.findall(r"\w+", text))


class NameTakenError(Exception):
    """A module has something of its own under the name that its function is to have."""


def renamed(text: str, names: Names, module: str | None) -> str:
    """The text with the new names; `module` is its own dotted name before, if it has one.

    Where a new name would clash with a variable of the text, the variable keeps the old one.
    Raises SyntaxError for what is not Python, and NameTakenError.
    """
    try:
        edits = sorted(_Refactoring(ast.parse(text), _Source(text), names, module).edits())
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from error
    parts, done = [], 0
    for start, end, new in edits:
        parts += [text[done:start], new]
        done = end
    return "".join([*parts, text[done:]])


_Edit: TypeAlias = tuple[int, int, str]
"""Where a stretch of the text begins and ends, and what comes in its place."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Scope = _Definition | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class _Refactoring:
    """A syntax tree, what its variables mean, and the edits that follow from that."""

    def __init__(self, tree: ast.Module, source: _Source, names: Names, module: str | None) -> None:
        self.tree, self.source, self.names, self.module = tree, source, names, module
        self.nodes = [*_scoped(tree, tree)]
        read = {(node.id, scope) for node, scope in self.nodes if _is_read(node)}
        self.attributes = {
            node
            for node, scope in self.nodes
            if isinstance(scope, ast.ClassDef)
            and (bound := _bound(node))
            and not any((name, scope) in read for name in bound)
        }
        meant: dict[str, set[str | None]] = {}
        for node, scope in self.nodes:
            for variable, meaning in self.bindings(node, scope):
                meant.setdefault(variable, set()).add(meaning)
        self.meanings = {v: one for v, (one, *others) in meant.items() if one and not others}
        self.variables = {
            variable: new
            for variable, meaning in self.meanings.items()
            if variable == _last(meaning) != (new := _last(names.new(meaning)))
            and not (new in meant and variable in {name for name, _ in read})
        }

    def bindings(self, node: ast.AST, scope: ast.AST) -> Iterator[tuple[str, str | None]]:
        """The variables that a node sets, each with the dotted name of what it then means."""
        match node:
            case ast.Import():
                for alias in node.names:
                    root = alias.name.partition(".")[0]
                    yield alias.asname or root, alias.name if alias.asname else root
            case ast.ImportFrom():
                base = self.base(node)
                for alias in node.names:
                    if alias.name != "*":
                        yield alias.asname or alias.name, base and f"{base}.{alias.name}"
                    elif base and base.startswith(f"{self.names.package[0]}."):
                        yield from ((name, f"{base}.{name}") for name in self.names.types)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if (
                scope is self.tree and f"{self.module}.{name}" in self.names.dotted
            ):
                yield name, f"{self.module}.{name}"
            case _ if node not in self.attributes:
                yield from ((name, None) for name in _bound(node))

    def base(self, node: ast.ImportFrom) -> str | None:
        """The module that names are imported from, by its whole path; None if it is not known."""
        if not node.level:
            return node.module
        folder = _above(self.module, node.level) if self.module else ""
        return ".".join(filter(None, (folder, node.module))) if folder else None

    def meaning(self, node: ast.AST) -> str | None:
        """The dotted name of what `a.b.c` stands for, if `a` has one meaning."""
        match node:
            case ast.Name(id=name):
                return self.meanings.get(name)
            case ast.Attribute(value=value, attr=attr) if meaning := self.meaning(value):
                return f"{meaning}.{attr}"
        return None

    def edits(self) -> Iterator[_Edit]:
        """Every edit, in no order."""
        yield from self.of_functions()
        for node, _ in self.nodes:
            match node:
                case ast.Import():
                    for alias in node.names:
                        yield self.source.edit(alias, alias.name, self.names.new(alias.name))
                case ast.ImportFrom() if base := self.base(node):
                    yield from self.of_import_from(node, base)
                case ast.Name(id=name) if name in self.variables and node not in self.attributes:
                    yield self.source.edit(node, name, self.variables[name])
                case ast.Attribute(attr=attr) if meaning := self.meaning(node):
                    yield self.source.edit_end(node, attr, _last(self.names.new(meaning)))

    def of_import_from(self, node: ast.ImportFrom, base: str) -> Iterator[_Edit]:
        new = self.names.new(base)
        if not node.level:
            yield self.source.edit(node, base, new, r"from\s+")
        elif node.module and self.module:
            above = _above(self.names.new(self.module), node.level)
            yield self.source.edit(node, node.module, new.removeprefix(f"{above}."), r"from[\s.]+")
        for alias in node.names:
            was = alias.asname or alias.name
            variable = self.variables.get(was, was)
            name = _last(self.names.new(f"{base}.{alias.name}"))
            if (name, variable) != (alias.name, was):
                plain = name == variable and not alias.asname
                yield self.source.replace(alias, name if plain else f"{name} as {variable}")

    def of_functions(self) -> Iterator[_Edit]:
        """Functions of the module that are called otherwise: renamed, or else named once more."""
        bound = {name for node, scope in self.nodes if scope is self.tree for name in _bound(node)}
        for name in sorted(bound):
            new = _last(self.names.dotted.get(f"{self.module}.{name}", name))
            if new == name:
                continue
            if new in bound - self.variables.keys():
                raise NameTakenError(new)
            if name not in self.variables:
                yield self.source.append(f"\n\n{new} = {name}\n")
        for node, _ in self.nodes:
            if isinstance(node, _Definition) and node not in self.attributes:
                new = self.variables.get(node.name, node.name)
                yield self.source.edit(node, node.name, new, r"(async\s+)?(def|class)\s+")


class _Source:
    """A text, and where the nodes of its syntax tree stand in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
        self.starts = [0, *accumulate(map(len, self.lines))]

    def edit(
        self, node: ast.expr | ast.stmt | ast.alias, old: str, new: str, behind: str = ""
    ) -> _Edit:
        """Put `new` for `old` at the start of a node, or behind what matches there."""
        start = self._offset(node.lineno, node.col_offset)
        if behind and (skipped := re.compile(behind).match(self.text, start)):
            start = skipped.end()
        return self._checked(start, old, new)

    def edit_end(self, node: ast.expr, old: str, new: str) -> _Edit:
        """Put `new` for `old` at the end of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._checked(
            self._offset(node.end_lineno, node.end_col_offset) - len(old), old, new
        )

    def replace(self, node: ast.alias, new: str) -> _Edit:
        """Put `new` for a whole node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._offset(node.lineno, node.col_offset)
        return start, self._offset(node.end_lineno, node.end_col_offset), new

    def append(self, new: str) -> _Edit:
        """Put `new` behind the text."""
        return len(self.text), len(self.text), new

    def _checked(self, start: int, old: str, new: str) -> _Edit:
        end = start + len(old)
        if old != new and self.text[start:end] != old:
            raise ValueError(f"`{old}` is written in an unusual way")
        return (start, end, new) if old != new else (start, start, "")

    def _offset(self, line: int, column: int) -> int:
        """The index of a place in the text; columns count bytes of UTF-8."""
        text = self.lines[line - 1]
        before = text if text.isascii() else text.encode()[:column].decode()
        return self.starts[line - 1] + len(before[:column])


def _scoped(parent: ast.AST, scope: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every node below `parent`, with the scope in which it stands."""
    for node in ast.iter_child_nodes(parent):
        yield node, scope
        yield from _scoped(node, node if isinstance(node, _Scope) else scope)


def _bound(node: ast.AST) -> list[str]:
    """The variables that a node sets or declares."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return [name]
        case ast.Import() | ast.ImportFrom():
            return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        case ast.Global() | ast.Nonlocal():
            return node.names
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return [name]
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return [name]
    return [node.name] if isinstance(node, _Definition) else []


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _above(module: str, level: int) -> str:
    """The package from which a module imports with so many dots."""
    return module.rsplit(".", level)[0] if module.count(".") >= level else ""


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]
