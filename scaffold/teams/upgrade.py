"""Plan the upgrade of a project to another version of its team's pack."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError, Severity
from scaffold.disk.apply import recover
from scaffold.disk.records import PACK, SOURCE, Metadata
from scaffold.inputs import RESTORE, TEMPLATES, read_packs
from scaffold.pack_record import Beneath, Record, fingerprint, pack_metadata, read_record
from scaffold.packs.layers import DEFAULT, hiding
from scaffold.packs.pack import pack_names
from scaffold.packs.parts import Parts, choosing, chosen_in, read_parts
from scaffold.regenerate import Update, lock_of, plan
from scaffold.teams.address import check_version, parse_address
from scaffold.teams.asked import Asked
from scaffold.teams.fetching import TeamPack, fetch_pack
from scaffold.teams.git import is_version
from scaffold.teams.notes import notes


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
        """The old and the new version, on one line; the version alone if it stays.

        Packs that this one extends by their addresses follow, if their versions change.
        """
        now = self.pack.record
        own = " → ".join(
            dict.fromkeys(one.version or one.source for one in filter(None, (self.before, now)))
        )
        if self.before and _is_moved(self.before, now):
            own = f"{now.version} ({_short(self.before)} → {_short(now)})"
        was = {one.name: one.version for one in (self.before.beneath if self.before else ())}
        others = {one.name: one.version for one in now.beneath}
        changed = (
            f"{name} " + " → ".join(filter(None, (was.get(name), version)))
            for name, version in others.items()
            if version != was.get(name)
        )
        gone = (f"without {name}" for name in was if name not in others)
        return ", ".join((own, *changed, *gone))

    @property
    def notes(self) -> str:
        """What the authors say about the versions in between, as text; empty if nothing.

        Packs that this one extends by their addresses follow, each under its name.
        """
        name, was, now = self.pack.name, self.before, self.pack.record
        before = {one.name: one.version for one in (was.beneath if was else ())}
        before[name] = was.version if was else None
        after = {name: now.version, **{one.name: one.version for one in now.beneath}}
        if all(before.get(one) == version for one, version in after.items()):
            return ""
        found = {
            one: notes(self.pack.changelogs.get(one, ""), before.get(one), version)
            for one, version in after.items()
        }
        parts = (
            text if one == name else f"# {one}\n\n{text}" for one, text in found.items() if text
        )
        return "\n\n".join(text.strip() for text in (*parts, self.pack.messages) if text.strip())


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

    A pack that was taken from a folder as it was is taken so again. `source` is the pack's new
    address or the name of a built-in pack, by default the recorded one. Recorded answers are kept.
    Nothing is written. Raises ScaffoldError as `fetch_pack` and `plan` do, and if the
    project has no pack (`pack-none`) or someone has edited it (`pack-edited`).
    """
    recover(root)
    record = read_record(root)
    present = read_parts(root / PACK)
    if record and present and fingerprint(present) != record.sha256:
        message = f"`{PACK}` was edited, and an upgrade would undo the edit"
        raise ScaffoldError.of("pack-edited", message, root / PACK, RESTORE)
    if source in pack_names():
        if version or asked.given:
            message = f"`{source}` is a built-in pack, which has no versions and no questions"
            raise ScaffoldError.of("pack-version", message, "--pack")
        return _switch(root, source, record or _builtin(_chosen(present)).record, present)
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
    answers = record.answers if record else {}
    beneath = record.beneath if record else ()
    pack = fetch_pack(address, source, replace(asked, answers=answers), held, beneath)
    with pack.locating(root):
        update = plan(root, read_packs(root, pack.parts))
    moved = _moved(record, pack.record, root) if record else ()
    hidden = hiding(read_parts(root / TEMPLATES), root / TEMPLATES, pack.name, pack.parts, present)
    warnings = (*pack.located(update.warnings, root), *pack.warnings, *moved, *hidden)
    update = replace(update, warnings=warnings)
    return Upgrade(record, pack, update, pack.metadata(present))


def _switch(root: Path, name: str, before: Record, present: Parts) -> Upgrade:
    """Plan the switch of the project at `root` to a built-in pack."""
    pack = _builtin(name)
    update = plan(root, read_packs(root, pack.parts))
    return Upgrade(before, pack, update, pack_metadata(None, pack.parts, present))


def _builtin(name: str) -> TeamPack:
    """Return a built-in pack, with a record that says so but is written nowhere."""
    parts = {} if name == DEFAULT else choosing(name)
    return TeamPack(name, parts, Record(name, None, None, fingerprint(parts), {}, {}), {})


def _chosen(present: Parts) -> str:
    """Return the built-in pack of a project that has these parts of a pack."""
    return (chosen_in(present) if present else None) or DEFAULT


def _moved(before: Record, now: Record, root: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each tag, of the pack or one beneath, that names another commit than before."""
    packs: list[tuple[str, Record | Beneath, Record | Beneath]] = [("the pack", before, now)]
    packs += [
        (f"`{base.name}`", was, base)
        for base in now.beneath
        for was in before.beneath
        if was.source == base.source
    ]
    for name, was, is_ in packs:
        if not (_is_moved(was, is_) and is_version(is_.version or "")):
            continue
        message = f"the tag `{is_.version}` of {name} has moved: {_short(was)} → {_short(is_)}"
        hint = "ask the pack's authors why, and review the changes: versions should not change"
        place = Place(str(root / SOURCE))
        yield Diagnostic("pack-moved", message, place, hint, Severity.WARNING)


def _is_moved(before: Record | Beneath, now: Record | Beneath) -> bool:
    """Return whether a version, a tag or a branch, names another commit than it did."""
    same = (before.source, before.version) == (now.source, now.version)
    return same and bool(before.commit and now.commit and before.commit != now.commit)


def _short(record: Record | Beneath) -> str:
    return (record.commit or "")[:8]


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
