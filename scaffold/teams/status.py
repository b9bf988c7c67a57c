"""The state of projects: the versions that generated them, and whether they need work."""

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
from scaffold.disk.lock import Lock, standing
from scaffold.disk.records import PACK
from scaffold.disk.tree import Tree
from scaffold.languages.registry import DEFAULT
from scaffold.packs.parts import TABLE, chosen_in, read_parts
from scaffold.project.inputs import is_up_to_date
from scaffold.project.pack_record import Record, read_record
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
    people have changed. `warnings` are about templates. With an error in `problems`, what depends
    on it is empty.
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
    warnings: tuple[Diagnostic, ...] = ()
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
        """The state of the project in a word or two."""
        if self.failed:
            return "failed"
        if self.conflicts:
            return "in conflict"
        if self.outdated:
            return "out of date"
        return (self.source or Source.CURRENT).value


def status(root: Path) -> Status:
    """Return the state of the project at `root`, without asking the source of its pack."""
    result = Status(root)
    try:
        lock = lock_of(root)
        result = replace(result, version=lock.version)
        result = replace(result, pack=_pack_name(root), record=read_record(root))
        result = replace(result, edited=tuple(_edited(root, lock)))
        if is_up_to_date(root):
            orphans = (path for path, entry in lock.files.items() if entry.orphan)
            there = tuple(path for path in orphans if Tree(root).exists(path))
            return replace(result, orphans=there, warnings=tuple(standing(root)))
        if begun := unfinished(root):
            return replace(result, problems=(begun,))
        update = plan(root)
    except ScaffoldError as error:
        return replace(result, problems=error.diagnostics)
    steps = update.plan
    return replace(
        result,
        outdated=(*(step.path for step in steps.writes), *update.records),
        conflicts=tuple(step.path for step in steps.conflicts),
        orphans=tuple(step.path for step in steps.orphans),
        warnings=update.generated.standing,
    )


def with_sources(statuses: Iterable[Status]) -> list[Status]:
    """Return the states with that of each pack's source; each repository is asked once.

    A repository that cannot be reached gives a warning.
    """
    projects = list(statuses)
    with ThreadPoolExecutor(8) as threads:
        asked: dict[Address, Future[Refs]] = {}
        for project in projects:
            with suppress(ScaffoldError):
                if project.record and project.record.commit:
                    address = _source(project.root, project.record)
                    if address not in asked:
                        asked[address] = threads.submit(refs, address)
        return [*threads.map(partial(_with_source, asked=asked), projects)]


def _with_source(project: Status, asked: Mapping[Address, Future[Refs]]) -> Status:
    if project.record is None:
        return project
    try:
        address = _source(project.root, project.record)
        if project.record.commit is None:
            asked_again = Asked({}, project.record.answers, defaults=True)
            now = fetch_pack(address, project.record.source, asked_again).record
            is_same = now.sha256 == project.record.sha256
            return replace(project, source=Source.CURRENT if is_same else Source.CHANGED)
        known = asked[address].result()
    except ScaffoldError as error:
        warnings = (
            replace(diagnostic, severity=Severity.WARNING) for diagnostic in error.diagnostics
        )
        problems = (*project.problems, *warnings)
        return replace(project, source=Source.UNREACHABLE, problems=problems)
    return replace(project, newest=newest(known.tags), source=_of_repository(project.record, known))


def _source(root: Path, record: Record) -> Address:
    """Return the address of a project's pack, the same for all projects that use one repository.

    Raises ScaffoldError if it is not valid.
    """
    address = parse_address(record.source, root)
    return replace(address, folder=address.folder and address.folder.resolve())


def _of_repository(record: Record, known: Refs) -> Source:
    """Return the state of a pack's repository."""
    version = record.version or ""
    if known.latest(version) != version:
        return Source.BEHIND
    now = known.tags.get(version) or known.branches.get(version)
    if now is None:  # commits do not change
        return Source.CURRENT if version == record.commit else Source.GONE
    if now == record.commit:
        return Source.CURRENT
    return Source.MOVED if version in known.tags else Source.BEHIND


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
            file = tree.read(path, entry.may_be_link)
            if file and not entry.holds(file):
                yield path
