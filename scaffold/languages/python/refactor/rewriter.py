"""Apply renames to the modules of a project on disk."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import TypeAlias

from scaffold.base.diagnostics import Edit
from scaffold.base.files import RelPath
from scaffold.editing.text import edited
from scaffold.languages.files import NameTakenError, Renaming, Rewritten
from scaffold.languages.python.refactor.module import Definition, Module, NewNames, Unit, last

_INIT = "/__init__"
_SUFFIX = ".py"

_Node: TypeAlias = ast.expr | ast.stmt | ast.alias


class Rewriter:
    """New names, and the paths of the modules that may use the old ones."""

    def __init__(self, renaming: Renaming) -> None:
        package, names, modules, files = renaming
        self._names = NewNames(package, names)
        self._packages = {path for path in files if path.endswith(f"{_INIT}{_SUFFIX}")}
        dotted = [self._unit(path).name for path in modules]
        parts = [name.split(".") for name in (*dotted, *names, f"{package[0]}.x")]
        folders = {".".join(part[:at]) for part in parts for at in range(1, len(part))}
        self._known = {*folders, *dotted}

    def rewrite(self, path: RelPath, text: str) -> Rewritten:
        """Return a module with the new names, and the old names that may have to be changed too.

        A name changes only where it certainly means something renamed; every other byte is kept.
        Raises SyntaxError if the text is not Python, and NameTakenError if a module has something
        else under the new name of its function.
        """
        try:
            module = Module(text, self._unit(path), self._names, self._known)
            changes = _Changes(module)
            return Rewritten(edited(text, changes.edits()), (*sorted(changes.unsure()),))
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from error

    def mentions(self, text: str) -> bool:
        """Return whether an old name occurs in a text."""
        return not self._names.words.isdisjoint(re.findall(r"\w+", text))

    def _unit(self, path: RelPath) -> Unit:
        """Return the module at a path, under its old name."""
        folders = (f for f in path.folders if f.rpartition("/")[2] in self._names.package)
        above = next((f for f in folders if f"{f}{_INIT}{_SUFFIX}" in self._packages), "")
        inside = path.removeprefix(above.rpartition("/")[0]).removeprefix("/").removesuffix(_SUFFIX)
        dotted = inside.removesuffix(_INIT).replace("/", ".")
        return Unit(self._names.old(dotted) if above else dotted, inside.endswith(_INIT))


class _Changes:
    """The edits that a module needs."""

    def __init__(self, module: Module) -> None:
        self.module, self.source = module, _Source(module.text)
        self.names, self.known = module.names, module.known
        self.variables = module.variables()

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
                case ast.Attribute(attr=attr):
                    meanings = self.module.meanings(node)
                    meaning = meanings.pop() if len(meanings) == 1 else None
                    if meaning:
                        yield self.source.edit_end(node, attr, last(self.names.new(meaning)))
                case _ if isinstance(node, Definition):
                    new = self._variable(node.name)
                    yield self.source.edit(node, node.name, new, r"(async\s+)?(def|class)\s+")

    def unsure(self) -> Iterator[tuple[int, str]]:
        """Yield the line and name of each use that may mean something renamed but was kept."""
        bindings, words = self.module.bindings, self.names.words
        stars = [*self._stars()]
        for node in self.module.nodes:
            match node:
                case ast.Name(id=name) if name in words and name not in bindings:
                    if any(self._may_be_old(f"{base}.{name}") for base in stars):
                        yield node.lineno, name
                case ast.Attribute(attr=attr) if attr in words:
                    meanings = self.module.meanings(node)
                    if any(old and self._may_be_old(old, len(meanings) == 1) for old in meanings):
                        yield node.lineno, attr
                case ast.ImportFrom() if base := self.module.base(node):
                    for alias in node.names:
                        dotted = f"{base}.{alias.name}"
                        if alias.name in words and self._may_be_old(dotted, is_certain=True):
                            yield alias.lineno, alias.name
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

    def _may_be_old(self, dotted: str, is_certain: bool = False) -> bool:
        """Return whether a name that is kept may be an old one.

        If its meaning is certain, it has its new name already, unless it is a type from another
        module of the program: that may only have imported it.
        """
        if last(self.names.new(dotted)) != last(dotted):
            return not is_certain
        return last(dotted)[0].isupper() and dotted.rpartition(".")[0] in self.known

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
            old = alias.asname or alias.name
            variable, name = self._variable(old), last(self.names.new(f"{base}.{alias.name}"))
            if alias.name != "*" and (name, variable) != (alias.name, old):
                plain = name == variable and not alias.asname
                yield self.source.replace(alias, name if plain else f"{name} as {variable}")

    def _new_functions(self) -> Iterator[Edit]:
        """Append an alias for the new name of each function that keeps its old one."""
        top, own = self.module.top, self.module.unit.name
        for name in sorted(top):
            new = last(self.names.dotted.get(f"{own}.{name}", name))
            if new == name or f"{own}.{name}" in self.known:
                continue
            if new in top and new not in self.variables:
                raise NameTakenError(new, top[new])
            if name not in self.variables:
                yield self.source.append(f"\n\n{new} = {name}\n")

    def _stars(self) -> Iterator[str]:
        """Yield the modules whose names are all imported."""
        for node in self.module.nodes:
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                yield self.module.base(node) or ""

    def _is_path(self, text: str) -> bool:
        """Return whether a string looks like the dotted path of something renamed."""
        if not re.fullmatch(r"[A-Za-z_]\w*(\.\w+)+", text) or len(text) > 1000:
            return False
        base = text.rpartition(".")[0]
        is_known = text in self.known or ("." in base and base in self.known)
        return is_known and self.names.new(text) != text


class _Source:
    """A source text, with methods to edit it at syntax tree nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
        self.starts = [0, *accumulate(map(len, self.lines))]

    def edit(self, node: _Node, old: str, new: str, behind: str = "") -> Edit:
        """Return an edit that replaces `old` at a node's start, or after a match of `behind`.

        Raises ValueError if `old` is not there.
        """
        start = self._offset(node.lineno, node.col_offset)
        if behind and (skipped := re.compile(behind).match(self.text, start)):
            start = skipped.end()
        return self._checked(start, old, new)

    def edit_end(self, node: _Node, old: str, new: str) -> Edit:
        """Return an edit that replaces `old` with `new` at the end of a node."""
        return self._checked(self._end(node) - len(old), old, new)

    def replace(self, node: _Node, new: str) -> Edit:
        """Return an edit that replaces a whole node."""
        return Edit(self._offset(node.lineno, node.col_offset), self._end(node), new)

    def append(self, new: str) -> Edit:
        """Return an edit that appends to the text."""
        return Edit(len(self.text), len(self.text), new)

    def _checked(self, start: int, old: str, new: str) -> Edit:
        end = start + len(old)
        if old != new and self.text[start:end] != old:
            raise ValueError(f"`{old}` is written in an unusual way")
        return Edit(start, end, new) if old != new else Edit(start, start, "")

    def _end(self, node: _Node) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        """Return the offset of a position in the text; columns count UTF-8 bytes."""
        text = self.lines[line - 1]
        before = text if text.isascii() else text.encode()[:column].decode()
        return self.starts[line - 1] + len(before[:column])
