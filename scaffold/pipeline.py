"""The arrow as code: path → Document → Spec → Project → RenderedFiles → Plan → Applied."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from scaffold import __version__
from scaffold.clients.catalog import read_clients
from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.apply import Applied, apply, recover
from scaffold.disk.create import create
from scaffold.disk.lock import Lock
from scaffold.disk.lock import read as read_lock
from scaffold.disk.plan import Plan, make
from scaffold.disk.records import PACK, Notes
from scaffold.files import SPEC, Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.inputs import TEMPLATES, Packs, fingerprints, read_packs
from scaffold.project.build import build
from scaffold.project.model import Project
from scaffold.render.format import formatted
from scaffold.render.layers import project_layers, remarks
from scaffold.render.limited import render_limited
from scaffold.render.pack import Pack
from scaffold.spec.check import check
from scaffold.spec.lint import lint
from scaffold.spec.model import Spec
from scaffold.spec.source import Document, read


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a spec asks for: the project, its files, and the hashes of what they are made from."""

    project: Project
    files: RenderedFiles
    inputs: Mapping[str, str]
    warnings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Created:
    """What `new` has made."""

    dest: Path
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Planned:
    """What `regenerate` would do to the project at `root`."""

    root: Path
    wanted: Wanted
    plan: Plan


def new(
    spec_path: Path,
    dest: Path | None,
    packs: Packs = MappingProxyType({}),
    notes: Notes = MappingProxyType({}),
) -> Created:
    """Make the project of the spec in the folder `dest`, by default `./NAME`.

    `packs` are those that the project is to bring along, and `notes` what is to lie in its
    `.scaffold/` besides what we write there: the pack itself, and where it comes from. Raises ScaffoldError, with nothing written, where the spec is wrong or `dest` is not vacant.
    """
    wanted = want(read(spec_path), spec_path.parent, Path(), packs)
    dest = dest or Path(wanted.project.name)
    create(wanted.files, Lock.of(wanted.files, __version__, wanted.inputs), dest, notes)
    return Created(dest, wanted)


def plan(root: Path, packs: Packs | None = None) -> Planned:
    """Find out what would bring the project up to date, and change nothing.

    `packs` stand for those that the project has, if it is to get others. Raises ScaffoldError where the spec is wrong, or the folder is no project or cannot be read.
    """
    lock = read_lock(root)
    if lock is None:
        hint = "name a folder that `mcp-scaffold new` has made"
        message = f"`{root}` is not a project of mcp-scaffold"
        raise ScaffoldError([Diagnostic("no-project", message, Place(str(root)), hint)])
    wanted = want(read(root / SPEC), root, root, read_packs(root) if packs is None else packs)
    return Planned(root, wanted, make(wanted.files, lock, root))


def regenerate(
    root: Path, force: Collection[RelPath], accept_conflicts: bool
) -> tuple[Planned, Applied]:
    """Bring the project up to date. Raises ScaffoldError as `plan` and `apply` do."""
    recover(root)
    planned = plan(root)
    return planned, carry_out(planned, force, accept_conflicts)


def carry_out(
    planned: Planned,
    force: Collection[RelPath] = (),
    accept_conflicts: bool = False,
    notes: Notes = MappingProxyType({}),
) -> Applied:
    """Do what was planned, and put down `notes` with it. Raises ScaffoldError as `apply` does."""
    lock = planned.plan.relocked(__version__, planned.wanted.inputs)
    return apply(planned.plan, planned.root, lock, force, accept_conflicts, notes)


def want(document: Document, folder: Path, root: Path, packs: Packs) -> Wanted:
    """Render the project of a spec; `folder` has the files that the spec names.

    `packs` are those of the project at `root`. Raises ScaffoldError with every error in the spec,
    or else in the templates.
    """
    spec = check(document)
    attached = attachments(spec, document, folder)
    project = build(spec, attached, read_clients())
    layers = layers_at(root, packs)
    files = formatted(render_limited(project, layers))
    sources = {SPEC: document.text} | attached
    inputs = fingerprints({path: text.encode() for path, text in sources.items()}, packs)
    warnings = (*lint(spec, document), *remarks(layers))
    return Wanted(project, with_sources(files, sources), inputs, warnings)


def layers_at(root: Path, packs: Packs) -> tuple[Pack, ...]:
    """The layers of the project at `root` that has these packs. Raises ScaffoldError as they do."""
    own, team = packs.get(TEMPLATES, {}), packs.get(PACK, {})
    return project_layers(own, root / TEMPLATES, team, root / PACK)


def attachments(spec: Spec, document: Document, folder: Path) -> dict[RelPath, str]:
    """The text of each file that a static resource names, by its path beside the spec.

    Raises ScaffoldError for each that cannot be read, is no UTF-8 text, or lies elsewhere behind a
    link.
    """
    texts: dict[RelPath, str] = {}
    faults: list[Diagnostic] = []
    for number, resource in enumerate(spec.resources):
        if resource.file is None:
            continue
        try:
            path = folder / resource.file
            if not path.resolve().is_relative_to(folder.resolve()):
                raise OSError("it lies outside the folder of the spec")
            texts[resource.file] = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            reason = "it is not UTF-8 text" if isinstance(error, ValueError) else error.strerror
            pointer = f"/resources/{number}/file"
            faults.append(
                Diagnostic(
                    "unreadable-file",
                    f"`{resource.file}` cannot be read: {reason or error}",
                    document.place(pointer),
                    "leave out `file` to write a handler instead",
                    pointer=pointer,
                )
            )
    if faults:
        raise ScaffoldError(faults)
    return texts


def with_sources(files: RenderedFiles, sources: Mapping[RelPath, str]) -> RenderedFiles:
    """Add the spec and the files that it names, which are the user's own.

    The spec is merged in name only, since what is wanted of it is what is there: it makes the text
    that the project was last made from stay in the project, for comparing the next with it.
    """
    if clash := sorted(sources.keys() & files.keys()):
        message = f"`{clash[0]}` is named by the spec, and made by {files[clash[0]].origin}"
        raise ScaffoldError([Diagnostic("path-claimed", message, Place(clash[0]))])
    owners = {path: Owner.MERGED if path == SPEC else Owner.OWNED for path in sources}
    own = {path: RenderedFile(path, owners[path], text, "spec") for path, text in sources.items()}
    return RenderedFiles({**files, **own})
