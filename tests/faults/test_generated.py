"""Servers explain faults as the tool does, with no more code than their schemas need."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruff import find_ruff_bin

from scaffold.jsonschema.faults import Explainer, validator
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.kinds import keyword_kinds
from tests.captured import Captured
from tests.corpus.fitting import WRONG
from tests.corpus.suite import DIALECTS, cases
from tests.faults.test_random import HOLDERS, NAMES, Json, roots, some_of
from tests.generated import generate
from tests.pyright import errors

Kinds: TypeAlias = frozenset[str]
Module: TypeAlias = Any
"""What `import` makes of a generated `faults.py`."""

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
USES: Mapping[str, Mapping[str, Any]] = {
    "alternatives": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "content": {"contentEncoding": "base64"},
    "others": {"$ref": "#/properties/text"},
}
COMBINATIONS = [frozenset(c) for n in range(4) for c in combinations(USES, n)]
MOST_LINES = 200
"""Of `faults.py` for plain schemas."""
MOST_LINES_IN_ALL = 1345
"""Of `_generated/` of a server with two tools on stdio."""


def spec(kinds: Kinds) -> dict[str, Any]:
    """Return a spec of two tools, with schemas of these kinds."""
    text: dict[str, Any] = {"type": "string", "minLength": 1}
    used = {kind: rule for kind, rule in USES.items() if kind in kinds}
    tools = [
        {"name": "search", "inputSchema": {"type": "object", "properties": {"text": text, **used}}},
        {"name": "show", "inputSchema": {"type": "object", "properties": {"text": text}}},
    ]
    described = [{**tool, "description": f"Lets you {tool['name']}."} for tool in tools]
    return {"name": "-".join(["notes", *sorted(kinds)]), "version": "1", "tools": described}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[Kinds, Path]:
    """The `faults.py` of a server for each combination of kinds."""
    folder = tmp_path_factory.mktemp("combinations")
    found = {}
    for kinds in COMBINATIONS:
        project = generate(spec(kinds), folder / spec(kinds)["name"])
        found[kinds] = project.source / "_generated/faults.py"
    return found


@pytest.fixture(scope="module")
def modules(files: dict[Kinds, Path]) -> dict[Kinds, Module]:
    return {kinds: imported(path) for kinds, path in files.items()}


def imported(path: Path) -> Module:
    found = spec_from_file_location(path.parents[1].name, path)
    assert found
    assert found.loader
    module = sys.modules[found.name] = module_from_spec(found)
    found.loader.exec_module(module)
    return module


def kinds_of(schema: dict[str, Any]) -> Kinds:
    return keyword_kinds([Index.of(schema)])


def assert_same(module: Module, schema: dict[str, Any], value: Json) -> None:
    """Check that a server says of a wrong value what the tool says."""
    assert module.validator(schema).is_valid(value) == validator(schema).is_valid(value)
    if not validator(schema).is_valid(value):
        assert module.Explainer(schema).explain(value) == Explainer(schema).explain(value)


def test_a_server_that_uses_all_kinds_has_the_module_of_the_tool(files: dict[Kinds, Path]) -> None:
    header, module = files[frozenset(USES)].read_text("utf-8").split("\n", 1)
    assert header.startswith("# Generated from ")
    path = Path(__file__).parents[2] / "scaffold/jsonschema/faults.py"
    assert module == path.read_text("utf-8")


def test_a_server_with_plain_schemas_is_short(files: dict[Kinds, Path]) -> None:
    path = files[frozenset()]
    lines = {at.name: len(at.read_text("utf-8").splitlines()) for at in path.parent.glob("*.py")}
    assert lines[path.name] <= MOST_LINES
    assert sum(lines.values()) <= MOST_LINES_IN_ALL


def test_each_kind_takes_lines_of_its_own(files: dict[Kinds, Path]) -> None:
    lines = {kinds: len(path.read_text("utf-8").splitlines()) for kinds, path in files.items()}
    for kinds in COMBINATIONS:
        assert all(lines[kinds] < lines[more] for more in COMBINATIONS if kinds < more)


@pytest.mark.usefixtures("starts_programs")
def test_every_combination_passes_ruff_and_mypy(files: dict[Kinds, Path], tmp_path: Path) -> None:
    side_by_side(files, tmp_path)
    ruff = [find_ruff_bin()]
    alone = ["--isolated", "--no-cache", "--target-version=py311", "."]
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "src"]
    for command in ([*ruff, "check", *alone], [*ruff, "format", "--check", *alone], mypy):
        ran = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.slow
def test_every_combination_passes_pyright(
    files: dict[Kinds, Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    side_by_side(files, tmp_path)
    assert errors(pytestconfig.cache.mkdir("pyright"), tmp_path, "src") == {}


def side_by_side(files: dict[Kinds, Path], folder: Path) -> None:
    """Copy the modules to one folder, for tools that are slow to start."""
    (folder / "src").mkdir()
    for kinds, path in files.items():
        name = "_".join(["faults", *sorted(kinds)])
        (folder / f"src/{name}.py").write_bytes(path.read_bytes())


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        ({"type": "object", "properties": {"a": {"enum": [1]}, "b": True}}, set()),
        ({"type": "array", "items": {"type": "string", "format": "uuid"}}, set()),
        ({"additionalProperties": False, "required": ["a"], "$defs": {"a": {}}}, set()),
        ({"additionalProperties": {}, "properties": {"anyOf": {"title": "not"}}}, set()),
        ({"default": {"$ref": "#"}, "deprecated": True, "x-if": {"not": {}}}, set()),
        ({"items": {"properties": {"a": {"anyOf": [{}]}}}}, {"alternatives"}),
        ({"oneOf": [{"type": "null"}]}, {"alternatives"}),
        ({"properties": {"a": {"contentMediaType": "application/json"}}}, {"content"}),
        ({"$schema": DRAFT_7, "items": {"format": "uuid"}}, {"content"}),
        ({"properties": {"a": False}}, {"others"}),
        ({"additionalProperties": {"type": "string"}}, {"others"}),
        ({"$schema": DRAFT_7, "items": [{}]}, {"others"}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{}]}}}, {"alternatives", "others"}),
        ({"$ref": "#/x-y", "x-y": {"contentEncoding": "base64"}}, {"content", "others"}),
        ({"propertyNames": {"maxLength": 5}}, {"others"}),
        ({"if": {}, "then": {}}, {"others"}),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_the_kinds_of_a_schema(schema: dict[str, Any], kinds: set[str]) -> None:
    assert kinds_of(schema) == kinds


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_combination_says_the_same_of_the_schema_suite(
    corpus: Path, modules: dict[Kinds, Module], dialect: str
) -> None:
    for case in cases(corpus / "json-schema-test-suite", dialect):
        schema = case.tool["inputSchema"]
        for instance, _ in [] if case.fetches else case.tests:
            assert_same(modules[kinds_of(schema)], schema, {"value": instance})


def test_each_combination_says_the_same_of_real_tools(
    captured: Captured, modules: dict[Kinds, Module]
) -> None:
    indexes = [Index.of(tool["inputSchema"]) for tool in captured.tools]
    module = modules[keyword_kinds(indexes)]
    for tool in captured.tools:
        schema = tool["inputSchema"]
        names = schema.get("properties", ())
        for value in ({}, *(dict.fromkeys(names, wrong) for wrong in WRONG)):
            assert_same(module, schema, value)


PLAIN = st.recursive(
    some_of(
        {
            "type": st.sampled_from(["integer", "string", "array", "object", ["null", "boolean"]]),
            "enum": st.lists(st.sampled_from([0, "a", None, True]), min_size=1, max_size=3),
            "minimum": st.integers(0, 3),
            "pattern": st.sampled_from(["^a", "[0-9]"]),
            "minLength": st.integers(0, 3),
            "uniqueItems": st.booleans(),
        }
    ),
    lambda inner: some_of(
        {
            "type": st.sampled_from(["array", "object"]),
            "properties": st.dictionaries(st.sampled_from(NAMES), inner | st.just(True)),
            "required": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
            "additionalProperties": st.sampled_from([True, False, {}]),
            "items": inner,
        }
    ),
)


@pytest.mark.slow
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(roots() | PLAIN, HOLDERS)
def test_each_combination_says_the_same_of_random_schemas(
    modules: dict[Kinds, Module], schema: dict[str, Any], value: Json
) -> None:
    assert_same(modules[kinds_of(schema)], schema, value)


LARGE: Mapping[str, tuple[dict[str, Any], Json]] = {
    "all wrong": ({"items": {"type": "integer"}}, ["x"] * 100_000),
    "wrong at the end": ({"items": {"type": "integer"}}, [1] * 100_000 + ["x"]),
    "too much to check": ({"items": {"type": "integer"}}, [1] * 1_000_000 + ["x"]),
    "long lines": ({"items": {"enum": ["é" * 999]}}, ["x" * 999]),
    "a long path": ({"properties": {"p" * 999: {"type": "null"}}}, {"p" * 999: 1}),
    "many that are not known": (
        {"additionalProperties": False},
        dict.fromkeys("abcdefghijklmnopqrstuvw"),
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_plain_server_says_the_same_of_large_values(
    modules: dict[Kinds, Module], name: str
) -> None:
    assert_same(modules[frozenset()], *LARGE[name])
