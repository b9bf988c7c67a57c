"""What the stages that know no programming language ask of one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from scaffold.files import RelPath


class NameTakenError(Exception):
    """A module has something of its own under the name that its function is to have."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name)
        self.name, self.line = name, line


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text that uses new names.

    `unsure` are old names that were left because it is not certain what they mean, each with its
    line.
    """

    text: str
    unsure: tuple[tuple[int, str], ...] = ()


class Import(NamedTuple):
    """A name that code imports from a module, and the line; no name for a whole module."""

    module: str
    name: str
    line: int


class Rewriter(Protocol):
    """The renames of one update, applied to the code of its project."""

    def rewrite(self, path: RelPath, text: str) -> Rewritten:
        """Return the code with the new names; `path` is where the lock knows the file.

        Raises NameTakenError, and SyntaxError for text that is no code of the language.
        """

    def mentions(self, text: str) -> bool:
        """Whether an old name occurs in a text, whatever it means there."""


class Language(Protocol):
    """A programming language; a module of functions can be one."""

    def is_source(self, path: str) -> bool:
        """Whether a file is code of the language."""

    def is_cache(self, folder: str) -> bool:
        """Whether tools make a folder of this name, and make it again when it is gone."""

    def package(self, path: RelPath) -> RelPath | None:
        """Return where a module's code is after somebody has made a folder of the module."""

    def module(self, path: RelPath) -> str:
        """Return the name of a module without what it is in."""

    def is_reformatted(self, text: str, of: str) -> bool:
        """Whether a formatter may have made one text of the other."""

    def functions(self, text: bytes) -> frozenset[str]:
        """Return the functions that a module defines; none if it is no code."""

    def definitions(self, text: bytes) -> frozenset[str]:
        """Return all that a generated module defines."""

    def imports(self, text: str) -> Iterable[Import]:
        """Return what a module imports; nothing if it is no code."""

    def rewriter(
        self,
        package: tuple[str, str],
        names: Mapping[str, str],
        modules: Mapping[RelPath, Callable[[], str | None]],
        files: Collection[RelPath],
    ) -> Rewriter:
        """Return what follows renames: `package` is its old and new name, `names` maps old to new.

        `modules` gives the code of the project by the paths in the lock, `files` has those of all
        files, before and now.
        """
