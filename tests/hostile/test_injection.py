"""Hostile text in every field of a spec changes no file of the project but in its literals."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.generated import generate, importable
from tests.hostile.everywhere import spec, texts
from tests.hostile.files import folded, read, shown, unreadable, written
from tests.project_tools import ruff_findings

from . import LONG

UNSENT = {"errors", "timeout", "examples", "text", "file", "messages"}
IDENTIFIERS = {"id", "name", "arg", "attr", "module", "asname"}
"""The fields of syntax trees that hold one."""

Make: TypeAlias = Callable[[list[str]], tuple[dict[str, Any], Path]]
Differences: TypeAlias = Callable[[Path], dict[str, object]]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Makes the project of the spec with these texts."""
    folder, numbers = tmp_path_factory.mktemp("injection"), count()

    def project_of(texts: list[str]) -> tuple[dict[str, Any], Path]:
        value, project = spec(texts), folder / str(next(numbers))
        (folder / "about.txt").write_bytes(texts[0].encode())
        return value, generate(value, project).folder

    return project_of


@pytest.fixture(scope="module")
def differences(make: Make) -> Differences:
    """Tells the files whose shape is not that which harmless texts give."""
    first, second = make(["Some words"])[1], make(["Other things, twice"])[1]
    fixed = identifiers(first) & identifiers(second)
    harmless = shapes(first, fixed)
    assert shapes(second, fixed) == harmless

    def changed_shapes(project: Path) -> dict[str, object]:
        now = shapes(project, fixed)
        names = harmless.keys() | now.keys()
        return {name: now.get(name) for name in names if harmless.get(name) != now.get(name)}

    return changed_shapes


@given(st.lists(texts, min_size=3, max_size=12))
@settings(
    deadline=None,
    max_examples=240 if LONG else 12,
    phases=[Phase.reuse, Phase.generate],  # To shrink takes minutes.
    suppress_health_check=list(HealthCheck),
)
def test_texts_are_data_in_every_file_and_the_catalog_has_them_verbatim(
    make: Make, differences: Differences, hostile: list[str]
) -> None:
    value, folder = make(hostile)
    assert unreadable(folder) == {}
    assert differences(folder) == {}
    assert ruff_findings(folder) == ""
    assert list(unfaithful(value, folder)) == []


# What a file is, its texts aside.


def shapes(project: Path, identifiers: set[str]) -> dict[str, list[object]]:
    """The shape of each file; those whose names come from a text are one heap for each folder."""
    heaps: dict[str, list[object]] = {}
    for path in written(project):
        name = path.relative_to(project).as_posix()
        if path.parent.name in ("resources", "prompts") and path.name != "__init__.py":
            name = f"{path.parent.name}/*"
        heaps.setdefault(name, []).append(shape(path, identifiers))
    return {name: sorted(heap, key=repr) for name, heap in heaps.items()}


def shape(path: Path, identifiers: set[str]) -> object:
    """What the reader of a file's format makes of it, without texts."""
    match path.suffix, read(path.name, path.read_text("utf-8")):
        case ".py", tree:
            return skeleton(tree, identifiers)
        case ".md", html:
            html = html.replace("<br />", "")
            return [without_query(tag) for tag in re.findall(r"</?\w+|href=\"[^\"]*", html)]
        case _, value:
            return without_texts(value, VARYING.get(path.name, VARYING.get(path.parent.name, ())))


def without_query(address: str) -> str:
    """An address without the values in its query, where links to install a server hold texts."""
    path, mark, query = address.partition("?")
    return path + mark + "&" * query.count("&")


def skeleton(tree: ast.Module, identifiers: set[str]) -> list[str]:
    """The tree without texts and without names that come from them, imports in no order."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str()):
                node.value = ""
            case ast.JoinedStr():
                node.values = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        for field, value in ast.iter_fields(node):
            if field in IDENTIFIERS and isinstance(value, str):
                known = all(part in identifiers for part in value.split("."))
                setattr(node, field, value if known else "")
    for node in ast.walk(tree):  # once no name of a text is left
        if isinstance(node, ast.ImportFrom):
            node.names.sort(key=ast.dump)
    dumped = [ast.dump(statement) for statement in tree.body]
    imports = [line for line in dumped if line.startswith("Import")]
    return sorted(imports) + [line for line in dumped if line not in imports]


def identifiers(project: Path) -> set[str]:
    """Every identifier in the Python files of a project."""
    return {
        part
        for path in project.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        for field, value in ast.iter_fields(node)
        if field in IDENTIFIERS and isinstance(value, str)
        for part in value.split(".")
    }


VARYING = {"lock.json": ("source",), "clients": ("env", "envs", "environment")}
"""Keys that depend on texts: whether formatting changes a file depends on how long its lines are,
and a default that the client would take for a reference is left to the server."""


def without_texts(value: object, keys: Sequence[str] = ()) -> object:
    """The keys and items of a value, without the values of some keys."""
    match value:
        case dict():
            return [without_texts(item, keys) for key, item in value.items() if key not in keys]
        case list():
            return [without_texts(item, keys) for item in value]
    return "" if isinstance(value, str) else value


# What the files say.


def unfaithful(value: dict[str, Any], project: Path) -> Iterator[str]:
    """What a file says otherwise than the spec."""
    generated = project / "src/demo/_generated"
    catalog = json.loads((generated / "catalog.json").read_bytes())
    for kind in ("tools", "resources", "resourceTemplates", "prompts"):
        if catalog[kind] != [wire(entry) for entry in value[kind]]:
            yield f"catalog: {catalog[kind]}"

    with importable(project / "src", "demo"):
        contract = import_module("demo._generated.contract")
        for error in value["errors"]:
            given = {"who": "me"} if error["name"] == "NotFound" else {}
            raised = getattr(contract, error["name"])(**given)
            if str(raised) != error["message"].replace("{who}", "me").replace("{{", "{"):
                yield f"errors: {raised}"
        settings = import_module("demo._generated.settings").Settings
        read = settings.from_environment({"TOKEN": "hunter2"})
        if read.url != value["env"][0]["default"].strip() or "hunter2" in repr(read):
            yield f"settings: {read}"

    [example] = value["tools"][0]["examples"]
    example = example | {"name": f"{value['tools'][0]['name']}, {example['name']}"}
    checks = [{key: row.get(key) for key in ("name", "params")} for row in catalog["checks"]]
    params = {"name": value["tools"][0]["name"], "arguments": example["arguments"]}
    if {"name": example["name"], "params": params} not in checks:
        yield f"checks: {checks}"

    described = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    if described.get("description", "") not in value["description"]:
        yield f"pyproject.toml: {described}"

    for snippet in (project / "clients").glob("vscode*.json"):
        for variable in json.loads(snippet.read_bytes()).get("inputs", []):
            if variable["description"] != value["env"][1]["description"]:
                yield f"{snippet.name}: {variable}"

    [tool] = value["tools"]
    for name, words in {
        "README.md": (value["title"], value["description"]),
        "TOOLS.md": (tool["description"], *tool["inputSchema"]["properties"]),
    }.items():
        page = shown((project / name).read_text("utf-8"))
        yield from (f"{name} does not show {text!r}" for text in words if folded(text) not in page)


def wire(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in UNSENT}
