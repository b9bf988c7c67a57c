"""Resolve names in the modules of a program through their imports."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from scaffold.python.refactor.names import NewNames, Unit, last
from scaffold.python.refactor.scopes import Scope, bound, scoped
from scaffold.python.refactor.spans import Source

Texts: TypeAlias = Mapping[str, tuple[Unit, Callable[[], str | None]]]
"""The modules of a program by dotted name, each with a function that reads its text."""

_SCRIPT = Unit("")


class Program:
    """Modules that import from each other, read on first use."""

    def __init__(self, names: NewNames, texts: Texts) -> None:
        self.names, self._texts = names, texts
        self._modules: dict[str, Module | None] = {}
        self._asked: set[tuple[str, str]] = set()
        parts = [name.split(".") for name in (*texts, *names.dotted, f"{names.package[0]}.x")]
        folders = {".".join(part[:at]) for part in parts for at in range(1, len(part))}
        self._known = frozenset({*texts, *folders})

    def is_module(self, dotted: str) -> bool:
        """Return whether a dotted name is a module or a folder of modules."""
        return dotted in self._known

    def module(self, dotted: str) -> Module | None:
        """Return a module; None if it is not in the program or does not parse."""
        if dotted not in self._modules:
            self._modules[dotted] = None
            unit, read = self._texts.get(dotted, (_SCRIPT, lambda: None))
            if (text := read()) is not None:
                with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                    self._modules[dotted] = Module(text, self, unit)
        return self._modules[dotted]

    def origin(self, base: str, name: str) -> str | None:
        """Return the dotted name under which `base.name` is defined; None if unknown."""
        dotted = f"{base}.{name}"
        if dotted in self.names.dotted and base not in self._texts:
            return dotted
        if (base, name) in self._asked:  # circular imports
            return None
        self._asked.add((base, name))
        try:
            found = module.export(name) if (module := self.module(base)) else _UNKNOWN
        finally:
            self._asked.discard((base, name))
        generated = "._generated." in dotted  # users define no names there
        if found is _ABSENT or (found is _UNKNOWN and (generated or base not in self._texts)):
            if dotted in self.names.dotted or self.is_module(dotted):
                return dotted
            return None if self.is_ours(base) else dotted
        return found if isinstance(found, str) else None

    def renamed(self, base: str, name: str) -> str:
        """Return the new name of `name` in a module."""
        dotted, module = f"{base}.{name}", self.module(base)
        origin = self.origin(base, name)
        if module and origin != dotted and (variable := (module.top, name)) in module.bindings:
            return module.variables.get(variable, name)
        return last(self.names.new(origin)) if origin and last(origin) == name else name

    def is_ours(self, dotted: str) -> bool:
        """Return whether a dotted name is in the package or is another module of the program."""
        return dotted.partition(".")[0] == self.names.package[0] or self.is_module(dotted)


class _Unknown(Enum):
    ABSENT = "the module has no such name"
    UNKNOWN = "it cannot be told"


_ABSENT, _UNKNOWN = _Unknown.ABSENT, _Unknown.UNKNOWN

Variable: TypeAlias = tuple[Scope, str]
_Binding: TypeAlias = str | tuple[str, str] | None


class Module:
    """A syntax tree, the meanings of its variables, and which of them to rename.

    `bindings` holds everything each variable is set to: a module, a name in a module, or None for
    anything else.
    """

    def __init__(self, text: str, program: Program, unit: Unit = _SCRIPT) -> None:
        self.program, self.unit, self.source = program, unit, Source(text)
        self.tree = ast.parse(text)
        self.top, self.nodes = scoped(self.tree, self.source)
        self.stars = [*self._stars()]
        self.bindings: dict[Variable, set[_Binding]] = {}
        for node, scope in self.nodes:
            for name, binding in self._bindings(node, scope):
                if owner := scope.owner(name):
                    self.bindings.setdefault((owner, name), set()).add(binding)
        self.uses: dict[tuple[Scope | None, str], list[Scope]] = {}
        for node, scope in self.nodes:
            if isinstance(node, ast.Name):
                self.uses.setdefault((scope.owner(node.id), node.id), []).append(scope)

    @cached_property
    def variables(self) -> dict[Variable, str]:
        """The variables to rename, with new names that clash with no other variable."""
        wanted = dict(self._candidates())
        while blocked := [one for one, new in wanted.items() if self._is_taken(one, new, wanted)]:
            wanted = {one: new for one, new in wanted.items() if one not in blocked}
        return wanted

    def meanings(self, variable: Variable) -> set[str | None]:
        """Return the dotted names of everything a variable is set to; None if it has none."""
        return {
            self.program.origin(*found) if isinstance(found, tuple) else found
            for found in self.bindings.get(variable, ())
        }

    def base(self, node: ast.ImportFrom) -> str | None:
        """Return the absolute name of the module that is imported from; None if unknown."""
        if not node.level:
            return self._absolute(node.module or "")
        folder = self.unit.above(node.level)
        return ".".join(filter(None, (folder, node.module))) if folder else None

    def _absolute(self, module: str) -> str:
        """Return the full name of a module; in tests it may be a sibling of the importer."""
        beside = f"{self.unit.above(1)}.{module}"
        if not self.program.is_module(module) and self.program.is_module(beside):
            return beside
        return module

    def meaning(self, node: ast.AST, scope: Scope) -> str | None:
        """Return the dotted name that `a.b.c` resolves to, if that is certain."""
        match node:
            case ast.Name(id=name):
                return self.of_variable(name, scope)
            case ast.Attribute(value=value, attr=attr):
                module = self.meaning(value, scope)
                if module and self.program.is_module(module):
                    return self.program.origin(module, attr)
        return None

    def of_variable(self, name: str, scope: Scope) -> str | None:
        """Return the dotted name that a variable resolves to, if that is certain."""
        owner = scope.owner(name)
        if owner is None:
            return self.of_star(name)
        found = self.meanings((owner, name))
        return found.pop() if len(found) == 1 else None

    def of_star(self, name: str) -> str | None:
        """Return the dotted name of what `from … import *` imports as `name`, if certain."""
        found = {self.program.origin(base, name) for base in self.brought(name)}
        return found.pop() if len(found) == 1 else None

    def brought(self, name: str) -> list[str]:
        """Return the modules whose `import *` may provide a name."""
        asked = ((base, self.program.module(base)) for base in self.stars)
        return [base for base, module in asked if _may_bring(module, self.program, base, name)]

    def export(self, name: str) -> str | _Unknown:
        """Return the origin of a name that other modules import from this one."""
        if (self.top, name) not in self.bindings:
            dynamic = self.brought(name) or (self.top, "__getattr__") in self.bindings
            return self.of_star(name) or (_UNKNOWN if dynamic else _ABSENT)
        if self.bindings[self.top, name] == {None}:
            return f"{self.unit.name}.{name}"  # defined here
        found = self.meanings((self.top, name))
        return found.pop() or _UNKNOWN if len(found) == 1 else _UNKNOWN

    @property
    def listed(self) -> frozenset[str] | None:
        """The names in `__all__`, if there is one."""
        nodes = [node for node, _ in self.nodes if sets_all(node)]
        return frozenset(text for node in nodes for _, text in texts(node)) if nodes else None

    def _stars(self) -> Iterator[str]:
        for node, _ in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                yield self.base(node) or ""

    def _bindings(self, node: ast.AST, scope: Scope) -> Iterator[tuple[str, _Binding]]:
        """Yield the variables that a node sets, each with its binding."""
        match node:
            case ast.Import():
                for alias in node.names:
                    root = alias.name.partition(".")[0]
                    yield alias.asname or root, self._absolute(alias.name if alias.asname else root)
            case ast.ImportFrom():
                base = self.base(node)
                for alias in node.names:
                    if alias.name != "*":
                        yield alias.asname or alias.name, (base, alias.name) if base else None
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ) if scope is self.top and f"{self.unit.name}.{name}" in self.program.names.dotted:
                yield name, f"{self.unit.name}.{name}"
            case _:
                yield from ((name, None) for name in bound(node))

    def _candidates(self) -> Iterator[tuple[Variable, str]]:
        pinned = {
            (scope.outer_owner(name), name)
            for (owner, name), scopes in self.uses.items()
            for scope in scopes
            if owner is scope and scope.kind == "class"
        }
        for scope, name in self.bindings:
            meaning, *others = self.meanings((scope, name))
            if others or meaning is None or scope.kind == "class" or (scope, name) in pinned:
                continue
            new = last(self.program.names.new(meaning))
            if name == last(meaning) != new:
                yield (scope, name), new

    def _is_taken(self, variable: Variable, new: str, wanted: Mapping[Variable, str]) -> bool:
        """Return whether a new name is taken in any scope that uses the variable."""
        scope, _ = variable
        for user in (scope, *self.uses.get(variable, ())):
            owner = user.owner(new)
            if owner and (owner, new) not in wanted:
                return True
        return any(_is_inside(user, scope) for user in self.uses.get((None, new), ()))


def texts(node: ast.AST) -> Iterator[tuple[ast.Constant, str]]:
    """Yield the string constants in a statement, with their values."""
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one, one.value


def sets_all(node: ast.AST) -> bool:
    """Return whether a node sets or extends `__all__`."""
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.AugAssign(target=ast.Name(id="__all__")):
            return True
        case ast.AnnAssign(target=ast.Name(id="__all__")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"))):
            return True
    return False


def _may_bring(module: Module | None, program: Program, base: str, name: str) -> bool:
    """Return whether `from base import *` may provide a name."""
    if module is None:
        return program.is_ours(base) and name in program.names.words
    if (listed := module.listed) is not None:
        return name in listed
    return not name.startswith("_") and module.export(name) is not _ABSENT


def _is_inside(scope: Scope | None, outer: Scope) -> bool:
    while scope and scope is not outer:
        scope = scope.parent
    return scope is outer
