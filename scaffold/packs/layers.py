"""The layers of a project's templates: its own, its pack, and the packs beneath."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from scaffold.base.diagnostics import ScaffoldError
from scaffold.languages.registry import DEFAULT
from scaffold.packs import builtin_packs
from scaffold.packs.pack import Pack, pack_names, pack_of, read_pack, stacked
from scaffold.packs.parts import TABLE, Parts, chosen_in, is_runtime

PROJECT = "project"
"""The name of the layer of a project's own templates."""

_NOTE = re.compile(r"\{?# Ejected from @(?P<origin>\S+), which was (?P<hash>[0-9a-f]{12})\.")


def project_layers(
    templates: Parts, templates_at: Path, team: Parts, team_at: Path
) -> tuple[Pack, ...]:
    """Return the layers of a project, topmost first: its own, its pack and what that extends.

    `team` are the parts of its pack, or choose a built-in one. Raises ScaffoldError with every
    fault of the first layer that has any, or if none has a language.
    """
    tops = [pack_of(templates, templates_at, PROJECT)] if templates else []
    name = chosen_in(team) if team else DEFAULT
    if name in pack_names():
        tops += [read_pack(builtin_packs() / name)]
    else:
        tops += [pack_of(team, team_at)]
    layers = stacked(tops)
    if not any("language" in pack.table.values for pack in layers):
        last = tops[-1]
        message = f"the pack `{last.name}` has no `language`, and extends no pack that has one"
        place = str(last.folder / TABLE)
        hint = f'add `extends = "{DEFAULT}"`, or `language = "plain"`'
        if last.builtin:
            place = "--pack"
            hint = f"use the pack `{DEFAULT}`; packs of your own can extend this one"
        raise ScaffoldError.of("pack-alone", message, place, hint)
    return layers


def note(origin: str, original: str) -> str:
    """Return the first line of a copied template, which names its `origin`, a `pack/path`."""
    words = f"# Ejected from @{origin}, which was {short_hash(original)}."
    return f"{words}\n" if is_runtime(origin.partition("/")[2]) else f"{{{words} #}}\n"


def short_hash(original: str) -> str:
    """Return a short hash of a template's text, line ends folded."""
    return hashlib.sha256(original.replace("\r\n", "\n").encode()).hexdigest()[:12]


def ejected(text: str) -> tuple[str, str, str] | None:
    """Return the pack of an ejected template, its path there and the original's hash, or None."""
    match = _NOTE.match(text)
    if not match:
        return None
    pack, _, path = match["origin"].partition("/")
    return pack, path, match["hash"]
