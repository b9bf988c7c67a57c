"""Apply renames to the modules of a project on disk."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress

from scaffold.base.files import RelPath
from scaffold.languages.language import NameTakenError, Rewritten
from scaffold.languages.python.modules import SUFFIX
from scaffold.languages.python.refactor.module import Definition, Module
from scaffold.languages.python.refactor.names import NewNames, Unit, last
from scaffold.languages.python.refactor.source import Edit, Source

_INIT = "/__init__"


class Rewriter:
    """New names, and the modules of the program that uses the old ones, read on first use.

    `package`, `names`, `modules` and `files` are as in `scaffold.languages.language.Language.rewriter`.
    """

    def __init__(
        self,
        package: tuple[str, str],
        names: Mapping[str, str],
        modules: Mapping[RelPath, Callable[[], str | None]],
        files: Collection[RelPath],
    ) -> None:
        self.names = NewNames(package, names)
        self._packages = {path for path in files if path.endswith(f"{_INIT}{SUFFIX}")}
        units = [(self._unit(path), read) for path, read in modules.items()]
        self._texts = {unit.name: (unit, read) for unit, read in units}
        self._modules: dict[str, Module | None] = {}
        self._asked: set[tuple[str, str]] = set()
        parts = [name.split(".") for name in (*self._texts, *names, f"{package[0]}.x")]
        folders = {".".join(part[:at]) for part in parts for at in range(1, len(part))}
        self._known = folders | self._texts.keys()

    def rewrite(self, path: RelPath, text: str) -> Rewritten:
        """Return a module with the new names, and the old names that may have to be changed too.

        A name changes only where it certainly means something renamed; every other byte is kept.
        Raises SyntaxError if the text is not Python, and NameTakenError if a module has something
        else under the new name of its function.
        """
        try:
            changes = _Changes(Module(text, self, self._unit(path)), Source(text), self)
            return Rewritten(changes.source.edited(changes.edits()), (*sorted(changes.unsure()),))
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from error

    def mentions(self, text: str) -> bool:
        """Return whether an old name occurs in a text."""
        return not self.names.words.isdisjoint(re.findall(r"\w+", text))

    def is_module(self, dotted: str) -> bool:
        """Return whether a dotted name is a module or a folder of modules."""
        return dotted in self._known

    def is_ours(self, dotted: str) -> bool:
        """Return whether a dotted name is in the package or is another module of the program."""
        return dotted.partition(".")[0] == self.names.package[0] or self.is_module(dotted)

    def origin(self, base: str, name: str) -> str | None:
        """Return the dotted name under which `base.name` is defined; None if unknown."""
        dotted = f"{base}.{name}"
        if "._generated." in f".{base}.":  # users define no names there
            return dotted
        if (base, name) in self._asked:  # circular imports
            return None
        self._asked.add((base, name))
        try:
            module = self._module(base)
            if module and name in module.bindings:
                is_own = module.bindings[name] == {None}
                return dotted if is_own else module.meaning(name)
        finally:
            self._asked.discard((base, name))
        is_known = dotted in self.names.dotted or self.is_module(dotted)
        return dotted if is_known or not self.is_ours(base) else None

    def renamed(self, base: str, name: str) -> str:
        """Return the new name of `name` in a module."""
        dotted, module = f"{base}.{name}", self._module(base)
        if module and name in module.bindings:
            if dotted in self.names.dotted and not self.is_module(dotted):
                return last(self.names.dotted[dotted])
            return module.variables.get(name, name)
        origin = self.origin(base, name)
        return last(self.names.new(origin)) if origin and last(origin) == name else name

    def _module(self, dotted: str) -> Module | None:
        """Return a module of the user; None if it is not in the program or does not parse."""
        if dotted not in self._modules:
            self._modules[dotted] = None
            unit, read = self._texts.get(dotted, (Unit(""), lambda: None))
            text = None if "._generated." in f".{dotted}." else read()
            if text is not None:
                with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                    self._modules[dotted] = Module(text, self, unit)
        return self._modules[dotted]

    def _unit(self, path: RelPath) -> Unit:
        """Return the module at a path, under its old name."""
        folders = (f for f in path.folders if f.rpartition("/")[2] in self.names.package)
        above = next((f for f in folders if f"{f}{_INIT}{SUFFIX}" in self._packages), "")
        inside = path.removeprefix(above.rpartition("/")[0]).removeprefix("/").removesuffix(SUFFIX)
        dotted = inside.removesuffix(_INIT).replace("/", ".")
        return Unit(self.names.old(dotted) if above else dotted, inside.endswith(_INIT))


class _Changes:
    """The edits that a module needs."""

    def __init__(self, module: Module, source: Source, program: Rewriter) -> None:
        self.module, self.source, self.program = module, source, program
        self.names, self.variables = program.names, module.variables

    def edits(self) -> Iterator[Edit]:
        """Yield every edit, in no particular order."""
        yield from self._new_functions()
        for node in self.module.nodes:
            match node:
                case ast.Import():
                    yield from self._import(node)
                case ast.ImportFrom() if base := self.module.base(node):
                    yield from self._import_from(node, base)
                case ast.Name(id=name):
                    yield self.source.edit(node, name, self._variable(name))
                case ast.Attribute(value=value, attr=attr):
                    found = self.module.meanings(value)
                    base = found.pop() if len(found) == 1 else None
                    if base and self.program.is_module(base):
                        yield self.source.edit_end(node, attr, self.program.renamed(base, attr))
                case _ if isinstance(node, Definition):
                    new = self._variable(node.name)
                    yield self.source.edit(node, node.name, new, r"(async\s+)?(def|class)\s+")

    def unsure(self) -> Iterator[tuple[int, str]]:
        """Yield the line and name of each use that may mean something renamed but was kept."""
        bindings, words = self.module.bindings, self.names.words
        stars = [*self._stars()]
        for node in self.module.nodes:
            match node:
                case ast.ImportFrom() if base := self.module.base(node):
                    for alias in node.names:
                        if alias.name in words and not self.program.origin(base, alias.name):
                            yield alias.lineno, alias.name
                case ast.Name(id=name) if name in words and name not in bindings:
                    if any(self._is_uncertain(base, name) for base in stars):
                        yield node.lineno, name
                case ast.Attribute(value=value, attr=attr) if attr in words:
                    found = self.module.meanings(value)
                    if len(found) > 1 and any(self._is_other(base, attr) for base in found):
                        yield node.lineno, attr
                case ast.Constant(value=str(text)) if self._is_path(text):
                    yield node.lineno, text
        for line, word in self.module.quoted:
            meaning = self.module.meaning(word)
            is_renamed = not meaning or last(self.names.new(meaning)) != word
            if word in words and (word not in bindings or (meaning and is_renamed)):
                yield line, word

    def _variable(self, name: str) -> str:
        """Return the new name of a name of the module."""
        return self.variables.get(name, name)

    def _import(self, node: ast.Import) -> Iterator[Edit]:
        for alias in node.names:
            new = self.names.new(alias.name)
            root, _, below = alias.name.partition(".")
            kept = self._variable(root) == root != new.partition(".")[0]
            if kept and not alias.asname:  # the new name is taken here
                new = f"{new}, {new.partition('.')[0]} as {root}" if below else f"{new} as {root}"
            yield self.source.edit(alias, alias.name, new)

    def _import_from(self, node: ast.ImportFrom, base: str) -> Iterator[Edit]:
        new = self.names.new(base)
        if not node.level:
            if base == node.module:
                yield self.source.edit(node, base, new, r"from\s+")
        elif node.module:
            above = Unit(self.names.new(self.module.unit.name), self.module.unit.is_package)
            inside = new.removeprefix(f"{above.above(node.level)}.")
            yield self.source.edit(node, node.module, inside, r"from[\s.]+")
        for alias in node.names:
            was = alias.asname or alias.name
            variable, name = self._variable(was), self.program.renamed(base, alias.name)
            if alias.name != "*" and (name, variable) != (alias.name, was):
                plain = name == variable and not alias.asname
                yield self.source.replace(alias, name if plain else f"{name} as {variable}")

    def _new_functions(self) -> Iterator[Edit]:
        """Append an alias for the new name of each function that keeps its old one."""
        top, own = self.module.top, self.module.unit.name
        for name in sorted(top):
            new = last(self.names.dotted.get(f"{own}.{name}", name))
            if new == name or self.program.is_module(f"{own}.{name}"):
                continue
            if new in top and new not in self.variables:
                raise NameTakenError(new, top[new])
            if name not in self.variables:
                yield self.source.append(f"\n\n{new} = {name}\n")

    def _stars(self) -> Iterator[str]:
        """Yield the modules of the program whose names are all imported."""
        for node in self.module.nodes:
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                base = self.module.base(node) or ""
                yield from [base] if self.program.is_ours(base) else []

    def _is_other(self, base: str | None, name: str) -> bool:
        """Return whether a name in a module was renamed."""
        return bool(
            base and self.program.is_module(base) and self.program.renamed(base, name) != name
        )

    def _is_uncertain(self, base: str, name: str) -> bool:
        """Return whether a name that a module may have was renamed, or may have been."""
        origin = self.program.origin(base, name)
        return origin is None or last(self.names.new(origin)) != last(origin)

    def _is_path(self, text: str) -> bool:
        """Return whether a string looks like the dotted path of something renamed."""
        if not re.fullmatch(r"[A-Za-z_]\w*(\.\w+)+", text) or len(text) > 1000:
            return False
        base, _, name = text.rpartition(".")
        known = self.program.is_module(text) or ("." in base and self.program.is_module(base))
        return known and (self.names.new(base) != base or self.program.renamed(base, name) != name)
