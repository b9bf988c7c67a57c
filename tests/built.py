"""The project of a spec as templates of the pack `python` see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scaffold.base.files import RelPath
from scaffold.clients.client import read_clients
from scaffold.format.spec import Spec
from scaffold.languages.registry import language
from scaffold.packs import builtin_packs
from scaffold.packs.pack import Pack, read_layers
from scaffold.packs.traits import traits
from scaffold.project.build import build
from scaffold.project.model import Project

TRAITS = traits(read_layers(builtin_packs() / "python"))
PLAIN = traits(read_layers(builtin_packs() / "python-stdlib"))


def sources(layers: Sequence[Pack]) -> dict[str, str]:
    """Return the templates of layers by path: the text in the lowest first, then what extends it."""
    texts: dict[str, str] = {}
    for pack in reversed(layers):
        for path, text in pack.templates.items():
            texts[path] = texts.get(path, "") + text
    return texts


def built(spec: Spec, attached: Mapping[RelPath, str]) -> Project:
    """Build the project of a spec, with snippets for all clients."""
    return build(spec, language("python"), TRAITS, attached, read_clients())
