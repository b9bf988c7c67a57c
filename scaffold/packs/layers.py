"""The layers of a project's templates, and warnings about them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, Severity
from scaffold.diagnostics.wording import nearest
from scaffold.packs import builtin_packs
from scaffold.packs.pack import Pack, pack_of, read_pack, stacked
from scaffold.packs.parts import TABLE, Parts

DEFAULT = "python"
"""The built-in pack of a project that has no other."""

PROJECT = "project"
"""The name of the layer of a project's own templates."""

_NOTE = re.compile(r"\{# Ejected from @(?P<origin>\S+), which was (?P<hash>[0-9a-f]{12})\.")


def project_layers(
    templates: Parts, templates_at: Path, team: Parts, team_at: Path
) -> tuple[Pack, ...]:
    """Return the layers of a project, topmost first: its own, its pack and what that extends.

    Raises ScaffoldError with every fault of the first layer that has any.
    """
    tops = [pack_of(templates, templates_at, PROJECT)] if templates else []
    tops.append(pack_of(team, team_at) if team else read_pack(builtin_packs() / DEFAULT))
    return stacked(tops)


def note(origin: str, original: str) -> str:
    """Return the first line of a copied template, which names its `origin`, a `pack/path`."""
    return f"{{# Ejected from @{origin}, which was {short_hash(original)}. #}}\n"


def short_hash(original: str) -> str:
    """Return a short hash of a template's text, line ends folded."""
    return hashlib.sha256(original.replace("\r\n", "\n").encode()).hexdigest()[:12]


def ejected(text: str) -> tuple[str, str, str] | None:
    """Return the pack of an ejected template, its path there and the original's hash, or None."""
    found = _NOTE.match(text)
    if not found:
        return None
    pack, _, path = found["origin"].partition("/")
    return pack, path, found["hash"]


def remarks(layers: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield warnings for outdated ejected templates, and for unused ones that may be typos."""
    for number, pack in enumerate(layers):
        if pack.builtin:
            continue
        yield from _changed(pack, layers[number + 1 :])
        yield from _unused(pack, layers)


def _changed(pack: Pack, beneath: Sequence[Pack]) -> Iterator[Diagnostic]:
    for path, text in pack.templates.items():
        if not (was := ejected(text)):
            continue
        name, original_path, hash = was
        originals = [below.templates.get(original_path) for below in beneath if below.name == name]
        original = originals[0] if originals else None
        place = Place(str(pack.folder / path), 1, excerpt=text.partition("\n")[0])
        if original is None:
            message = (
                f"`@{name}/{original_path}`, of which this is a changed copy, is no longer there"
            )
            hint = "`mcp-scaffold pack show` lists the templates that there are"
        elif short_hash(original) != hash:
            message = f"`@{name}/{original_path}` has changed since this copy was made of it"
            if pack.name == PROJECT:
                hint = (
                    f"`mcp-scaffold pack show --diff` shows how; `pack eject {path}` merges it in"
                )
            else:
                hint = f"carry the change over, and note `{short_hash(original)}` in its first line"
        else:
            continue
        yield Diagnostic("template-changed", message, place, hint, Severity.WARNING)


def _unused(pack: Pack, layers: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield warnings for unused templates with a near-miss name and unknown ones in `without`."""
    rows = {row.template for layer in layers for row in layer.table.rows}
    every = [text for layer in layers for text in layer.templates.values()]
    known = {path for layer in layers if layer is not pack for path in layer.templates} | rows
    for path in sorted(pack.templates.keys() - rows):
        if any(path in text for text in every):
            continue
        if near := nearest(path, known, 0.8):
            message = f"nothing uses the template `{path}`"
            place = Place(str(pack.folder / path))
            hint = f"did you mean `{near}`?"
            yield Diagnostic("template-unused", message, place, hint, Severity.WARNING)
    for path in pack.table.without:
        if path not in known:
            message = f"`without` names `{path}`, which no pack beneath has"
            place = Place(str(pack.folder / TABLE))
            yield Diagnostic("template-unused", message, place, None, Severity.WARNING)
