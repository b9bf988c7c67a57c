"""The built-in templates emit what ruff leaves alone, so that no ruff decides a project's bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.attachments import attachments
from scaffold.clients.catalog import read_clients
from scaffold.packs import builtin_packs
from scaffold.packs.pack import read_layers
from scaffold.project.build import build
from scaffold.project.check import check
from scaffold.python.format import formatted
from scaffold.render.engine import render
from scaffold.yaml.source import read

SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.yaml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_ruff_changes_nothing(path: Path) -> None:
    document = read(path)
    spec = check(document)
    project = build(spec, attachments(spec, document, path.parent), read_clients())
    files = render(project, read_layers(builtin_packs() / "python"))
    changed = {name: file.text for name, file in formatted(files).items() if file != files[name]}
    assert changed == {}
