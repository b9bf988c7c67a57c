"""Bring a project up to date with its spec: plan what to write, and apply the plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from types import MappingProxyType

from scaffold import __version__
from scaffold.attachments import remaining
from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.apply import Applied, apply, recover
from scaffold.disk.exclusive import exclusive
from scaffold.disk.journal import pending
from scaffold.disk.lock import Lock, sha256
from scaffold.disk.lock import read as read_lock
from scaffold.disk.outcomes import records_alone
from scaffold.disk.plan import Plan, make_plan
from scaffold.disk.records import LAST_SPEC, LOCK, Metadata
from scaffold.disk.tree import Tree
from scaffold.files import RECORDS, SPEC, Owner, RelPath
from scaffold.generate import Generated, generate, generated_from
from scaffold.inputs import Packs, read_packs
from scaffold.python import language as python
from scaffold.spec.check import LoadedSpec
from scaffold.update.compare import EntryChange, compare
from scaffold.update.imports import SETTINGS, gone, importers, retained, unread
from scaffold.update.previous import altered, previous, sides
from scaffold.update.renames import renames
from scaffold.update.warnings import likely_renames, lint_edited, unknown_renames
from scaffold.yaml.source import read

_ATTEMPTS = 5  # for a run whose files are saved while it writes


@dataclass(frozen=True, slots=True)
class Update:
    """What `regenerate` would do to the project at `root`, and what that means for people.

    `version` is that of the mcp-scaffold that wrote the project last. `changes` are those of the
    spec; `warnings` are about recent edits. `records` are the paths in `.scaffold/` to write if
    nothing else is written.
    """

    root: Path
    version: str
    generated: Generated
    plan: Plan
    changes: tuple[EntryChange, ...]
    warnings: tuple[Diagnostic, ...]
    records: tuple[RelPath, ...]


@dataclass(frozen=True, slots=True)
class Regenerated:
    """What `regenerate` did: nothing (`applied` is None) if a person has to decide first.

    `resumed` says whether an interrupted run was undone first.
    """

    update: Update
    applied: Applied | None
    resumed: bool


def plan(root: Path, packs: Packs | None = None) -> Update:
    """Plan how to bring the project up to date, and change nothing.

    `packs` replace those of the project. Raises ScaffoldError if the spec is wrong, or if the
    folder is not a project or cannot be read.
    """
    lock = lock_of(root)
    packs = read_packs(root) if packs is None else packs
    tree = Tree(root)
    tree.mode(SPEC)  # refuses links: they lead out of the project
    document = read(root / SPEC)
    generated = generate(document, root, root, packs, lock)
    loaded = generated.loaded
    before = previous(root, lock, loaded)
    if before is None and (guess := altered(root)):
        before = guess if _reproduces(_written(root, lock, guess), lock) else None
    renamed = renames(before.spec if before else None, loaded.spec, generated.files, lock)
    written = cache(partial(_written, root, lock, before))
    branches = cache(partial(_branches, root, lock))
    planned = partial(
        make_plan,
        lock=lock,
        root=root,
        language=python,
        renames=renamed,
        written=written,
        sides=branches,
    )
    made = planned(generated.files)
    if not loaded.spec.env and (users := importers(made.steps, root, python, SETTINGS)):
        generated = generate(document, root, root, packs, lock, settings=True)
        made = planned(generated.files)
        steps = (retained(step, users, root, python) for step in made.steps)
        made = replace(made, steps=tuple(steps))
    found = compare(before.spec, loaded.spec) if before and before is not loaded else ()
    first = generated.project.env and before is not None and not before.spec.env
    orphans = {step.entry.about for step in made.orphans if step.entry}
    left = {e.about for e in lock.files.values() if e.orphan}
    warnings = (
        *unknown_renames(before, loaded, left),
        *likely_renames(found, orphans, loaded.document),
        *lint_edited(before, loaded),
        *gone(made.steps, root, python),
        *(unread(made.steps, root, python) if first else ()),
        *generated.remarks,
    )
    now = made.relocked(__version__, generated.inputs)
    records = records_alone(made, now, tree, {LAST_SPEC: loaded.document.text})
    return Update(root, lock.version, generated, made, found, warnings, records)


def _written(root: Path, lock: Lock, before: LoadedSpec | None) -> Mapping[RelPath, str]:
    """Return the texts written last, as far as the spec and packs of that run are known."""
    texts, last = _texts(root, lock, before) if before else {}, lock.files
    return {
        path: text
        for path, text in texts.items()
        if path in last and last[path].sha256 == sha256(text)
    }


def _branches(root: Path, lock: Lock) -> Sequence[Mapping[RelPath, str]]:
    """Return what two branches may have generated before git merged them."""
    return [_texts(root, lock, side) for side in sides(root)]


def _texts(root: Path, lock: Lock, spec: LoadedSpec) -> Mapping[RelPath, str]:
    """Return what an older spec generates; nothing if the present templates cannot render it.

    Files that it names may be gone; only the catalog would hold their texts.
    """
    try:
        attached = remaining(spec.spec, root)
        files = generated_from(spec, attached, root, read_packs(root), lock).files
    except ScaffoldError:
        return {}
    return {path: file.text for path, file in files.items()}


def _reproduces(written: Mapping[RelPath, str], lock: Lock) -> bool:
    """Return whether the texts include every file that was generated last."""
    ours = {path for path, e in lock.files.items() if e.owner is Owner.GENERATED and not e.orphan}
    return ours <= written.keys()


def unfinished(root: Path) -> Diagnostic | None:
    """Return a diagnostic if the project's last run was interrupted: planning must wait then."""
    if not pending(root):
        return None
    message = "a run was interrupted, or is still going on"
    hint = "run `mcp-scaffold regenerate` to finish it"
    return Diagnostic("unfinished", message, Place(str(root)), hint)


def lock_of(root: Path) -> Lock:
    """Return the lock of the project. Raises ScaffoldError (`no-project`) if there is none."""
    if lock := read_lock(root):
        return lock
    message = f"`{root}` is not an mcp-scaffold project"
    hint = "name a directory created by `mcp-scaffold new`"
    if (root / RECORDS).is_dir():
        message = f"`{root}` has no `{LOCK}`"
        hint = "restore it from version control, or create a new project and move your files there"
    raise ScaffoldError.of("no-project", message, root, hint)


def regenerate(root: Path, force: Collection[RelPath], accept_conflicts: bool) -> Regenerated:
    """Bring the project up to date while no other run may change it.

    `force` are files, or folders with all conflicts in them. If someone saves a file just before it
    is written, the run is planned again. Raises ScaffoldError as `apply` does.
    """
    if not pending(root):
        lock_of(root)
    with exclusive(root):
        resumed = recover(root)
        for attempt in count(1):
            update = plan(root)
            if undecided(update, force, accept_conflicts):
                return Regenerated(update, None, resumed)
            try:
                return Regenerated(update, carry_out(update, force, accept_conflicts), resumed)
            except ScaffoldError as error:
                saved = all(found.id == "changed-meanwhile" for found in error.diagnostics)
                if not saved or attempt == _ATTEMPTS:
                    raise
    raise AssertionError("unreachable")


def undecided(update: Update, force: Collection[RelPath], accept_conflicts: bool) -> bool:
    """Return whether a conflict is left that a person has to decide before anything is written."""
    forced = _meant(update.plan, force)
    return any(
        not (step.can_be_forced and step.path in forced)
        and not (accept_conflicts and step.marked is not None)
        for step in update.plan.conflicts
    )


def carry_out(
    update: Update,
    force: Collection[RelPath] = (),
    accept_conflicts: bool = False,
    metadata: Metadata = MappingProxyType({}),
) -> Applied:
    """Apply an update, and write `metadata` with it. Raises ScaffoldError as `apply` does."""
    generated = update.generated
    lock = update.plan.relocked(__version__, generated.inputs)
    metadata = {LAST_SPEC: generated.loaded.document.text, **metadata}
    forced = _meant(update.plan, force)
    return apply(update.plan, update.root, lock, forced, accept_conflicts, metadata)


def _meant(plan: Plan, force: Collection[RelPath]) -> set[RelPath]:
    """Return the files to force: those named, and all conflicts in the folders named."""
    below = {p: {s.path for s in plan.conflicts if s.path.startswith(f"{p}/")} for p in force}
    return {file for path, files in below.items() for file in files or [path]}
