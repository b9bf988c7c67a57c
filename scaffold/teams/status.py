"""The state of projects: what they were generated with, and whether they need work."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from enum import StrEnum
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, Severity
from scaffold.base.files import Owner, RelPath
from scaffold.commands.regenerate import lock_of, plan, unfinished
from scaffold.disk.lock import Lock
from scaffold.disk.records import PACK
from scaffold.disk.tree import Tree
from scaffold.packs.layers import DEFAULT
from scaffold.packs.parts import TABLE, chosen_in, read_parts
from scaffold.project.inputs import is_up_to_date
from scaffold.project.pack_record import Beneath, Record, read_record
from scaffold.teams.address import Address, parse_address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import fetch_pack
from scaffold.teams.git import Refs, newest, refs


class Source(StrEnum):
    """The state of a project's pack at its source, in words."""

    CURRENT = "up to date"
    BEHIND = "behind"
    MOVED = "tag moved"
    GONE = "tag gone"
    CHANGED = "pack changed"
    UNREACHABLE = "unreachable"


class Status(Struct, frozen=True):
    """The state of the project at `root`.

    `version` is that of the mcp-scaffold that wrote it last, and `pack` the name of its pack;
    `record` is None for a built-in one. `newest` is the newest version of the pack, and `source`
    the state of its source, if they are known.
    `outdated` are the files that `regenerate` would write, and `edited` the merged files that
    people have changed. With an error in `problems`, what depends on it is empty.
    """

    root: Path
    version: str | None = None
    pack: str | None = None
    record: Record | None = None
    newest: str | None = None
    source: Source | None = None
    outdated: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()
    problems: tuple[Diagnostic, ...] = ()

    @property
    def behind(self) -> bool | None:
        """Whether an upgrade brings another state of the pack; None if that is not known."""
        if self.source in (None, Source.UNREACHABLE):
            return None
        return self.source in (Source.BEHIND, Source.MOVED, Source.CHANGED)

    @property
    def failed(self) -> bool:
        """Whether the project cannot be read or planned."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def verdict(self) -> str:
        """What has to be done about the project, in a word or two."""
        if self.failed:
            return "failed"
        if self.conflicts:
            return "in conflict"
        if self.outdated:
            return "out of date"
        return (self.source or Source.CURRENT).value


def status(root: Path) -> Status:
    """Return the state of the project at `root`, as far as the project itself tells."""
    found = Status(root)
    try:
        lock = lock_of(root)
        found = replace(found, version=lock.version)
        found = replace(found, pack=_pack_name(root), record=read_record(root))
        found = replace(found, edited=tuple(_edited(root, lock)))
        if is_up_to_date(root):
            orphans = (path for path, entry in lock.files.items() if entry.orphan)
            return replace(found, orphans=tuple(p for p in orphans if Tree(root).read(p)))
        if begun := unfinished(root):
            return replace(found, problems=(begun,))
        made = plan(root)
    except ScaffoldError as error:
        return replace(found, problems=error.diagnostics)
    steps = made.plan
    return replace(
        found,
        outdated=(*(step.path for step in steps.writes), *made.records),
        conflicts=tuple(step.path for step in steps.conflicts),
        orphans=tuple(step.path for step in steps.orphans),
    )


def with_sources(found: Iterable[Status]) -> list[Status]:
    """Return the states with that of each pack's source; each repository is asked once.

    One that cannot be asked leaves a warning.
    """
    projects = list(found)
    with ThreadPoolExecutor(8) as threads:
        asked: dict[Address, Future[Refs]] = {}
        for one in projects:
            with suppress(ScaffoldError):
                for address, at in _sources(one):
                    if at.commit:
                        asked.setdefault(address, threads.submit(refs, address))
        return [*threads.map(partial(_with_source, asked=asked), projects)]


def _with_source(one: Status, asked: Mapping[Address, Future[Refs]]) -> Status:
    if one.record is None:
        return one
    try:
        (address, _), *_ = sources = _sources(one)
        if one.record.commit is None:
            return replace(one, source=_of_folder(one.record, address))
        states = [_of_repository(at, asked[address].result()) for address, at in sources]
        latest = newest(asked[address].result().tags)
    except ScaffoldError as error:
        warnings = (replace(found, severity=Severity.WARNING) for found in error.diagnostics)
        problems = (*one.problems, *warnings)
        return replace(one, source=Source.UNREACHABLE, problems=problems)
    source = next((state for state in states if state is not Source.CURRENT), Source.CURRENT)
    return replace(one, newest=latest, source=source)


def _sources(one: Status) -> list[tuple[Address, Record | Beneath]]:
    """Return the source of a project's pack, if it has one, and those of packs that it follows.

    Raises ScaffoldError for an address that leads nowhere.
    """
    if one.record is None:
        return []
    top = parse_address(one.record.source, one.root)
    top = replace(top, folder=top.folder and top.folder.resolve())
    bases = one.record.beneath if one.record.commit else ()
    followed = [base for base in bases if base.commit and base.is_followed]
    beneath = ((parse_address(base.source, top.folder), base) for base in followed)
    return [(top, one.record), *beneath]


def _of_repository(record: Record | Beneath, known: Refs) -> Source:
    """Return the state of a pack's repository."""
    version = record.version or ""
    if known.latest(version) != version:
        return Source.BEHIND
    now = known.tags.get(version) or known.branches.get(version)
    if now is None:  # a commit stays
        return Source.CURRENT if version == record.commit else Source.GONE
    if now == record.commit:
        return Source.CURRENT
    return Source.MOVED if version in known.tags else Source.BEHIND


def _of_folder(record: Record, address: Address) -> Source:
    """Return whether a pack in a folder is still as it was taken."""
    asked = Asked({}, record.answers, defaults=True)
    now = fetch_pack(address, record.source, asked).record
    return Source.CURRENT if now.sha256 == record.sha256 else Source.CHANGED


def _pack_name(root: Path) -> str | None:
    """Return the name of the project's pack; None if its table cannot be read."""
    parts = read_parts(root / PACK)
    if name := chosen_in(parts) if parts else DEFAULT:
        return name
    try:
        return str(tomllib.loads(parts[TABLE].decode())["name"])
    except (KeyError, ValueError):
        return None


def _edited(root: Path, lock: Lock) -> Iterator[RelPath]:
    """Yield the merged files that differ from what was written last."""
    tree = Tree(root)
    for path, entry in lock.files.items():
        if entry.owner is Owner.MERGED and not entry.orphan:
            found = tree.read(path)
            if found and found.sha256 != entry.sha256:
                yield path
