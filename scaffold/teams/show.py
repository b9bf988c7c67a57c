"""Show the layers of a project's pack and their sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.records import LOCK
from scaffold.generate import layers_at
from scaffold.inputs import read_packs
from scaffold.packs import builtin_packs
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import Pack, pack_names, read_layers
from scaffold.packs.table import suggestion
from scaffold.teams.record import Record, read_record

_BLOCK = re.compile(r"\{%-?\s*block\s+(\w+)")
_INDENT = " " * 14
_EXTENDS = re.compile(r"\{%-?\s*extends\s+[\"']([^\"']+)[\"']")


def blocks(template: str) -> list[str]:
    """Return the names of the blocks of a template, in order."""
    return _BLOCK.findall(template)


@dataclass(frozen=True, slots=True)
class Shown:
    """Layers, the topmost first, and the record of the team pack's source."""

    layers: tuple[Pack, ...]
    record: Record | None


def of_project(root: Path) -> Shown:
    """Return the layers of the project at `root`. Raises ScaffoldError if one cannot be read."""
    return Shown(layers_at(root, read_packs(root)), read_record(root))


def of(what: str) -> Shown:
    """Return the layers of the project in the folder `what`, or of the built-in pack of that name.

    Raises ScaffoldError if there is neither.
    """
    if what in pack_names():
        return Shown(read_layers(builtin_packs() / what), None)
    if (Path(what) / LOCK).exists():
        return of_project(Path(what))
    message = f"`{what}` is neither a project nor a built-in pack"
    hint = suggestion(what, pack_names())
    raise ScaffoldError.of("no-project", message, what, hint)


def listed(root: Path) -> Iterator[str]:
    """Yield a line for each pack of the project at `root`, if any, and each other built-in one.

    Raises ScaffoldError as `of_project` does.
    """
    shown = of_project(root) if (root / LOCK).exists() else Shown((), None)
    yield from (headline(pack, shown.record) for pack in shown.layers)
    shown_names = {pack.name for pack in shown.layers}
    yield from (f"{name}: built in" for name in pack_names() if name not in shown_names)


def described(shown: Shown) -> Iterator[str]:
    """Yield lines for each layer: its source, the answers, its files and their blocks."""
    for pack in shown.layers:
        yield from _layer(pack, shown.layers, shown.record)


def as_json(shown: Shown) -> dict[str, Any]:
    """Return the same as JSON: `record` as in `.scaffold/pack.json`, and `packs`, topmost first."""
    return {
        "record": asdict(shown.record) if shown.record else None,
        "packs": [
            {
                "name": pack.name,
                "extends": pack.table.extends,
                "without": pack.table.without,
                "builtin": pack.builtin,
                "files": [
                    {"template": r.template, "path": r.path, "owner": r.owner}
                    | {"each": r.each, "when": r.when, "executable": r.executable}
                    for r in pack.table.rows
                ],
                "templates": {path: blocks(text) for path, text in sorted(pack.templates.items())},
            }
            for pack in shown.layers
        ],
    }


def headline(pack: Pack, record: Record | None) -> str:
    """Return one line for a layer: its name, version and source."""
    if pack.builtin:
        return f"{pack.name}: built in"
    if pack.name == PROJECT:
        return f"{pack.name}: templates/ of this project"
    if record is None:
        return f"{pack.name}: chosen when the project was created"
    commit = f", commit {record.commit[:12]}" if record.commit else ""
    return f"{pack.name} {record.version or ''}".rstrip() + f": {record.source}{commit}"


def _layer(pack: Pack, layers: Sequence[Pack], record: Record | None) -> Iterator[str]:
    yield headline(pack, record)
    if pack.table.extends:
        yield f"  extends {pack.table.extends}"
    if record and not pack.builtin and pack.name != PROJECT:
        for name, answer in record.answers.items():
            asked = record.questions.get(name)
            shown = json.dumps(answer, ensure_ascii=False)
            yield f"  answer {name} = {shown}" + (f"  ({asked})" if asked else "")
    beneath = layers[layers.index(pack) + 1 :]
    rows = pack.table.rows
    for row in rows:
        each, when = f", each {row.each}" * bool(row.each), f", when {row.when}" * bool(row.when)
        yield f"  {row.owner:9} {row.path}{each}{when}"
        yield from _of(pack, row.template, beneath)
    for path in sorted(pack.templates.keys() - {row.template for row in rows}):
        yield f"  template  {path}"
        yield from _of(pack, path, beneath)


def _of(pack: Pack, path: str, beneath: Sequence[Pack]) -> Iterator[str]:
    """Yield how a template relates to those of lower layers, and its blocks."""
    text = pack.templates.get(path)
    if text is None:
        yield f"{_INDENT}of {path}"
        return
    extended = _EXTENDS.search(text)
    original = next((f"@{below.name}/{path}" for below in beneath if path in below.templates), "")
    if extended:
        yield f"{_INDENT}extends {extended[1]}"
    elif original:
        yield f"{_INDENT}replaces {original}"
    if named := ", ".join(blocks(text)):
        yield f"{_INDENT}{'fills' if extended else 'blocks'}: {named}"
