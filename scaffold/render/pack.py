"""Packs on disk into layers of values: each pack's table and the text of its templates.

A pack is a folder with a `pack.toml` and templates (`*.j2`), each at the path of its output. The
built-in packs are read by the same code as a team's, and each is hostile until checked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.render import builtin_packs
from scaffold.render.table import Table, read_table, suggestion


@dataclass(frozen=True, slots=True)
class Pack:
    """A checked pack: its table, and its templates by their path in `folder`."""

    folder: Path
    table: Table
    templates: Mapping[str, str]

    @property
    def name(self) -> str:
        """What other packs call it: `extends = "python"`, `@python/README.md.j2`."""
        return self.table.name


def read_layers(folder: Path, packs: Path | None = None) -> tuple[Pack, ...]:
    """Read the pack in `folder` and those that it extends, the topmost first.

    What a pack extends is looked up by its name in `packs`, by default the built-in ones. Raises
    ScaffoldError with every fault of the first pack that has any.
    """
    packs = builtin_packs() if packs is None else packs
    layers = [read_pack(folder)]
    while name := layers[-1].table.extends:
        place = layers[-1].table.extends_place
        known = sorted(table.parent.name for table in packs.glob("*/pack.toml"))
        if name not in known:
            hint = suggestion(name, known)
            raise ScaffoldError([Diagnostic("pack-extends", f"no pack `{name}`", place, hint)])
        if name in (pack.name for pack in layers):
            message = f"pack `{name}` extends itself"
            raise ScaffoldError([Diagnostic("pack-extends", message, place)])
        layers.append(read_pack(packs / name))
    return tuple(layers)


def read_pack(folder: Path) -> Pack:
    """Read one pack. Raises ScaffoldError with every fault of its table, or of its templates."""
    table = read_table(folder / "pack.toml")
    templates: dict[str, str] = {}
    faults: list[Diagnostic] = []
    for path in _files(folder):
        try:
            if path.is_symlink():
                raise ValueError("it is a link")
            templates[path.relative_to(folder).as_posix()] = path.read_bytes().decode()
        except (OSError, ValueError) as error:
            message = f"the template cannot be read: {error}"
            faults.append(Diagnostic("pack-template", message, Place(str(path))))
    if faults:
        raise ScaffoldError(faults)
    return Pack(folder, table, MappingProxyType(templates))


def _files(folder: Path) -> Iterator[Path]:
    for parent, _, files in os.walk(folder):
        yield from (Path(parent, file) for file in sorted(files) if file.endswith(".j2"))
