"""Files that people edit too are short, and do not change with the entries of a spec."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scaffold.base.files import Owner
from scaffold.clients.client import read_clients
from scaffold.languages.python.text import FILTERS
from scaffold.packs import builtin_packs
from scaffold.packs.engine import render
from scaffold.packs.pack import read_pack
from scaffold.project.attachments import attachments
from scaffold.project.build import build
from scaffold.yaml.source import parse, read
from tests.checked import check
from tests.generated import REPOSITORY

SPECS = sorted(path.stem for path in (REPOSITORY / "specs").glob("*.yaml"))
ADDED: dict[str, dict[str, Any]] = {
    "tools": {"name": "added", "description": "Is new.", "inputSchema": {"type": "object"}},
    "resources": {"uri": "added://one", "name": "added_one"},
    "resourceTemplates": {"uriTemplate": "added://{two}", "name": "added_two"},
    "prompts": {"name": "added_three"},
}


def written(name: str) -> dict[str, Any]:
    value = read(REPOSITORY / f"specs/{name}.yaml").value
    assert isinstance(value, dict)
    return value


def merged(spec: dict[str, Any]) -> dict[str, str]:
    """Return the merged files of a spec, by path."""
    document = parse(json.dumps(spec))
    checked = check(document)
    attached = attachments(checked, document, REPOSITORY / "specs")
    project = build(checked, attached, read_clients())
    files = render(project, [read_pack(builtin_packs() / "python")], FILTERS)
    return {path: file.text for path, file in files.items() if file.owner == Owner.MERGED}


@pytest.mark.parametrize("name", SPECS)
def test_a_readme_has_at_most_sixty_lines(name: str) -> None:
    spec = written(name)
    assert len(merged(spec)["README.md"].splitlines()) <= 60


@pytest.mark.parametrize("kind", ADDED)
@pytest.mark.parametrize("name", SPECS)
def test_no_merged_file_changes_with_an_entry(name: str, kind: str) -> None:
    spec = written(name)
    before = merged(spec)
    after = merged({**spec, kind: [*spec.get(kind, []), ADDED[kind]]})
    # The manifest of a bundle shows the tools to people who decide whether to install it.
    paths = before.keys() - {"manifest.json"}
    assert {path: after[path] for path in paths} == {path: before[path] for path in paths}
