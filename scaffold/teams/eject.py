"""Copy a template of a pack to the project's `templates/` for editing, and keep it in sync."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean
from scaffold.base.files import RelPath
from scaffold.disk.diff import unified
from scaffold.disk.merge import merge
from scaffold.disk.records import ORIGINALS
from scaffold.disk.tree import Tree
from scaffold.packs.layers import PROJECT, ejected, note, short_hash
from scaffold.packs.pack import Pack
from scaffold.project.generate import layers_at
from scaffold.project.inputs import TEMPLATES
from scaffold.teams.folder import write_files


class Ejected(Struct, frozen=True):
    """A template copied to the project, and its origin.

    If `merged`, the copy existed and changes of the original were merged into it; `conflicts`
    counts the places where both had changed.
    """

    path: RelPath
    origin: str
    merged: bool = False
    conflicts: int = 0


def eject(root: Path, template: str) -> Ejected:
    """Copy `template` from the project's pack into `templates/`, with a note of its origin.

    If the copy exists, changes of the original since then are merged into it. `@name/…` names the
    template of the layer `name`. Raises ScaffoldError if no layer has it (`template-missing`), or if the
    project has a template there that is not a copy (`template-exists`).
    """
    layers = [p for p in layers_at(root) if p.name != PROJECT]
    pack, path = _find(layers, template)
    original, origin = pack.templates[path], f"{pack.name}/{path}"
    tree, target, kept = Tree(root), RelPath(f"{TEMPLATES}/{path}"), RelPath(f"{ORIGINALS}/{path}")
    present, base = tree.read(target), tree.read(kept)
    result, body = Ejected(target, origin), original
    if present is not None:
        text = present.text()
        if text is None or ejected(text) is None:
            message = f"`{target}` already exists, and is not a copy of `@{origin}`"
            raise ScaffoldError.of("template-exists", message, root / target, "move it away first")
        common = base.text() if base else None
        merged = merge(common or "", text.partition("\n")[2], original)
        body, result = merged.text, Ejected(target, origin, True, len(merged.conflicts))
    write_files({target: note(origin, original) + body, kept: original}, root)
    return result


def changed_originals(root: Path) -> Iterator[str]:
    """Yield a unified diff of each original that has changed since the project copied it."""
    layers = layers_at(root)
    tree = Tree(root)
    for path, text in layers[0].templates.items() if layers[0].name == PROJECT else ():
        if not (note := ejected(text)):
            continue
        name, original_path, hash = note
        originals = (pack.templates.get(original_path) for pack in layers if pack.name == name)
        now = next(originals, None) or ""
        kept = tree.read(RelPath(f"{ORIGINALS}/{path}"))
        before = (kept.text() if kept else None) or ""
        if short_hash(now) != hash:
            origin = f"@{name}/{original_path}"
            yield unified(before, now, f"a/{origin}", f"b/{origin}")


def _find(layers: Sequence[Pack], template: str) -> tuple[Pack, str]:
    name, path = "", template
    if template.startswith("@"):
        name, _, path = template[1:].partition("/")
    for wanted in (path, f"{path}.j2"):
        for pack in layers:
            if wanted in pack.templates and name in ("", pack.name):
                return pack, wanted
    known = sorted({path for pack in layers for path in pack.templates})
    hint = did_you_mean(path, known, "`mcp-scaffold pack show` lists all templates")
    raise ScaffoldError.of("template-missing", f"no template `{path}`", template, hint)
