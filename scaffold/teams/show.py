"""Show the layers of a project or a pack, and their sources."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.disk.records import LOCK
from scaffold.packs import builtin_packs
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import (
    Pack,
    block_texts,
    extended_by,
    pack_names,
    pack_of,
    read_layers,
    stacked,
)
from scaffold.packs.table import suggestion
from scaffold.project.generate import layers_at
from scaffold.project.pack_record import Record, read_record
from scaffold.teams.address import parse_address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import fetch_pack, is_pack

_INDENT = " " * 14


class Shown(Struct, frozen=True):
    """Layers, the topmost first, and the record of the team pack's source.

    With `texts`, each block is shown with its default text.
    """

    layers: tuple[Pack, ...]
    record: Record | None
    texts: bool = False


def of_project(root: Path) -> Shown:
    """Return the layers of the project at `root`. Raises ScaffoldError if one cannot be read."""
    return Shown(layers_at(root), read_record(root))


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
    if is_pack(folder):
        pack = fetch_pack(parse_address(what), what, replace(asked, defaults=True))
        return Shown(stacked([pack_of(pack.parts, folder)]), pack.record, texts=True)
    message = f"`{what}` is neither a project nor a pack"
    hint = suggestion(what, pack_names())
    raise ScaffoldError.of("no-project", message, what, hint)


def listed(root: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return each pack of the project at `root`, if any, and each other built-in one.

    Each is a line and the same as JSON: its name, and whether the project uses it. Raises
    ScaffoldError as `of_project` does.
    """
    shown = of_project(root) if (root / LOCK).exists() else Shown((), None)
    used = {pack.name for pack in shown.layers}
    others = ((f"{name}: built in", name, True) for name in pack_names() if name not in used)
    ours = ((headline(pack, shown.record), pack.name, pack.builtin) for pack in shown.layers)
    return [
        (line, {"name": name, "builtin": builtin, "used": name in used})
        for line, name, builtin in (*ours, *others)
    ]


def described(shown: Shown) -> Iterator[str]:
    """Yield lines for each layer: its source, the answers, its files and their blocks."""
    for number, pack in enumerate(shown.layers):
        yield headline(pack, shown.record)
        if pack.table.extends:
            yield f"  extends {pack.table.extends}"
        if shown.record and _is_team_pack(pack):
            for name, answer in shown.record.answers.items():
                value, asked = json.dumps(answer, ensure_ascii=False), shown.record.questions[name]
                yield f"  answer {name} = {value}" + (f"  ({asked})" if asked else "")
        beneath, rows = shown.layers[number + 1 :], pack.table.rows
        for row in rows:
            each, when = (
                f", each {row.each}" * bool(row.each),
                f", when {row.when}" * bool(row.when),
            )
            yield f"  {row.owner:9} {row.path}{each}{when}"
            yield from _template(pack, row.template, beneath, shown.texts)
        for path in sorted({*pack.templates, *pack.copied} - {row.template for row in rows}):
            yield f"  template  {path}"
            yield from _template(pack, path, beneath, shown.texts)


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
                    {key: value for key, value in to_builtins(row).items() if key != "place"}
                    for row in pack.table.rows
                ],
                "blocks": {path: block_texts(t) for path, t in sorted(pack.templates.items())},
            }
            for pack in shown.layers
        ],
    }


def headline(pack: Pack, record: Record | None) -> str:
    """Return one line for a layer: its name, version and source."""
    if pack.builtin:
        return f"{pack.name}: built in"
    if record is None or not _is_team_pack(pack):
        return f"{pack.name}: templates/ of this project"
    commit = f", commit {record.commit[:12]}" if record.commit else ""
    return f"{pack.name} {record.version or ''}".rstrip() + f": {record.source}{commit}"


def _is_team_pack(pack: Pack) -> bool:
    return not pack.builtin and pack.name != PROJECT


def _template(pack: Pack, path: str, beneath: Sequence[Pack], texts: bool) -> Iterator[str]:
    """Yield how a template relates to those of lower layers, and its blocks.

    With `texts`, yield the default text of each block too: that of the layer at the bottom.
    """
    text = pack.templates.get(path)
    if text is None:
        yield f"{_INDENT}{'copied from' if path in pack.copied else 'of'} {path}"
        return
    extended, blocks = extended_by(text), block_texts(text)
    replaced = [below.name for below in beneath if path in below.templates]
    if extended:
        yield f"{_INDENT}extends @{extended.pack}/{extended.path}"
    elif replaced:
        yield f"{_INDENT}replaces @{replaced[0]}/{path}"
    if blocks:
        yield f"{_INDENT}{'fills' if extended else 'blocks'}: {', '.join(blocks)}"
    for below in beneath if extended else ():
        blocks |= {
            name: default
            for name, default in block_texts(below.templates.get(path, "")).items()
            if name in blocks
        }
    for name, default in blocks.items() if texts else ():
        if default:
            yield f"{_INDENT}{name}, by default:"
            yield from (f"{_INDENT}  {line}" for line in default.split("\n"))
