"""The names of a Python module: their definitions, and the new names of those that change.

Only imports and definitions are followed, and scopes are not told apart: a name that a module sets
in two ways, wherever that is, keeps its old name, and the import says `new as old`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_BY_NAME = ("getattr", "setattr", "hasattr", "delattr", "cast")
"""Functions that take a name as a text."""

_Binding: TypeAlias = str | None
"""The binding of a name: a module or a name in a module, or None for anything else."""


class NewNames(Struct, frozen=True):
    """Old names in a Python package, and the new ones.

    `package` is the old and new name of the package. `dotted` maps modules, functions and classes
    by the path where they are defined: `blog.tools.find`, `blog.tools.find.find`,
    `blog._generated.contract.FindResult`.
    """

    package: tuple[str, str] = ("", "")
    dotted: Mapping[str, str] = field(default_factory=dict)

    def new(self, dotted: str) -> str:
        """Return the new name for a dotted name."""
        if dotted in self.dotted:
            return self.dotted[dotted]
        parent, _, last = dotted.rpartition(".")
        if not parent:
            return self.package[1] if dotted == self.package[0] else dotted
        return f"{self.new(parent)}.{last}"

    def old(self, dotted: str) -> str:
        """Return the old name for a dotted name."""
        if dotted in self.dotted:
            return dotted
        back = {new: old for old, new in self.dotted.items()}
        return NewNames(self.package[::-1], back).new(dotted)

    @property
    def words(self) -> frozenset[str]:
        """The last part of each old name that changed."""
        pairs = (self.package, *self.dotted.items())
        return frozenset(last(old) for old, new in pairs if last(old) != last(new))


class Unit(NamedTuple):
    """A module of a program: its old dotted name, and whether it is an `__init__.py`."""

    name: str
    is_package: bool = False

    def above(self, level: int) -> str:
        """Return the package that a relative import with `level` dots refers to."""
        parts = self.name.split(".")
        left = len(parts) - level + self.is_package
        return ".".join(parts[:left]) if left > 0 else ""


def last(dotted: str) -> str:
    """Return the last part of a dotted name."""
    return dotted.rpartition(".")[2]


class Module:
    """A module: its syntax tree, and everything that each of its names is set to.

    `known` are the dotted names of all modules and folders. Raises SyntaxError, ValueError or
    RecursionError if the text is not Python.
    """

    def __init__(self, text: str, unit: Unit, names: NewNames, known: Collection[str]) -> None:
        self.text, self.unit, self.names, self.known = text, unit, names, known
        self.tree = ast.parse(text)
        self.nodes = (*ast.walk(self.tree),)
        self.bindings: dict[str, set[_Binding]] = {}
        for node in self.nodes:
            for name, binding in self._bindings(node):
                self.bindings.setdefault(name, set()).add(binding)

    def variables(self) -> dict[str, str]:
        """Return the names to change everywhere in the module, with the new ones."""
        taken = self.bindings.keys() | {n.id for n in self.nodes if isinstance(n, ast.Name)}
        quoted = {word for _, word in self.quoted}
        wanted = {}
        for name in self.bindings.keys() - quoted:
            meaning = self.meaning(name)
            new = last(self.names.new(meaning)) if meaning else name
            if meaning and name == last(meaning) != new:
                wanted[name] = new
        while blocked := {
            name
            for name, new in wanted.items()
            if new in taken - wanted.keys() or [*wanted.values()].count(new) > 1
        }:
            wanted = {name: new for name, new in wanted.items() if name not in blocked}
        return wanted

    @cached_property
    def quoted(self) -> tuple[tuple[int, str], ...]:
        """The words in `__all__`, in types that are texts, and in texts for `getattr`; with lines."""
        constants = (
            constant
            for node in self.nodes
            for part in _with_names(node)
            for constant in ast.walk(part)
            if isinstance(constant, ast.Constant)
        )
        return tuple(
            (constant.lineno, word)
            for constant in constants
            if isinstance(constant.value, str)
            for word in re.findall(r"\w+", constant.value)
        )

    @cached_property
    def top(self) -> dict[str, int]:
        """The names that are set outside of functions and classes, with their first lines."""
        first_lines: dict[str, int] = {}
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            node = waiting.pop()
            for name, _ in self._bindings(node):
                line = getattr(node, "lineno", 1)
                first_lines[name] = min(line, first_lines.get(name, line))
            if not isinstance(node, Definition | ast.Lambda):
                waiting += ast.iter_child_nodes(node)
        return first_lines

    def meaning(self, name: str) -> str | None:
        """Return the dotted name that a name of the module means, if that is certain."""
        meanings = self.meanings(ast.Name(name))
        return meanings.pop() if len(meanings) == 1 else None

    def meanings(self, node: ast.expr) -> set[str | None]:
        """Return all dotted names that `a.b.c` may mean; None stands for anything else."""
        match node:
            case ast.Name(id=name):
                return {*self.bindings.get(name, ())}
            case ast.Attribute(value=value, attr=attr):
                bases = self.meanings(value)
                return {f"{base}.{attr}" if base in self.known else None for base in bases}
        return set()

    def base(self, node: ast.ImportFrom) -> str | None:
        """Return the absolute name of the module that is imported from; None if unknown."""
        if not node.level:
            return self._absolute(node.module or "")
        folder = self.unit.above(node.level)
        return ".".join(filter(None, (folder, node.module))) if folder else None

    def _absolute(self, module: str) -> str:
        """Return the full name of a module; in tests it may be a sibling of the importer."""
        beside = f"{self.unit.above(1)}.{module}"
        is_beside = module not in self.known and beside in self.known
        return beside if is_beside else module

    def _bindings(self, node: ast.AST) -> Iterator[tuple[str, _Binding]]:
        """Yield the names that a node sets, each with its binding."""
        match node:
            case ast.Import():
                for alias in node.names:
                    root = alias.name.partition(".")[0]
                    yield alias.asname or root, self._absolute(alias.name if alias.asname else root)
            case ast.ImportFrom():
                base = self.base(node)
                for alias in node.names:
                    if alias.name != "*":
                        yield alias.asname or alias.name, f"{base}.{alias.name}" if base else None
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                yield name, None
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from ((name, None) for name in names)
            case ast.MatchMapping(rest=str(name)):
                yield name, None
            case ast.alias():
                pass
            case _ if named := getattr(node, "name", None):
                # a definition, a handler of exceptions, a pattern, a parameter of a type
                dotted = f"{self.unit.name}.{named}"
                is_renamed = node in self.tree.body and dotted in self.names.dotted
                yield str(named), dotted if is_renamed else None


def _with_names(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node whose texts are names: types, `__all__`, arguments of `getattr`."""
    yield from filter(None, (getattr(node, "annotation", None), getattr(node, "returns", None)))
    match node:
        case (
            ast.Assign(targets=[ast.Name(id="__all__")], value=ast.expr() as value)
            | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value)
            | ast.AugAssign(target=ast.Name(id="__all__"), value=value)
        ):
            yield value
        case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"))):
            yield node
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _BY_NAME:
            yield node
