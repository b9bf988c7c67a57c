"""Rewrite Python code to use new names.

A name changes only where it certainly means something renamed. Attributes, strings and comments
that merely look alike are kept, and so is every other byte.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from scaffold.language import NameTakenError, Rewritten
from scaffold.python.refactor.meanings import Module, Program, sets_all, texts
from scaffold.python.refactor.names import Unit, last
from scaffold.python.refactor.scopes import Definition, Scope, bound
from scaffold.python.refactor.spans import Edit


def renamed(text: str, program: Program, unit: Unit) -> Rewritten:
    """Return the text of the module `unit` with the new names.

    A variable keeps its old name if the new one would clash with another variable.
    Raises SyntaxError if the text is not Python, and NameTakenError.
    """
    try:
        module = Module(text, program, unit)
        changes = _Refactoring(module)
        return Rewritten(module.source.edited(changes.edits()), (*sorted(changes.unsure()),))
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from error


class _Refactoring:
    """The edits that a module needs."""

    def __init__(self, module: Module) -> None:
        self.module, self.source, self.program = module, module.source, module.program
        self.names, self.variables = module.program.names, module.variables

    def edits(self) -> Iterator[Edit]:
        """Yield every edit, in no particular order."""
        yield from self.of_functions()
        for node, scope in self.module.nodes:
            match node:
                case ast.Import():
                    yield from self.of_import(node, scope)
                case ast.ImportFrom() if base := self.module.base(node):
                    yield from self.of_import_from(node, base, scope)
                case ast.Name(id=name):
                    yield self.source.edit(node, name, self.variable(name, scope))
                case ast.Attribute(value=value, attr=attr):
                    base = self.module.meaning(value, scope)
                    if base and self.program.is_module(base):
                        yield self.source.edit_end(node, attr, self.program.renamed(base, attr))
                case _ if sets_all(node):
                    for place, text in texts(node):
                        if self.source.inside(place):
                            new = self.variable(text, self.module.top)
                            yield self.source.edit(place, text, new, "['\"]")

    def variable(self, name: str, scope: Scope) -> str:
        """Return the new name of a variable."""
        if owner := scope.owner(name):
            return self.variables.get((owner, name), name)
        origin = self.module.of_star(name)
        return last(self.names.new(origin)) if origin and last(origin) == name else name

    def of_import(self, node: ast.Import, scope: Scope) -> Iterator[Edit]:
        for alias in node.names:
            new = self.names.new(alias.name)
            root, _, below = alias.name.partition(".")
            kept = self.variable(root, scope) == root != new.partition(".")[0]
            if kept and not alias.asname:  # the new name is taken here
                new = f"{new}, {new.partition('.')[0]} as {root}" if below else f"{new} as {root}"
            yield self.source.edit(alias, alias.name, new)

    def of_import_from(self, node: ast.ImportFrom, base: str, scope: Scope) -> Iterator[Edit]:
        new = self.names.new(base)
        if not node.level:
            if base == node.module:
                yield self.source.edit(node, base, new, r"from\s+")
        elif node.module:
            above = Unit(self.names.new(self.module.unit.name), self.module.unit.is_package)
            inside = new.removeprefix(f"{above.above(node.level)}.")
            yield self.source.edit(node, node.module, inside, r"from[\s.]+")
        for alias in node.names:
            if alias.name == "*":
                continue
            was = alias.asname or alias.name
            variable, name = self.variable(was, scope), self.program.renamed(base, alias.name)
            if (name, variable) != (alias.name, was):
                plain = name == variable and not alias.asname
                yield self.source.replace(alias, name if plain else f"{name} as {variable}")

    def of_functions(self) -> Iterator[Edit]:
        """Yield edits that rename functions and classes, or append an alias for the new name."""
        top, own = self.module.top, self.module.unit.name
        for name in sorted(top.bound):
            new = last(self.names.dotted.get(f"{own}.{name}", name))
            if new == name or self.program.is_module(f"{own}.{name}"):
                continue
            if new in top.bound and (top, new) not in self.variables:
                raise NameTakenError(new, self.line_of(new))
            if (top, name) not in self.variables:
                yield self.source.append(f"\n\n{new} = {name}\n")
        for node, scope in self.module.nodes:
            if isinstance(node, Definition):
                new = self.variable(node.name, scope)
                yield self.source.edit(node, node.name, new, r"(async\s+)?(def|class)\s+")

    def line_of(self, name: str) -> int:
        """Return the first line that sets a variable of the module."""
        return min(
            getattr(node, "lineno", 1)
            for node, scope in self.module.nodes
            if name in bound(node) and scope.owner(name) is self.module.top
        )

    def unsure(self) -> Iterator[tuple[int, str]]:
        """Yield the line and name of each use that may mean something renamed but was kept."""
        for node, scope in self.module.nodes:
            match node:
                case ast.ImportFrom() if base := self.module.base(node):
                    for alias in node.names:
                        if alias.name in self.names.words and self.is_unknown(base, alias.name):
                            yield alias.lineno, alias.name
                case ast.Name(id=name) if name in self.names.words and not scope.owner(name):
                    brought = self.module.brought(name)
                    if brought and self.module.of_star(name) is None:
                        yield node.lineno, name
                case ast.Attribute(value=value, attr=attr) if attr in self.names.words:
                    if any(self.is_other(base, attr) for base in self.several(value, scope)):
                        yield node.lineno, attr
                case ast.Constant(value=str(text)) if self.is_path(text):
                    yield node.lineno, text

    def is_unknown(self, base: str, name: str) -> bool:
        """Return whether the origin of a name of one of our modules is unknown."""
        return self.program.is_ours(base) and self.program.origin(base, name) is None

    def several(self, node: ast.expr, scope: Scope) -> set[str]:
        """Return the modules that a variable may mean, if there are several."""
        if not (isinstance(node, ast.Name) and (owner := scope.owner(node.id))):
            return set()
        found = self.module.meanings((owner, node.id))
        return {one for one in found if one and len(found) > 1}

    def is_other(self, base: str, name: str) -> bool:
        """Return whether a name in a module was renamed."""
        return self.program.is_module(base) and self.program.renamed(base, name) != name

    def is_path(self, text: str) -> bool:
        """Return whether a string looks like the dotted path of something renamed."""
        if not re.fullmatch(r"[A-Za-z_]\w*(\.\w+)+", text) or len(text) > 1000:
            return False
        base, _, name = text.rpartition(".")
        known = self.program.is_module(text) or ("." in base and self.program.is_module(base))
        return known and (self.names.new(base) != base or self.program.renamed(base, name) != name)
