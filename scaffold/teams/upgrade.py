"""Create a project with a pack, and plan its upgrade to another version of the pack."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from packaging.version import InvalidVersion, Version

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.new import Created, new
from scaffold.commands.regenerate import Update, lock_of, plan
from scaffold.disk.apply import recover
from scaffold.disk.create import refuse_unless_vacant
from scaffold.disk.records import PACK, SOURCE, Metadata
from scaffold.format.check import load
from scaffold.languages.registry import DEFAULT
from scaffold.packs.pack import pack_names
from scaffold.packs.parts import chosen_in, read_parts
from scaffold.project import chosen
from scaffold.project.inputs import RESTORE, Packs, read_packs
from scaffold.project.pack_record import Record, fingerprint, read_record
from scaffold.teams.address import check_version, parse_address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import TeamPack, builtin_pack, fetch_pack
from scaffold.yaml.source import read

_HEADING = re.compile(r"#{1,4} +(?:version +)?\[?v?(\d[\w.+-]*)", re.IGNORECASE)


class Upgrade(Struct, frozen=True):
    """A planned upgrade: the new pack, the update of the files, the changes in `.scaffold/`."""

    before: Record | None
    pack: TeamPack
    update: Update
    metadata: Metadata

    @property
    def is_news(self) -> bool:
        """Whether the pack or its answers differ from those of the project."""
        return self.before != self.pack.record

    @property
    def headline(self) -> str:
        """The old and the new version, on one line; the version alone if it stays."""
        before, now = self.before, self.pack.record
        is_same = before and (before.source, before.version) == (now.source, now.version)
        if is_same and before and before.commit != now.commit:  # a branch, or a tag that has moved
            return f"{now.version} ({str(before.commit)[:8]} → {str(now.commit)[:8]})"
        versions = (record.version or record.source for record in (before or now, now))
        return " → ".join(dict.fromkeys(versions))

    @property
    def notes(self) -> str:
        """The authors' notes about the versions in between, as text; empty if there are none."""
        before, now = self.before.version if self.before else None, self.pack.record.version
        if before == now:
            return ""
        changes = notes(self.pack.changelog.replace("\r\n", "\n"), before, now)
        return "\n\n".join(filter(None, (changes, self.pack.messages.strip())))


def notes(text: str, before: str | None, now: str | None) -> str:
    """Return the sections of a changelog that follow version `before`, up to `now`.

    A section begins with a heading such as `## v1.2.0` or `## [1.2.0] - 2026-11-22`. Empty if a
    version is unknown, or on the way back to an older one.
    """
    older, newer = _version(before), _version(now)
    if older is None or newer is None:
        return ""
    version, level, sections = None, 0, ""
    for part in re.split(r"^(?=#{1,4} )", text, flags=re.MULTILINE):
        depth = len(part) - len(part.lstrip("#"))
        if version is None or depth <= level:
            heading = _HEADING.match(part)
            version, level = _version(heading and heading[1]), depth
        if version is not None and older < version <= newer:
            sections += part
    return sections.strip()


def _version(text: str | None) -> Version | None:
    try:
        return Version(text) if text else None
    except InvalidVersion:
        return None


def new_from_pack(
    spec: Path, dest: Path | None, source: str, asked: Asked, generator: str = ""
) -> Created:
    """Create the project of `spec` in `dest` with the pack that `source` names; see `with_pack`."""
    # Check first, so that nobody answers questions in vain.
    name = load(read(spec), chosen.ANY).spec.name
    dest = dest or Path(name)
    return with_pack(partial(new, spec, dest, generator=generator), dest, source, asked)


def with_pack(
    create: Callable[[Packs, Metadata], Created], dest: Path, source: str, asked: Asked
) -> Created:
    """Return what `create` makes in `dest` of a pack and its records.

    `source` is the name of a built-in pack, or a folder or address, with an optional `@VERSION`.
    Raises ScaffoldError as `fetch_pack` and `create` do, and before any question if `dest` is not
    vacant.
    """
    refuse_unless_vacant(dest)
    if source in pack_names():
        pack = builtin_pack(source)
    else:
        pack = fetch_pack(parse_address(source), source_of(source, dest), asked)
    with pack.locating(Path()):
        created = create(pack.packs, pack.metadata({}))
    warnings = (*pack.located(created.warnings, Path()), *pack.warnings)
    return replace(created, warnings=warnings)


def has_builtin_pack(root: Path) -> bool:
    """Return whether the project at `root` has no pack of a team.

    Raises ScaffoldError if it is no project, or has a pack without a record (`pack-missing`).
    """
    lock_of(root)
    if read_record(root):
        return False
    read_packs(root)
    return True


def plan_upgrade(root: Path, source: str | None, version: str | None, asked: Asked) -> Upgrade:
    """Fetch `version` of the project's pack, by default the newest, and plan the update with it.

    A pack that came from an unversioned folder is read from that folder again. `source` is the
    pack's new address or the name of a built-in pack, by default the recorded one. Recorded answers
    are kept. Nothing is written. Raises ScaffoldError as `fetch_pack` and `plan` do, and if the
    project has no pack (`pack-none`) or someone has edited it (`pack-edited`).
    """
    recover(root)
    record, present = read_record(root), read_parts(root / PACK)
    if record and present and fingerprint(present) != record.sha256:
        message = f"`{PACK}` was edited, and an upgrade would undo the edit"
        raise ScaffoldError.of("pack-edited", message, root / PACK, RESTORE)
    if source in pack_names():
        if version or asked.given:
            message = f"`{source}` is a built-in pack, which has no versions and no questions"
            raise ScaffoldError.of("pack-version", message, "--pack")
        pack = builtin_pack(source)
        record = record or builtin_pack((present and chosen_in(present)) or DEFAULT).record
    else:
        pack = _fetched(root, record, source, version, asked)
    packs = read_packs(root, pack.parts)
    with pack.locating(root):
        update = plan(root, packs)
    warnings = (*pack.located(update.warnings, root), *pack.warnings)
    update = replace(update, warnings=warnings)
    return Upgrade(record, pack, update, pack.metadata(present))


def _fetched(
    root: Path, record: Record | None, source: str | None, version: str | None, asked: Asked
) -> TeamPack:
    """Fetch the pack that a project is upgraded to; see `plan_upgrade`."""
    if version:
        check_version(version)
    held = record.version if record and source is None else None
    if source:
        address, source = parse_address(source), source_of(source, root)
    elif record:
        address, source = parse_address(record.source, root), record.source
    else:
        read_packs(root)
        message = "the project uses a built-in pack, which is upgraded with mcp-scaffold"
        hint = "to switch to another pack, use `--pack` with its name or address"
        raise ScaffoldError.of("pack-none", message, root / SOURCE, hint)
    address = replace(address, version=version or address.version)
    asked = replace(asked, answers=record.answers if record else {})
    return fetch_pack(address, source, asked, held)


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
