"""Layers of packs, and the record of where one comes from, into text for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from scaffold import pipeline
from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.records import LOCK
from scaffold.inputs import read_packs
from scaffold.packs.record import Record, read_record
from scaffold.render import builtin_packs
from scaffold.render.layers import PROJECT
from scaffold.render.pack import Pack, pack_names, read_layers
from scaffold.render.table import Row, suggestion

_BLOCK = re.compile(r"\{%-?\s*block\s+(\w+)")
_EXTENDS = re.compile(r"\{%-?\s*extends\s+[\"']([^\"']+)[\"']")


def blocks(template: str) -> list[str]:
    """The names of the blocks of a template, in their order."""
    return _BLOCK.findall(template)


def listed(root: Path) -> Iterator[str]:
    """The packs of the project at `root`, if there is one, and the other built-in ones, a line each.

    Raises ScaffoldError as `read_packs` does.
    """
    layers, record = _of_project(root) if (root / LOCK).exists() else ((), None)
    yield from (headline(pack, record) for pack in layers)
    yield from (f"{name}: built in" for name in pack_names() if name not in _names(layers))


def described(what: str) -> Iterator[str]:
    """Each layer, the topmost first, of the project in the folder `what`, or of that built-in pack.

    Where it is from, what it was told, what it makes and which blocks can be filled. Raises
    ScaffoldError where there is neither.
    """
    if what in pack_names():
        layers, record = read_layers(builtin_packs() / what), None
    elif (Path(what) / LOCK).exists():
        layers, record = _of_project(Path(what))
    else:
        hint = suggestion(what, pack_names())
        message = f"`{what}` is neither a project nor a built-in pack"
        raise ScaffoldError([Diagnostic("no-project", message, Place(what), hint)])
    for pack in layers:
        yield from _layer(pack, layers, record)


def _of_project(root: Path) -> tuple[tuple[Pack, ...], Record | None]:
    return pipeline.layers_at(root, read_packs(root)), read_record(root)


def _names(layers: Sequence[Pack]) -> set[str]:
    return {pack.name for pack in layers}


def headline(pack: Pack, record: Record | None) -> str:
    """A layer in a line: its name, its version, where it is from."""
    if pack.builtin:
        return f"{pack.name}: built in"
    if pack.name == PROJECT:
        return f"{pack.name}: templates/ of this project"
    if record is None:
        return f"{pack.name}: chosen when the project was made"
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
        yield f"  {row.owner:9} {_made(row)}" + _of(pack, row.template, beneath)
    for path in sorted(pack.templates.keys() - {row.template for row in rows}):
        yield f"  template  {path}" + _of(pack, path, beneath)


def _made(row: Row) -> str:
    """What a row makes, and when."""
    made = row.path + (f", each {row.each}" if row.each else "")
    return made + (f", when {row.when}" if row.when else "")


def _of(pack: Pack, path: str, beneath: Sequence[Pack]) -> str:
    """What a template has to do with those beneath, and which blocks it has."""
    text = pack.templates.get(path)
    if text is None:
        return f"\n              of {path}"
    extended = _EXTENDS.search(text)
    original = next((f"@{below.name}/{path}" for below in beneath if path in below.templates), "")
    relation = f"extends {extended[1]}" if extended else original and f"replaces {original}"
    named = ", ".join(blocks(text))
    verb = "fills" if extended else "blocks"
    lines = [relation, f"{verb}: {named}" if named else ""]
    return "".join(f"\n              {line}" for line in lines if line)
