"""Create a project with a pack of its own."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from scaffold import chosen
from scaffold.disk.create import refuse_unless_vacant
from scaffold.disk.records import PACK
from scaffold.new import Created, new
from scaffold.pack_record import pack_metadata
from scaffold.packs.layers import DEFAULT
from scaffold.packs.pack import pack_names
from scaffold.packs.parts import choosing
from scaffold.spec.check import load
from scaffold.teams.address import parse_address
from scaffold.teams.asked import Asked
from scaffold.teams.fetching import fetch_pack
from scaffold.teams.upgrade import source_of
from scaffold.yaml.source import read


def new_from_pack(spec: Path, dest: Path | None, source: str, asked: Asked) -> Created:
    """Create the project of `spec` in `dest` with the pack that `source` names.

    `source` is the name of a built-in pack, or a folder or address, with an optional `@VERSION`.
    Raises ScaffoldError as `fetch_pack` and `new` do.
    """
    if source == DEFAULT:
        return new(spec, dest)
    if source in pack_names():
        parts = choosing(source)
        return new(spec, dest, {PACK: parts}, pack_metadata(None, parts, {}))
    # Check first, so that nobody answers questions in vain.
    name = load(read(spec), chosen.rule()).spec.name
    dest = dest or Path(name)
    refuse_unless_vacant(dest)
    pack = fetch_pack(parse_address(source), source_of(source, dest), asked)
    with pack.locating(Path()):
        made = new(spec, dest, pack.packs, pack.metadata({}))
    warnings = (*pack.located(made.warnings, Path()), *pack.warnings)
    return replace(made, warnings=warnings)
