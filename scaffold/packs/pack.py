"""Read packs from disk: each pack's table and the text of its templates.

A pack is a folder with a `pack.toml`, templates (`*.j2`), each at the path of its output, and source
files (`runtime/`), which are copied. The built-in packs are read by the same code as a team's, and
each is untrusted until checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.packs import builtin_packs
from scaffold.packs.parts import EXECUTABLES, TABLE, Parts, builtin_parts, is_copied, read_parts
from scaffold.packs.table import Table, parse_table, suggestion

_MARKERS = re.compile(r"^(?:<<<<<<<|>>>>>>>)(?= |$)", re.MULTILINE)
_EXTENDS = re.compile(r"""\{%[-+]?\s*extends\s+["']@([\w-]+)/([^"']+)["']""")
_TAG = re.compile(
    r"\{%[-+]?\s*(?:block\s+(?P<name>\w+)(?:\s+(?:scoped|required))*|endblock(?:\s+\w+)?)\s*[-+]?%\}"
)
"""A tag that begins or ends a block."""


class Pack(Struct, frozen=True):
    """A checked pack: its table, and its templates and files to copy by their path in `folder`.

    `executables` are the paths of the files to copy that are executable in its repository.
    """

    folder: Path
    table: Table
    templates: Mapping[str, str]
    copied: Mapping[str, bytes]
    executables: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The name that other packs use in `extends`, and for templates in `@name/path`."""
        return self.table.name

    @property
    def builtin(self) -> bool:
        """Whether the pack came with mcp-scaffold."""
        return self.folder.is_relative_to(builtin_packs())


def read_layers(folder: Path) -> tuple[Pack, ...]:
    """Read the pack in `folder` and those that it extends, the topmost first; see `stacked`."""
    return stacked([read_pack(folder)])


def stacked(tops: Sequence[Pack]) -> tuple[Pack, ...]:
    """Return the layers `tops`, followed by the built-in ones that the last one extends.

    Raises ScaffoldError if it extends no built-in pack, or if two layers have one name.
    """
    layers = [*tops]
    while name := layers[-1].table.extends:
        hint = None
        if name not in pack_names():
            message, hint = f"no built-in pack `{name}`", suggestion(name, pack_names())
        elif name in (pack.name for pack in layers):
            message = f"pack `{name}` extends itself"
        else:
            layers.append(read_pack(builtin_packs() / name))
            continue
        raise ScaffoldError.of("pack-extends", message, layers[-1].table.extends_place, hint)
    names = [pack.name for pack in layers]
    if clash := next((name for name in names if names.count(name) > 1), None):
        message = f"a pack cannot be called `{clash}`: that is another layer's name"
        raise ScaffoldError.of("pack-extends", message, tops[-1].folder)
    return tuple(layers)


def pack_names() -> list[str]:
    """Return the names of the built-in packs."""
    return sorted(table.parent.name for table in builtin_packs().glob(f"*/{TABLE}"))


def read_pack(folder: Path) -> Pack:
    """Read one pack. Raises ScaffoldError with every fault of its table, or else its templates."""
    if folder.parent != builtin_packs():
        return pack_of(read_parts(folder), folder)
    name = f"{folder.name}/"
    every = builtin_parts().items()
    return pack_of({p.removeprefix(name): data for p, data in every if p.startswith(name)}, folder)


def pack_of(parts: Parts, folder: Path, name: str | None = None) -> Pack:
    """Return the pack of these parts, which are or will be in `folder`.

    With `name`, they are a project's own templates: these need no table, and cannot choose what
    they extend. Raises ScaffoldError with every fault of the table, or else of the templates.
    """
    table = parse_table(parts.get(TABLE), folder / TABLE, name)
    faults: list[Diagnostic] = []
    copied = {path: data for path, data in parts.items() if is_copied(path)}
    others = (*copied, TABLE, EXECUTABLES)
    templates = {path: data for path, data in parts.items() if path not in others}
    texts = dict(_texts(templates, folder, faults))
    if faults:
        raise ScaffoldError(faults)
    executables = frozenset(parts.get(EXECUTABLES, b"").decode(errors="replace").splitlines())
    return Pack(folder, table, texts, copied, executables)


def _texts(templates: Parts, folder: Path, faults: list[Diagnostic]) -> Iterator[tuple[str, str]]:
    for path, data in templates.items():
        place = Place(str(folder / path))
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"the template cannot be read: {error}"
            faults.append(Diagnostic("pack-template", message, place))
            continue
        if match := _MARKERS.search(text):
            line = text.count("\n", 0, match.start()) + 1
            message = "the template has unresolved conflict markers"
            hint = "resolve the conflict, and remove the markers"
            faults.append(Diagnostic("pack-template", message, Place(place.path, line), hint))
        yield path, text


class Extended(NamedTuple):
    """The template that another extends, and the line of the tag that names it."""

    pack: str
    path: str
    line: int


def extended_by(template: str) -> Extended | None:
    """Return the template that another extends by the name of its layer, or None."""
    if match := _EXTENDS.search(template):
        return Extended(match[1], match[2], template.count("\n", 0, match.start()) + 1)
    return None


def block_texts(template: str) -> dict[str, str]:
    """Return the text of each block of a template, by name, in order; a block can hold others."""
    texts: dict[str, str] = {}
    begun: list[tuple[str, int]] = []
    for tag in _TAG.finditer(template):
        if name := tag["name"]:
            texts[name] = ""
            begun.append((name, tag.end()))
        elif begun:
            name, start = begun.pop()
            texts[name] = template[start : tag.start()].strip("\n")
    return texts
