"""Load a spec and generate its project: the first two steps of every command that writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scaffold import __version__
from scaffold.attachments import attachments, with_named
from scaffold.clients.client import read_clients
from scaffold.diagnostics import Diagnostic
from scaffold.disk.formatted import formatted_before
from scaffold.disk.lock import Lock
from scaffold.disk.records import PACK
from scaffold.files import SPEC, RelPath, RenderedFiles
from scaffold.inputs import TEMPLATES, Packs, fingerprints
from scaffold.packs.layers import project_layers, remarks
from scaffold.packs.pack import Pack
from scaffold.project.build import build
from scaffold.project.check import load
from scaffold.project.model import Project
from scaffold.python.format import formatted
from scaffold.render.limited import render_limited
from scaffold.spec.check import LoadedSpec
from scaffold.yaml.source import Document


@dataclass(frozen=True, slots=True)
class Generated:
    """The result of generating from a spec: the project, its files and the hashes of its inputs.

    `files` come from templates. `everything` adds the spec and the user's files that it names:
    `new` copies them, and no other run writes them. `remarks` are about the templates.
    """

    loaded: LoadedSpec
    project: Project
    files: RenderedFiles
    everything: RenderedFiles
    inputs: Mapping[str, str]
    remarks: tuple[Diagnostic, ...]


def generate(
    document: Document,
    folder: Path,
    root: Path,
    packs: Packs,
    last: Lock | None = None,
    settings: bool = False,
) -> Generated:
    """Generate the project of a spec; `folder` has the files that the spec names.

    `packs` are those of the project at `root`, and `last` is its lock. `settings` asks for a
    settings module even if the spec has no variables. Raises ScaffoldError with every error in the
    spec, or else in the templates.
    """
    loaded = load(document)
    attached = attachments(loaded.spec, document, folder)
    return generated_from(loaded, attached, root, packs, last, settings)


def generated_from(
    loaded: LoadedSpec,
    attached: Mapping[RelPath, str],
    root: Path,
    packs: Packs,
    last: Lock | None = None,
    settings: bool = False,
) -> Generated:
    """Generate the project of a valid spec; `attached` are the texts of the files that it names."""
    project = build(loaded.spec, attached, read_clients(), settings)
    layers = layers_at(root, packs)
    rendered = render_limited(project, layers)
    everything = with_named(rendered, attached, loaded)
    trusted = last.files if last and last.intact and last.version == __version__ else {}
    files = formatted(rendered, formatted_before(rendered, trusted, root))
    texts = {SPEC: loaded.document.text, **attached}
    return Generated(
        loaded,
        project,
        files,
        RenderedFiles({**everything, **files}),
        fingerprints({path: text.encode() for path, text in texts.items()}, packs),
        tuple(remarks(layers)),
    )


def layers_at(root: Path, packs: Packs) -> tuple[Pack, ...]:
    """Return the layers of the project at `root` with these packs; see `project_layers`."""
    own, team = packs.get(TEMPLATES, {}), packs.get(PACK, {})
    return project_layers(own, root / TEMPLATES, team, root / PACK)
