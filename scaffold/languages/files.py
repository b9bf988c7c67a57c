"""The part of a language that moving and merging the files of a project needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, Protocol

from msgspec import Struct

from scaffold.base.files import RelPath


class NameTakenError(Exception):
    """A module already uses the new name of its function for something else."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name)
        self.name, self.line = name, line


class Rewritten(Struct, frozen=True):
    """A text that uses new names.

    `unsure` are old names that were left alone because their meaning is uncertain, each with its
    line.
    """

    text: str
    unsure: tuple[tuple[int, str], ...] = ()


class Renaming(NamedTuple):
    """The new names of a package and in it, and the paths of what may use the old ones.

    `package` has the old and the new name of the package, `names` maps old dotted names to new ones.
    `modules` are the paths of the project's code in the lock. `files` are those of all files, before
    and now.
    """

    package: tuple[str, str]
    names: Mapping[str, str]
    modules: Collection[RelPath]
    files: Collection[RelPath]


class Rewriter(Protocol):
    """The renames of one update, applied to the code of its project."""

    def rewrite(self, path: RelPath, text: str) -> Rewritten:
        """Return the code with the new names; `path` is the file's path in the lock.

        Raises NameTakenError, and SyntaxError for text that is not code of the language.
        """

    def mentions(self, text: str) -> bool:
        """Return whether an old name occurs in a text, whatever it means there."""


class Import(NamedTuple):
    """What code imports: `name` from `module`, and the line; `name` is empty for a whole module.

    `module` is a path without its suffix, or the end of one: `blog_search/_generated/contract`.
    """

    module: str
    name: str
    line: int


class CodeFiles(Protocol):
    """The files with code in a language. Every run asks for these: they import nothing slow."""

    def is_source(self, path: str) -> bool:
        """Return whether a file is code of the language."""

    def package(self, path: RelPath) -> RelPath | None:
        """Return where a module's code is after someone turns the module into a package."""

    def rewriter(self, renaming: Renaming) -> Rewriter:
        """Return a rewriter for the code of a project."""

    def definitions(self, text: bytes) -> frozenset[str]:
        """Return the top-level names that a generated module defines."""

    def imports(self, text: str, path: str = "") -> Iterator[Import]:
        """Yield all imports of a module at `path`, nested ones too; none if it does not parse."""

    def possible_imports(self, text: str, path: str = "") -> Iterator[Import]:
        """Yield what `imports` does, and maybe more, in less time; their lines are 0."""
