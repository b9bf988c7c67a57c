"""Bring a project up to date with its spec: plan what to write, and apply the plan."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from scaffold import __version__
from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.files import SPEC, RelPath
from scaffold.base.origin import requirement
from scaffold.base.versions import is_newer
from scaffold.changes.compare import EntryChange, compare
from scaffold.changes.imports import unread, unresolved_after
from scaffold.changes.renames import renames
from scaffold.changes.warnings import likely_renames, lint_edited, missed, unknown_renames
from scaffold.disk.apply import apply, exclusive, recover
from scaffold.disk.journal import pending
from scaffold.disk.lock import UPGRADE, Lock
from scaffold.disk.lock import read as read_lock
from scaffold.disk.outcomes import records_alone
from scaffold.disk.plan import Plan, make_plan
from scaffold.disk.records import LAST_SPEC, LOCK, Metadata
from scaffold.disk.step import Step
from scaffold.disk.tree import Tree
from scaffold.format.check import LoadedSpec, load
from scaffold.languages.registry import language
from scaffold.packs.parts import read_others
from scaffold.packs.warnings import ignored
from scaffold.project.attachments import attachments
from scaffold.project.generate import Generated, generated_from, layers_at, rule_at
from scaffold.project.inputs import GENERATOR, TEMPLATES, Packs, read_packs
from scaffold.yaml.source import parse, read

_ATTEMPTS = 5  # for a run during which files are saved


class Update(Struct, frozen=True):
    """The planned changes of the project at `root`, and their consequences for people.

    `version` is that of the mcp-scaffold that wrote the project last, `lock` the lock afterwards.
    `changes` are those of the spec; `warnings` are about recent edits. `records` are the paths in
    `.scaffold/` to write if nothing else is written.
    """

    root: Path
    version: str
    generated: Generated
    plan: Plan
    lock: Lock
    changes: tuple[EntryChange, ...]
    warnings: tuple[Diagnostic, ...]
    records: tuple[RelPath, ...]


class Regenerated(Struct, frozen=True):
    """An update, and the steps that were taken.

    `applied` is None if nothing was written: it was only a plan, or a person has to resolve
    conflicts. `left_alone` is set if an interrupted run was undone first: the files edited since.
    """

    update: Update
    applied: tuple[Step, ...] | None = None
    left_alone: tuple[str, ...] | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that were done or, without a write, would be done, including conflicts."""
        if self.applied is not None:
            return self.applied
        return tuple(s for s in self.update.plan.steps if s.action.writes or s.action == "conflict")

    @property
    def is_undecided(self) -> bool:
        """Whether there are conflicts for a person to resolve, perhaps marked by the run."""
        forced = {step.path for step in self.applied or () if step.aside}
        return any(step.path not in forced for step in self.update.plan.conflicts)


def plan(root: Path, packs: Packs | None = None, prune: bool = False) -> Update:
    """Plan how to bring the project up to date, and change nothing.

    `packs` replace those of the project. With `prune`, merged files that are left over are deleted
    if nobody has edited them. Raises ScaffoldError if the spec is wrong, or if the
    folder is not a project or cannot be read.
    """
    lock = lock_of(root)
    packs = read_packs(root) if packs is None else packs
    tree = Tree(root)
    if tree.mode(SPEC) is None:  # refuses links: they lead out of the project
        message = f"`{SPEC}` is missing: it is the spec of the project"
        hint = f"restore it; `{LAST_SPEC}` is the spec of the last run"
        raise ScaffoldError.of("no-project", message, root / SPEC, hint)
    document = read(root / SPEC)
    loaded = load(document, rule_at(root, packs))
    attached = attachments(loaded.spec, document, root)
    generated = generated_from(loaded, attached, root, packs, lock, _generator(lock))
    before = _previous(root, loaded)
    old_spec = before.spec if before else None
    code = language(generated.traits.language)
    renamed = renames(old_spec, loaded.spec, generated.files, lock, code)
    planned = make_plan(generated.files, lock, root, code, renamed)
    if prune:
        planned = planned.pruned()
    changes = compare(before.spec, loaded.spec) if before and before is not loaded else ()
    first = generated.project.env and before is not None and not before.spec.env
    orphans = {step.entry.about for step in planned.orphans if step.entry}
    left = {path: entry for path, entry in lock.files.items() if entry.orphan}
    warnings = (
        *unknown_renames(before, loaded, {entry.about for entry in left.values()}),
        *likely_renames(changes, orphans, loaded.document),
        *_broken(before, loaded, root),
        *lint_edited(before, loaded),
        *unresolved_after(planned, root, code),
        *(unread(planned.steps, root, code, generated.traits.shared) if first else ()),
        *generated.remarks,
        *_ignored(root, packs),
        *(missed(planned.steps, lock.files, root) if _is_upgrade(lock, generated) else ()),
    )
    relocked = generated.recorded(planned.relocked(__version__, generated.inputs), root)
    noted = replace(relocked, files={**left, **relocked.files})  # some were deleted by hand
    records = records_alone(planned, noted, tree, generated.metadata)
    return Update(root, lock.version, generated, planned, relocked, changes, warnings, records)


def _generator(lock: Lock) -> str:
    """Return how the project installs mcp-scaffold: another version records itself, if it can."""
    recorded = lock.inputs.get(GENERATOR, "")
    return recorded if lock.version == __version__ else requirement() or recorded


def _is_upgrade(lock: Lock, now: Generated) -> bool:
    """Return whether templates may have changed since the last run."""
    packs = {name for name in lock.inputs.keys() | now.inputs.keys() if name.startswith("@")}
    return any(lock.inputs.get(name) != now.inputs.get(name) for name in packs)


def _broken(before: LoadedSpec | None, now: LoadedSpec, root: Path) -> Iterator[Diagnostic]:
    """Yield a warning if the edit of the spec breaks callers."""
    if before and before is not now:
        from scaffold.breaking.compare import breaking_edit  # slow to import

        folders = (root.resolve(), *root.resolve().parents)
        yield from breaking_edit(before, now, any((folder / ".git").exists() for folder in folders))


def _ignored(root: Path, packs: Packs) -> Iterator[Diagnostic]:
    """Yield warnings for files among the project's own templates that are not templates."""
    if others := read_others(root / TEMPLATES):
        beneath = layers_at(root, {path: packs[path] for path in packs if path != TEMPLATES})
        yield from ignored(others, str(root / TEMPLATES), beneath)


def _previous(root: Path, now: LoadedSpec) -> LoadedSpec | None:
    """Return the spec that the project was last generated from; None if only an older version read it.

    Raises ScaffoldError (`no-project`) if the spec is lost: renames would be taken for new entries.
    """
    record = Tree(root).read(LAST_SPEC)
    text = record.text() if record else None
    if text is None:
        message = f"`{LAST_SPEC}` is missing: it is the spec that the project was generated from"
        hint = f"restore it from version control, or copy `{SPEC}` there as it was then"
        raise ScaffoldError.of("no-project", message, root / LAST_SPEC, hint)
    if text == now.document.text:
        return now
    try:
        return load(parse(text), rule=None)
    except ScaffoldError:
        return None


def unfinished(root: Path) -> Diagnostic | None:
    """Return a diagnostic if the project's last run was interrupted: planning must wait then."""
    if not pending(root):
        return None
    message = "a run was interrupted, or is still in progress"
    hint = "run `mcp-scaffold regenerate` to finish it"
    return Diagnostic("unfinished", message, Place(str(root)), hint)


def lock_of(root: Path) -> Lock:
    """Return the lock of the project.

    Raises ScaffoldError if there is none (`no-project`), and if a newer mcp-scaffold wrote it
    (`newer-project`): this one would remove files of the newer one.
    """
    lock = read_lock(root)
    if lock and is_newer(lock.version):
        message = f"mcp-scaffold {lock.version} wrote the project, but this is {__version__}"
        raise ScaffoldError.of("newer-project", message, root / LOCK, UPGRADE)
    if lock:
        return lock
    message = f"`{root}` is not an mcp-scaffold project"
    hint = "give a directory created by `mcp-scaffold new`"
    if (root / SPEC).exists():
        message = f"`{root}` has no `{LOCK}`"
        hint = "restore it from version control, or create a project elsewhere and move your files there"
    raise ScaffoldError.of("no-project", message, root, hint)


def regenerate(
    root: Path, force: Collection[RelPath], accept_conflicts: bool, prune: bool = False
) -> Regenerated:
    """Bring the project up to date while no other run may change it.

    `force` are files, or folders with all conflicts in them; `prune` is as in `plan`. If someone
    saves a file just before it is written, the run is planned again. Raises ScaffoldError as
    `apply` does.
    """
    if not pending(root):
        lock_of(root)
    with exclusive(root):
        left = recover(root)
        for attempt in count(1):
            try:
                done = carry_out(plan(root, prune=prune), force, accept_conflicts)
                return replace(done, left_alone=left)
            except ScaffoldError as error:
                ids = {diagnostic.id for diagnostic in error.diagnostics}
                if ids != {"changed-meanwhile"} or attempt == _ATTEMPTS:
                    raise
    raise AssertionError("unreachable")


def carry_out(
    update: Update,
    force: Collection[RelPath] = (),
    accept_conflicts: bool = False,
    metadata: Metadata = MappingProxyType({}),
) -> Regenerated:
    """Apply an update, and write `metadata` with it. `force` and errors are as in `regenerate`."""
    plan, root, lock = update.plan, update.root, update.lock
    below = {p: {s.path for s in plan.conflicts if s.path.startswith(f"{p}/")} for p in force}
    forced = {file for path, files in below.items() for file in files or [path]}
    texts = {**update.generated.metadata, **metadata}
    records = records_alone(plan, lock, Tree(root), texts)
    applied = apply(plan, root, lock, forced, accept_conflicts, texts)
    return Regenerated(replace(update, records=records), applied)
