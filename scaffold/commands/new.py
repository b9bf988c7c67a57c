"""Create a new project from a spec."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from scaffold import __version__
from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.diagnostics.wording import join
from scaffold.base.files import SPEC, RelPath, RenderedFiles
from scaffold.disk.create import create
from scaffold.disk.lock import Lock
from scaffold.disk.records import Metadata, choices_at, imported_at
from scaffold.format.lint import lint, notes
from scaffold.project.generate import Generated, generate
from scaffold.project.inputs import Packs
from scaffold.yaml.source import read


class Created(Struct, frozen=True):
    """A new project, with warnings about clients and models."""

    dest: Path
    generated: Generated
    warnings: tuple[Diagnostic, ...]


def new(
    spec_path: Path,
    dest: Path | None,
    packs: Packs = MappingProxyType({}),
    metadata: Metadata = MappingProxyType({}),
    generator: str = "",
) -> Created:
    """Create the project of the spec in the folder `dest`, by default `./NAME`.

    `packs` are the project's own packs; `metadata` is written to its `.scaffold/`: the pack and its
    source; `generator` is the requirement by which others install this mcp-scaffold. Raises
    ScaffoldError, and writes nothing, if the spec is wrong or `dest` is not vacant.
    """
    generated = generate(read(spec_path), spec_path.parent, Path(), packs, generator)
    dest = dest or Path(generated.project.name)
    return created(dest, generated, generated.everything, {**_imported(spec_path), **metadata})


def created(dest: Path, generated: Generated, files: RenderedFiles, metadata: Metadata) -> Created:
    """Write the files of a new project, and its records; `metadata` are more of these."""
    lock = Lock.of(generated.files, __version__, generated.inputs)
    lock = generated.recorded(lock, Path())
    kept = create(files, lock, dest, {**generated.metadata, **metadata})
    loaded = generated.loaded
    theirs = (_kept(dest, path, files[path].text) for path in kept)
    spec, document = loaded.spec, loaded.document
    diagnostics = (*lint(spec, document), *notes(spec, document), *generated.remarks, *theirs)
    return Created(dest, generated, diagnostics)


def _kept(dest: Path, path: RelPath, ours: str) -> Diagnostic:
    message = f"`{path}` was there before, and is kept as it is"
    hint: str | None = (
        f"`mcp-scaffold regenerate --force {path}` writes the project's, and saves yours as .orig"
    )
    if path == ".gitignore":
        there = (dest / path).read_text("utf-8", "replace").splitlines()
        missing = [line for line in ours.splitlines() if line not in there and line[:1] != "#"]
        hint = f"add what it lacks: {join(filter(None, missing), 'and')}" if missing else None
    return Diagnostic("kept-yours", message, Place(str(dest / path)), hint, Severity.WARNING)


def _imported(spec_path: Path) -> Metadata:
    """Return the spec as it was imported last, so that the project can be imported into again."""
    texts: dict[RelPath, str | None] = {}
    for at in (imported_at, choices_at):
        with suppress(OSError, UnicodeDecodeError):
            texts[at(SPEC)] = (spec_path.parent / at(spec_path.name)).read_text("utf-8")
    return texts
