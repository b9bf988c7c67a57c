"""Renames in a Python package since its last update."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field


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
