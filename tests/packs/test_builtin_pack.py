"""What the templates of the pack `python` make of whole specs."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.files import Owner, RelPath, RenderedFiles
from scaffold.languages.python.format import formatted
from scaffold.languages.python.text import FILTERS
from scaffold.packs import builtin_packs
from scaffold.packs.engine import render
from scaffold.packs.pack import read_layers
from scaffold.project.attachments import attachments, with_first_pages
from scaffold.yaml.source import parse, read
from tests.built import built
from tests.checked import check
from tests.generated import REPOSITORY

SPECS = sorted((REPOSITORY / "specs").glob("*.yaml"))
for_each_spec = pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)

ENTRIES: dict[str, dict[str, Any]] = {
    "tools": {"name": "added", "description": "Is new.", "inputSchema": {"type": "object"}},
    "resources": {"uri": "added://one", "name": "added_one"},
    "resourceTemplates": {"uriTemplate": "added://{two}", "name": "added_two"},
    "prompts": {"name": "added_three", "arguments": [{"name": "two"}]},
}
FEATURES: dict[str, dict[str, Any]] = {
    "none": {},
    "lists change": {"capabilities": {kind: {"listChanged": True} for kind in ENTRIES}},
    "subscriptions": {"capabilities": {"resources": {"subscribe": True}}},
    "log": {"capabilities": {"logging": {}}},
    "completions": {"prompts": [ENTRIES["prompts"]], "capabilities": {"completions": {}}},
    "elicitation": {"clientCapabilities": {"elicitation": {}}},
    "sampling": {"clientCapabilities": {"sampling": {}}},
    "roots": {"clientCapabilities": {"roots": {}}},
    "http": {"transports": ["streamable-http"]},
    "sse": {"transports": ["sse"]},
    "settings": {"env": [{"name": "PLACE"}]},
}


def rendered(spec: Any, pack: str = "python") -> RenderedFiles:
    """Render a spec of `specs/`, or one that is changed from it."""
    document = parse(json.dumps(spec))
    checked = check(document)
    layers = read_layers(builtin_packs() / pack)
    attached = attachments(checked, document, REPOSITORY / "specs")
    project = built(checked, with_first_pages(attached, checked, layers))
    return render(project, layers, FILTERS)


def merged(spec: Any) -> dict[str, str]:
    files = rendered(spec)
    return {path: file.text for path, file in files.items() if file.owner == Owner.MERGED}


@for_each_spec
def test_formatting_is_stable(path: Path) -> None:
    files = formatted(rendered(read(path).value))
    again = formatted(files)
    assert {path for path in files if again[path].text != files[path].text} == set()


@for_each_spec
def test_a_readme_is_short_and_no_merged_file_changes_with_an_entry(path: Path) -> None:
    spec = read(path).value
    assert isinstance(spec, dict)
    before = merged(spec)
    assert len(before["README.md"].splitlines()) <= 60
    # The manifest of a bundle shows the tools to people who decide whether to install it.
    paths = before.keys() - {"manifest.json"}
    for kind, entry in ENTRIES.items():
        entries = spec.get(kind, [])
        assert isinstance(entries, list)
        after = merged({**spec, kind: [*entries, entry]})
        assert {path: after[path] for path in paths} == {path: before[path] for path in paths}


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("kind", ["tools", "resources", "prompts"])
def test_each_module_of_the_runtime_can_be_imported(kind: str, feature: str) -> None:
    spec = {"name": "made", "version": "1", kind: [ENTRIES[kind]], **FEATURES[feature]}
    if capabilities := FEATURES[feature].get("capabilities"):
        others = ENTRIES.keys() - {kind}
        spec["capabilities"] = {k: v for k, v in capabilities.items() if k not in others}
    folder = "src/made/_generated/runtime/"
    modules = {path: file.text for path, file in rendered(spec).items() if path.startswith(folder)}
    imports = re.compile(r"^ *from \.(\w+) import", re.MULTILINE)
    wanted = {f"{folder}{name}.py" for text in modules.values() for name in imports.findall(text)}
    assert wanted
    assert wanted <= modules.keys()


def test_a_lifespan_that_opens_an_api_and_an_upstream_imports_both() -> None:
    tool = ENTRIES["tools"]
    spec = {
        "name": "made",
        "version": "1",
        "env": [{"name": "A", "type": "url", "default": "https://a.example"}],
        "api": {"url": {"env": "A"}},
        "upstream": {"url": "${A}/mcp"},
        "tools": [
            {**tool, "handler": {"http": {"method": "GET", "path": "/a"}}},
            {**tool, "name": "other", "handler": {"proxy": {}}},
        ],
    }
    nodes = [*ast.walk(ast.parse(rendered(spec)[RelPath("src/made/lifespan.py")].text))]
    imported = {node.name for node in nodes if isinstance(node, ast.alias)}
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    assert {"Api", "connected", "Upstream", "opened"} <= imported & used


@pytest.mark.parametrize(
    ("pack", "modules", "lines"), [("python", 18, 1_525), ("python-stdlib", 26, 2_524)]
)
def test_a_project_of_one_tool_has_no_more_than_it_needs(
    pack: str, modules: int, lines: int
) -> None:
    """Its lines of Python, tests included; the next ones who cut lower the numbers."""
    spec = {"name": "made", "version": "1", "tools": [ENTRIES["tools"]]}
    files = formatted(rendered(spec, pack)).items()
    texts = [file.text for path, file in files if path.endswith(".py")]
    assert len(texts) <= modules
    assert len("".join(texts).splitlines()) <= lines
