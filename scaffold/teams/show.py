"""Show the layers of a project or a pack, and their sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.disk.records import LOCK
from scaffold.packs import builtin_packs
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import Pack, block_texts, pack_names, read_layers, stacked, stored
from scaffold.packs.parts import TABLE
from scaffold.packs.table import suggestion
from scaffold.project.generate import layers_at
from scaffold.project.inputs import read_packs
from scaffold.project.pack_record import Beneath, Record, read_record
from scaffold.teams.address import parse_address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import fetch_pack
from scaffold.teams.questions import QUESTIONS

_INDENT = " " * 14
_EXTENDS = re.compile(r"\{%-?\s*extends\s+[\"']([^\"']+)[\"']")


class Shown(Struct, frozen=True):
    """Layers, the topmost first, and the record of the team pack's source.

    With `texts`, each block is shown with its default text.
    """

    layers: tuple[Pack, ...]
    record: Record | None
    texts: bool = False


def of_project(root: Path) -> Shown:
    """Return the layers of the project at `root`. Raises ScaffoldError if one cannot be read."""
    return Shown(layers_at(root, read_packs(root)), read_record(root))


def of(what: str, asked: Asked) -> Shown:
    """Return the layers of the project or pack in the folder `what`, or of a built-in pack.

    `asked` answers the questions of a pack in a folder; the others get its defaults. Raises
    ScaffoldError if there is none of these, and as `fetch_pack` does.
    """
    if what in pack_names():
        return Shown(read_layers(builtin_packs() / what), None, texts=True)
    folder = Path(what)
    if (folder / LOCK).exists():
        return of_project(folder)
    if any((folder / name).exists() for name in (TABLE, *QUESTIONS)):
        pack = fetch_pack(parse_address(what), what, replace(asked, defaults=True))
        return Shown(stacked([*stored(pack.parts, folder)]), pack.record, texts=True)
    message = f"`{what}` is neither a project nor a pack"
    hint = suggestion(what, pack_names())
    raise ScaffoldError.of("no-project", message, what, hint)


def listed(root: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """Return a line for each pack of the project at `root`, if any, and each other built-in one.

    The same follows as JSON: their names, and whether the project uses them. Raises ScaffoldError
    as `of_project` does.
    """
    shown = of_project(root) if (root / LOCK).exists() else Shown((), None)
    others = [name for name in pack_names() if name not in {pack.name for pack in shown.layers}]
    lines = [headline(pack, shown.record) for pack in shown.layers]
    rows = [{"name": p.name, "builtin": p.builtin, "used": True} for p in shown.layers]
    rows += [{"name": name, "builtin": True, "used": False} for name in others]
    return [*lines, *(f"{name}: built in" for name in others)], rows


def described(shown: Shown) -> Iterator[str]:
    """Yield lines for each layer: its source, the answers, its files and their blocks."""
    for pack in shown.layers:
        yield from _layer(pack, shown)


def as_json(shown: Shown) -> dict[str, Any]:
    """Return the same as JSON: `record` as in `.scaffold/pack.json`, and `packs`, topmost first."""
    return {
        "record": to_builtins(shown.record) if shown.record else None,
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
                "templates": {p: [*block_texts(t)] for p, t in sorted(pack.templates.items())},
                "blocks": {path: block_texts(t) for path, t in sorted(pack.templates.items())},
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
    assert record is not None
    of = _beneath(pack, record) or record
    commit = f", commit {of.commit[:12]}" if of.commit else ""
    return f"{pack.name} {of.version or ''}".rstrip() + f": {of.source}{commit}"


def _beneath(pack: Pack, record: Record) -> Beneath | None:
    return next((one for one in record.beneath if one.name == pack.name), None)


def _layer(pack: Pack, shown: Shown) -> Iterator[str]:
    record = shown.record
    yield headline(pack, record)
    if pack.table.extends:
        yield f"  extends {pack.table.extends}"
    of_team = record and not pack.builtin and pack.name != PROJECT
    if of_team and record and not _beneath(pack, record):
        for name, answer in record.answers.items():
            asked = record.questions.get(name)
            value = json.dumps(answer, ensure_ascii=False)
            yield f"  answer {name} = {value}" + (f"  ({asked})" if asked else "")
    beneath = shown.layers[shown.layers.index(pack) + 1 :]
    rows = pack.table.rows
    for row in rows:
        each, when = f", each {row.each}" * bool(row.each), f", when {row.when}" * bool(row.when)
        yield f"  {row.owner:9} {row.path}{each}{when}"
        yield from _of(pack, row.template, beneath, shown.texts)
    for path in sorted({*pack.templates, *pack.copied} - {row.template for row in rows}):
        yield f"  template  {path}"
        yield from _of(pack, path, beneath, shown.texts)


def _of(pack: Pack, path: str, beneath: Sequence[Pack], texts: bool) -> Iterator[str]:
    """Yield how a template relates to those of lower layers, and its blocks.

    With `texts`, yield the default text of each block too: that of the layer at the bottom.
    """
    text = pack.templates.get(path)
    if path in pack.copied:
        yield f"{_INDENT}copied from {path}"
        return
    if text is None:
        yield f"{_INDENT}of {path}"
        return
    extended = _EXTENDS.search(text)
    original = next((f"@{below.name}/{path}" for below in beneath if path in below.templates), "")
    if extended:
        yield f"{_INDENT}extends {extended[1]}"
    elif original:
        yield f"{_INDENT}replaces {original}"
    own = block_texts(text)
    if named := ", ".join(own):
        yield f"{_INDENT}{'fills' if extended else 'blocks'}: {named}"
    if texts:
        defaults = dict(own)
        for below in beneath if extended else ():
            defaults |= block_texts(below.templates.get(path, ""))
        for name in own:
            if default := defaults[name]:
                yield f"{_INDENT}{name}, by default:"
                yield from (f"{_INDENT}  {line}" for line in default.split("\n"))
