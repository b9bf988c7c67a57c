"""Plan the upgrade of a project to another version of its team's pack."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.apply import recover
from scaffold.disk.records import PACK, SOURCE, Metadata
from scaffold.inputs import TEMPLATES, fingerprint
from scaffold.packs.parts import read_parts
from scaffold.regenerate import Update, plan
from scaffold.teams.address import check_version, parse_address
from scaffold.teams.asked import Asked
from scaffold.teams.fetching import TeamPack, fetch_pack
from scaffold.teams.record import Record, read_record


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A planned upgrade: the new pack, the update of the files, the changes in `.scaffold/`."""

    before: Record | None
    pack: TeamPack
    update: Update
    metadata: Metadata

    @property
    def headline(self) -> str:
        """The old and the new version, on one line."""
        now = self.pack.record
        was = f"{self.before.version or self.before.source} → " if self.before else ""
        return f"{was}{now.version or now.source}"


def plan_upgrade(root: Path, source: str | None, version: str | None, asked: Asked) -> Upgrade:
    """Fetch `version` of the project's pack, by default the newest, and plan the update with it.

    `source` is the pack's new address, by default the recorded one. Recorded answers are kept.
    Nothing is written. Raises ScaffoldError as `fetch_pack` and `plan` do, and if the
    project has no pack (`pack-none`) or someone has edited it (`pack-edited`).
    """
    recover(root)
    record = read_record(root)
    present = read_parts(root / PACK)
    if record and present and fingerprint(present) != record.sha256:
        hint = "restore the pack, and make the change in `templates/`, which upgrades keep"
        message = f"`{PACK}` was edited, and an upgrade would undo the edit"
        raise ScaffoldError.of("pack-edited", message, root / PACK, hint)
    if version:
        check_version(version)
    if source:
        address, source = parse_address(source), source_of(source, root)
    elif record:
        address, source = parse_address(record.source, root), record.source
    else:
        message = "the project uses a built-in pack, which is upgraded with mcp-scaffold"
        hint = "to switch to a pack of your team, use `--pack ADDRESS`"
        raise ScaffoldError.of("pack-none", message, root / SOURCE, hint)
    address = replace(address, version=version or address.version)
    answers = record.answers if record else {}
    pack = fetch_pack(address, source, replace(asked, answers=answers))
    own = read_parts(root / TEMPLATES)
    update = plan(root, {**pack.packs, **({TEMPLATES: own} if own else {})})
    return Upgrade(record, pack, update, pack.metadata(present))


def source_of(address: str, root: Path) -> str:
    """Return an address as the record of the project at `root` keeps it: without its version.

    A folder given by a relative path becomes relative to the project.
    """
    parsed = parse_address(address)
    if parsed.folder is None:
        return str(parsed.remote)
    if parsed.folder.is_absolute():
        return parsed.folder.as_posix()
    return Path(os.path.relpath(parsed.folder.resolve(), root.resolve())).as_posix()
