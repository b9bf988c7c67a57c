"""Packs on disk into values: each one's table of files and the text of its templates.

A pack is a folder with a `pack.toml` and templates (`*.j2`), each at the path of its output. The
built-in packs are read by the same code as a team's, and each is hostile until checked.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import Owner, RelPath

CONTRACT = 1
"""The number of the contract between packs and mcp-scaffold, `templates/README.md`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a pack's table: a template and the file, or files, that it makes.

    `path` is a small template itself. `each` fans out over a collection of the project: `"tool"`
    makes one file for each of `project.tools`, which the template sees as `tool`. `when` names what
    must be true for the file to be made, as the template sees it: `"project.http"`, `"tool.stub"`.
    """

    template: str
    path: str
    owner: Owner
    each: str | None
    when: str | None
    executable: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Pack:
    """A checked pack; `templates` are the texts by their path in `folder`."""

    name: str
    folder: Path
    extends: str | None
    rows: tuple[Row, ...]
    templates: Mapping[str, str]


def builtin_packs() -> Path:
    """The folder of the packs that come with mcp-scaffold: in the wheel, or beside the package."""
    package = Path(__file__).parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def read_layers(folder: Path, packs: Path | None = None) -> tuple[Pack, ...]:
    """Read the pack in `folder` and those that it extends, the topmost first.

    What a pack extends is looked up by its name in `packs`, by default the built-in ones. Raises
    ScaffoldError with every fault of the first pack that has any.
    """
    packs = builtin_packs() if packs is None else packs
    layers = [read_pack(folder)]
    while name := layers[-1].extends:
        place = Place(str(layers[-1].folder / "pack.toml"))
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
    """Read one pack. Raises ScaffoldError with every fault of its table."""
    source = _Source.read(folder)
    faults = list(_faults(source.data, _PACK_KEYS, source))
    rows = source.data.get("files", []) if not faults else []
    for number, row in enumerate(rows):
        faults += _faults(row, _ROW_KEYS, source, number)
    if faults:
        raise ScaffoldError(faults)
    return Pack(
        source.data["name"],
        folder,
        source.data.get("extends"),
        tuple(
            Row(
                row["template"],
                row.get("path", row["template"].removesuffix(".j2")),
                Owner(row["owner"]),
                row.get("each"),
                row.get("when"),
                row.get("executable", False),
                source.place(number, "path" if "path" in row else "template"),
            )
            for number, row in enumerate(rows)
        ),
        MappingProxyType(dict(_templates(folder))),
    )


def project_path(path: str) -> RelPath:
    """Check a path that a pack claims in a project. Raises ValueError that says what is wrong."""
    parts = path.casefold().split("/")
    if ".git" in parts or parts[0] == ".scaffold" or path == "mcp.yaml":
        raise ValueError(f"`{path}` is not a pack's to write")
    if any(part.endswith((".", " ")) for part in parts):
        raise ValueError(f"`{path}` is not a portable path")
    return RelPath(path)


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """A hint: the known word that is most like `word`, or else all there are."""
    names = list(known)
    if close := difflib.get_close_matches(word, names, n=1):
        return f"did you mean `{close[0]}`?"
    return "there is " + ", ".join(f"`{name}`" for name in names) if names else None


@dataclass(frozen=True, slots=True)
class _Key:
    """What a key of the table may hold: a TOML type, a pattern of its text, and both in words."""

    kind: type
    pattern: str
    words: str
    required: bool = False


_PACK_KEYS = {
    "name": _Key(str, "[a-z][a-z0-9-]*", "small letters, digits and hyphens", required=True),
    "contract": _Key(int, str(CONTRACT), f"the number {CONTRACT}", required=True),
    "extends": _Key(str, "[a-z][a-z0-9-]*", "the name of a pack"),
    "files": _Key(list, r"(?s)\[(\{.*\})?\]", "a list of tables, each under `[[files]]`"),
}
_ROW_KEYS = {
    "template": _Key(str, r".+\.j2", "the path of a `.j2` file in the pack", required=True),
    "path": _Key(str, ".+", "a path below the project"),
    "owner": _Key(str, "|".join(Owner), " or ".join(f"`{o}`" for o in Owner), required=True),
    "each": _Key(str, "[a-z][a-z_]*", "a name in the singular, such as `tool`"),
    "when": _Key(str, r"[a-z]\w*(\.[a-z]\w*)+", "a dotted name, such as `project.http`"),
    "executable": _Key(bool, "True|False", "true or false"),
}


def _faults(
    data: Mapping[str, Any], keys: Mapping[str, _Key], source: _Source, row: int | None = None
) -> Iterator[Diagnostic]:
    for key in data.keys() - keys.keys():
        hint = suggestion(key, keys)
        yield Diagnostic("pack-key", f"unknown key `{key}`", source.place(row, key), hint)
    for key, allowed in keys.items():
        if key not in data:
            if allowed.required:
                yield Diagnostic("pack-key", f"the key `{key}` is missing", source.place(row))
            continue
        value = data[key]
        if type(value) is not allowed.kind or not re.fullmatch(allowed.pattern, str(value)):
            message = f"`{key}` is not {allowed.words}"
            hint = suggestion(str(value), Owner) if key == "owner" else None
            yield Diagnostic("pack-value", message, source.place(row, key), hint)
        elif key == "path":
            try:
                project_path(re.sub(r"\{\{.*?\}\}", "x", str(value)))
            except ValueError as error:
                yield Diagnostic("pack-path", str(error), source.place(row, key))


def _templates(folder: Path) -> Iterator[tuple[str, str]]:
    """Each template's path in the pack and its text. Raises ScaffoldError for the first bad one."""
    for parent, _, files in os.walk(folder):
        for path in (Path(parent, file) for file in files if file.endswith(".j2")):
            try:
                if path.is_symlink():
                    raise ValueError("a template may not be a link")
                yield path.relative_to(folder).as_posix(), path.read_text("utf-8")
            except (OSError, ValueError) as error:
                message = f"the template cannot be read: {error}"
                raise ScaffoldError(
                    [Diagnostic("pack-template", message, Place(str(path)))]
                ) from error


@dataclass(frozen=True, slots=True)
class _Source:
    """A `pack.toml` as data and as lines, since `tomllib` does not say where things stand."""

    path: Path
    data: Mapping[str, Any]
    lines: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> _Source:
        path = folder / "pack.toml"
        try:
            text = path.read_text("utf-8")
            return cls(path, tomllib.loads(text), tuple(text.splitlines()))
        except (OSError, ValueError, RecursionError) as error:
            line = re.search(r"at line (\d+), column (\d+)", str(error))
            place = Place(str(path), *(map(int, line.groups()) if line else ()))
            message = f"the pack's table cannot be read: {error}"
            raise ScaffoldError([Diagnostic("pack-syntax", message, place)]) from error

    def place(self, row: int | None = None, key: str | None = None) -> Place:
        """Where `key` stands in the nth row or, without a row, at the top."""
        heads = [n for n, line in enumerate(self.lines) if re.match(r"\s*\[\[\s*files\b", line)]
        bounds = [0, *heads, len(self.lines)]
        at = 0 if row is None else row + 1
        if at >= len(bounds) - 1:
            return Place(str(self.path))
        for number in range(bounds[at], bounds[at + 1]):
            if key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", self.lines[number]):
                return Place(str(self.path), number + 1, 1, len(key), self.lines[number])
        return Place(str(self.path), bounds[at] + 1) if row is not None else Place(str(self.path))
