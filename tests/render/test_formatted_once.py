"""What the built-in templates print is formatted once, and nothing is left to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.clients.client import read_clients
from scaffold.languages.python.format import formatted
from scaffold.languages.python.text import FILTERS
from scaffold.packs import builtin_packs
from scaffold.packs.engine import render
from scaffold.packs.pack import read_layers
from scaffold.project.attachments import attachments
from scaffold.project.build import build
from scaffold.yaml.source import read
from tests.checked import check

SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.yaml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_what_was_formatted_once_stays_as_it_is(path: Path) -> None:
    document = read(path)
    spec = check(document)
    project = build(spec, attachments(spec, document, path.parent), read_clients())
    files = formatted(render(project, read_layers(builtin_packs() / "python"), FILTERS))
    again = formatted(files)
    assert {path for path in files if again[path].text != files[path].text} == set()
