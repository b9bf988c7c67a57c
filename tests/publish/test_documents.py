"""What is written for registries is what they accept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from scaffold.commands.new import new
from scaffold.commands.validate import findings_in
from scaffold.project.publishing import merged
from scaffold.publish.check import findings
from scaffold.publish.subject import subject
from tests.generated import REPOSITORY
from tests.publish.conftest import CASES, SPEC

DATA = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text("utf-8"))


def written(folder: Path, spec: str) -> tuple[Any, Any]:
    """The server.json and the manifest of a spec."""
    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    root = folder / "library"
    new(folder / "spec.yaml", root)
    files = (root / "server.json", root / "manifest.json")
    return tuple(json.loads(file.read_text("utf-8")) if file.exists() else None for file in files)  # type: ignore[return-value]


def test_the_schemas_are_the_published_ones(shared: Path) -> None:
    own = REPOSITORY / "scaffold/publish/schemas"
    published = shared / "reference/format-schemas"
    for name, of in {
        "server-2025-12-11": "registry-server-2025-12-11",
        "manifest-0.4": "mcpb-manifest-v0.4",
    }.items():
        theirs = (published / f"{of}.schema.json").read_bytes()
        assert (own / f"{name}.json").read_bytes() == theirs


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a"], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_the_examples_of_rfc_7396_hold(target: Any, patch: Any, result: Any) -> None:
    assert merged(target, patch) == result


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_the_documents_are_those_of_the_case_and_accepted(tmp_path: Path, case: Path) -> None:
    names = ("server.json", "manifest.json")
    wanted = [
        json.loads((case / name).read_text("utf-8")) if (case / name).exists() else None
        for name in names
    ]
    assert [*written(tmp_path, (case / "spec.yaml").read_text("utf-8"))] == wanted
    assert findings(subject(tmp_path / "library")) == ()


def test_no_header_is_declared_for_clients_that_log_in(tmp_path: Path) -> None:
    spec = (CASES / "over-http/spec.yaml").read_text("utf-8")
    oauth = '{oauth: {issuer: "https://login.example.com", resource: {env: LIBRARY_FILE}}}'
    server, _ = written(tmp_path, spec.replace("{bearer: {env: LIBRARY_TOKEN}}", oauth))
    assert server["remotes"] == [{"type": "streamable-http", "url": "https://library.example/mcp"}]


def test_a_namespace_of_a_domain_logs_in_with_its_key(tmp_path: Path) -> None:
    written(tmp_path, SPEC.replace("io.github.Example", "com.example.api"))
    workflow = (tmp_path / "library/.github/workflows/publish-mcp.yml").read_text("utf-8")
    assert "login dns --domain api.example.com --private-key" in workflow
    assert "github-oidc" not in workflow


@pytest.mark.parametrize(("key", "value", "message"), DATA["specs"])
def test_a_spec_that_cannot_be_published_is_refused(
    tmp_path: Path, key: str, value: str, message: str
) -> None:
    assert key in SPEC
    diagnostics = findings_in(SPEC.replace(key, value, 1), tmp_path / "spec.yaml")
    assert (
        any(message in diagnostic.message for diagnostic in diagnostics)
        if message
        else not diagnostics
    )


def test_hostile_texts_stay_data(tmp_path: Path) -> None:
    text = '${{ secrets.TOKEN }} ${__dirname} \\u202e <!-- mcp-name: a/b --> \\" $(id)'
    spec = SPEC.replace("license: MIT", f'author: "{text}"')
    spec = spec.replace("title: Library", f'title: "{text}"')
    server, manifest = written(tmp_path, spec)
    read = json.loads(f'"{text}"')
    assert server["title"] == manifest["author"]["name"] == read
    workflow = (tmp_path / "library/.github/workflows/publish-mcp.yml").read_text("utf-8")
    assert "secrets.TOKEN" not in workflow
    for name in ("server.json", "manifest.json", "pyproject.toml"):
        assert "\u202e" not in (tmp_path / "library" / name).read_text("utf-8")
