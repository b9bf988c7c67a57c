"""Apply renames to the modules of a project on disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from scaffold.files import RelPath
from scaffold.language import Rewritten
from scaffold.python.packages import SUFFIX
from scaffold.python.refactor.meanings import Program
from scaffold.python.refactor.names import NewNames, Unit
from scaffold.python.refactor.rename import renamed

_INIT = "/__init__"


class Rewriter:
    """New names, and the program used to resolve what a name means."""

    def __init__(
        self,
        package: tuple[str, str],
        names: Mapping[str, str],
        modules: Mapping[RelPath, Callable[[], str | None]],
        files: Collection[RelPath],
    ) -> None:
        self._names = NewNames(package, names)
        self._packages = {path for path in files if path.endswith(f"{_INIT}{SUFFIX}")}
        units = [(self._unit(path), read) for path, read in modules.items()]
        self._program = Program(self._names, {unit.name: (unit, read) for unit, read in units})

    def rewrite(self, path: RelPath, text: str) -> Rewritten:
        """Return a module with the new names. Raises NameTakenError or SyntaxError."""
        return renamed(text, self._program, self._unit(path))

    def mentions(self, text: str) -> bool:
        """Return whether an old name occurs in a text."""
        return not self._names.words.isdisjoint(re.findall(r"\w+", text))

    def _unit(self, path: RelPath) -> Unit:
        """Return the module at a path, under its old name."""
        folders = (f for f in path.folders if f.rpartition("/")[2] in self._names.package)
        above = next((f for f in folders if f"{f}{_INIT}{SUFFIX}" in self._packages), "")
        inside = path.removeprefix(above.rpartition("/")[0]).removeprefix("/").removesuffix(SUFFIX)
        dotted = inside.removesuffix(_INIT).replace("/", ".")
        return Unit(self._names.old(dotted) if above else dotted, inside.endswith(_INIT))
