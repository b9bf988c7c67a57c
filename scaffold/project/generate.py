"""Load a spec and generate its project: the first two steps of every command that writes."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold import __version__
from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.files import SPEC, RenderedFiles
from scaffold.clients.client import read_client
from scaffold.disk.gitattributes import PATH as GITATTRIBUTES
from scaffold.disk.gitattributes import gitattributes
from scaffold.disk.lock import Lock
from scaffold.disk.records import LAST_SPEC, PACK, SCHEMA, Metadata
from scaffold.disk.unchanged import formatted_before
from scaffold.format.check import LoadedSpec, load
from scaffold.format.rules import Rule
from scaffold.format.schema import schema_text
from scaffold.languages.registry import DEFAULT, language
from scaffold.packs.blocks import joined
from scaffold.packs.engine import render
from scaffold.packs.layers import project_layers
from scaffold.packs.pack import Pack
from scaffold.packs.traits import Traits, traits
from scaffold.packs.warnings import rebased, remarks
from scaffold.project import chosen
from scaffold.project.attachments import Attached, attachments, with_first_pages, with_named
from scaffold.project.build import build
from scaffold.project.inputs import (
    CHECKED,
    GENERATOR,
    LANGUAGE,
    LAYOUT,
    TEMPLATES,
    Packs,
    fingerprints,
    read_packs,
)
from scaffold.project.model import Project
from scaffold.yaml.document import Document


class Generated(Struct, frozen=True):
    """The result of generating from a spec: the project, its files and the hashes of its inputs.

    `files` come from templates. `everything` adds the spec and the user's files that it names:
    `new` copies them, and no other run writes them. `metadata` are the records of the spec.
    `remarks` are about the templates, `traits` those of their packs. `overridden` is for the lock.
    """

    loaded: LoadedSpec
    project: Project
    files: RenderedFiles
    everything: RenderedFiles
    metadata: Metadata
    inputs: Mapping[str, str]
    remarks: tuple[Diagnostic, ...]
    traits: Traits
    overridden: Mapping[str, str]

    @property
    def standing(self) -> tuple[Diagnostic, ...]:
        """The remarks that are valid until somebody edits a template."""
        return tuple(remark for remark in self.remarks if remark.id.startswith("template-"))

    def recorded(self, lock: Lock, root: Path) -> Lock:
        """Return the lock of the project at `root`, including its records about templates."""
        warnings = (
            replace(
                warning, place=replace(place, path=Path(place.path).relative_to(root).as_posix())
            )
            for warning in self.standing
            if (place := warning.place)
        )
        return replace(lock, overridden=self.overridden, warnings=tuple(warnings))


def generate(
    document: Document, folder: Path, root: Path, packs: Packs, generator: str = ""
) -> Generated:
    """Generate the project of a spec; `folder` has the files that the spec names.

    `packs` are those of the project at `root`; `generator` is as in `generated_from`. Raises
    ScaffoldError with every error in the spec, or else in the templates.
    """
    loaded = load(document, rule_at(root, packs))
    attached = attachments(loaded.spec, document, folder)
    return generated_from(loaded, attached, root, packs, generator=generator)


def generated_from(
    loaded: LoadedSpec,
    attached: Attached,
    root: Path,
    packs: Packs,
    last: Lock | None = None,
    generator: str = "",
) -> Generated:
    """Generate the project of a valid spec; `attached` are the files that it names.

    `packs` are those of the project at `root`, and `last` is its lock.
    `generator` is the requirement by which it installs mcp-scaffold, if it can.
    """
    layers = layers_at(root, packs)
    values = traits(layers)
    code, filters = language(values.language), language(values.language).filters
    spec, left_out = chosen.served(loaded.spec, values)
    clients = map(read_client, spec.clients)
    named = with_first_pages(attached, spec, layers)
    project = build(spec, code, values, named, clients, attached.skills, generator)
    text = loaded.document.text
    schema = {SCHEMA: schema_text()} if f"$schema={SCHEMA}" in text else {}
    texts = {SPEC: text, **named, **schema}
    inputs = fingerprints({path: text.encode() for path, text in texts.items()}, packs)
    inputs |= {CHECKED: ""} if spec.skills else {}
    inputs |= {LANGUAGE: values.language} if values.language != DEFAULT else {}
    inputs |= {GENERATOR: generator} if generator else {}
    rendered = render(project, layers, filters)
    if not any(path.key == GITATTRIBUTES for path in rendered):  # a pack may have its own
        rendered = RenderedFiles.of(
            [*rendered.values(), gitattributes(rendered.values(), project.package)]
        )
    inputs |= {LAYOUT: sha256(code.layout.encode()).hexdigest()} if code.layout else {}
    is_known = last and (last.version, last.inputs.get(LAYOUT)) == (__version__, inputs.get(LAYOUT))
    trusted = last.files if last and is_known else {}
    done = formatted_before(rendered, trusted, root, code.is_source)
    files = code.formatted(rendered, done)
    overridden, moved = rebased(layers, last.overridden if last else {})
    return Generated(
        loaded,
        project,
        files,
        with_named(files, attached, loaded),
        {LAST_SPEC: text, SCHEMA: None, **schema},
        inputs,
        (
            *remarks(layers),
            *moved,
            *joined(layers, filters),
            *(finding.diagnostic(loaded.document, Severity.WARNING) for finding in left_out),
        ),
        values,
        overridden,
    )


def rule_at(root: Path, packs: Packs | None = None) -> Rule:
    """Return the rule of the language, and of the packs of the project at `root`; see `layers_at`."""
    return chosen.rule(traits_at(root, packs))


def traits_at(root: Path, packs: Packs | None = None) -> Traits:
    """Return the traits of the packs of the project at `root`; see `layers_at`."""
    return traits(layers_at(root, packs))


def layers_at(root: Path, packs: Packs | None = None) -> tuple[Pack, ...]:
    """Return the layers of the project at `root`, with its packs or these; see `project_layers`."""
    packs = read_packs(root) if packs is None else packs
    own, team = packs.get(TEMPLATES, {}), packs.get(PACK, {})
    return project_layers(own, root / TEMPLATES, team, root / PACK)
