"""A stranger's templates are rendered in a process of their own, with the same result."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from scaffold import chosen
from scaffold.attachments import attachments
from scaffold.clients.client import read_clients
from scaffold.packs.pack import read_layers
from scaffold.project.build import build
from scaffold.python.text import FILTERS
from scaffold.render.engine import render
from scaffold.render.limited import render_limited
from scaffold.spec.check import load
from scaffold.yaml.source import read
from tests.generated import REPOSITORY


@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.parametrize(
    ("pack", "spec"), [("python", "everything"), ("python-stdlib", "blog-search")]
)
def test_each_kind_of_process_renders_what_this_one_does(
    pack: str, spec: str, start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "pack.toml").write_text(f'name = "acme"\ncontract = 3\nextends = "{pack}"\n')
    path = REPOSITORY / f"specs/{spec}.yaml"
    loaded = load(read(path), chosen.rule())
    attached = attachments(loaded.spec, loaded.document, path.parent)
    project = build(loaded.spec, attached, read_clients())
    layers = read_layers(folder)
    # Windows always starts a new process; elsewhere a second thread makes it necessary.
    monkeypatch.setattr(threading, "active_count", {"fork": lambda: 1, "spawn": lambda: 2}[start])
    assert render_limited(project, layers, FILTERS) == render(project, layers, FILTERS)
