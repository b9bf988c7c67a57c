"""The arrow as code: path → Document → Spec → Project → RenderedFiles → a project on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scaffold import __version__
from scaffold.clients.catalog import read_clients
from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.create import create
from scaffold.disk.lock import Lock
from scaffold.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.project.build import SPEC, build
from scaffold.project.model import Project
from scaffold.render.engine import render
from scaffold.render.format import formatted
from scaffold.render.pack import Pack, builtin_packs, read_layers
from scaffold.spec.check import check
from scaffold.spec.lint import lint
from scaffold.spec.model import Spec
from scaffold.spec.source import Document, read

@dataclass(frozen=True, slots=True)
class Created:
    """What `new` has made, and what it found on the way."""

    dest: Path
    project: Project
    files: RenderedFiles
    warnings: tuple[Diagnostic, ...]


def new(spec_path: Path, dest: Path | None) -> Created:
    """Make the project of the spec in the folder `dest`, by default `./NAME`.

    Raises ScaffoldError, with nothing written, where the spec is wrong or `dest` is not vacant.
    """
    document = read(spec_path)
    spec = check(document)
    layers = read_layers(builtin_packs() / "python")
    attached = attachments(spec, document, spec_path.parent)
    project = build(spec, attached, read_clients())
    files = with_sources(formatted(render(project, layers)), document, attached)
    lock = Lock.of(files, __version__, fingerprints(document, attached, layers))
    dest = dest or Path(spec.name)
    create(files, lock, dest)
    return Created(dest, project, files, lint(spec, document))


def validate(spec_paths: Iterable[Path]) -> tuple[Diagnostic, ...]:
    """The warnings about some specs. Raises ScaffoldError with every error in any of them."""
    warnings: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    for path in spec_paths:
        try:
            document = read(path)
            warnings += lint(check(document), document)
        except ScaffoldError as error:
            errors += error.diagnostics
    if errors:
        raise ScaffoldError([*errors, *warnings])
    return tuple(warnings)


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


def with_sources(
    files: RenderedFiles, document: Document, attached: dict[RelPath, str]
) -> RenderedFiles:
    """Add what the project is made from: the spec, and the files that it names."""
    sources = {SPEC: document.text} | attached
    if clash := sorted(sources.keys() & files.keys()):
        message = f"`{clash[0]}` is both a file that the spec names and one that a template makes"
        raise ScaffoldError([Diagnostic("path-claimed", message, Place(document.name))])
    return RenderedFiles(
        {
            **files,
            **{
                path: RenderedFile(path, Owner.OWNED, text, "spec")
                for path, text in sources.items()
            },
        }
    )


def fingerprints(
    document: Document, attached: dict[RelPath, str], layers: Iterable[Pack]
) -> dict[str, str]:
    """The SHA-256 of each thing that decides what the project's files hold."""
    packs = {
        f"@{pack.name}/{path}": text for pack in layers for path, text in pack.templates.items()
    }
    texts = {SPEC: document.text} | attached | packs
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
