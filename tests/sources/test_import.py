"""`import` writes a spec whose server lists what the source lists, and keeps the edits of a person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scaffold.commands.importing import differences
from scaffold.sources.lists import read_listing
from scaffold.yaml import source as yaml_source
from tests import command
from tests.captured import Captured

ADD: dict[str, Any] = {
    "name": "add",
    "description": "Add two numbers.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "number", "x-unit": "m"}}},
    "_meta": {"example.org/team": "sums", "example.org/rank": 1},
}


def rank(value: object) -> dict[str, Any]:
    return {**ADD, "_meta": {"example.org/team": "sums", "example.org/rank": value}}


DIVIDE = {"name": "divide", "inputSchema": {"type": "object"}}


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run `import` in a folder; return its exit code and all that it prints."""
    ended = command.run("import", *arguments, cwd=folder)
    assert "Traceback" not in ended.err
    return ended.code, ended.out + ended.err


def read(path: Path) -> Any:
    """Return the value of a spec."""
    return yaml_source.read(path).value


def written(folder: Path, value: object, name: str = "sums.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def as_written(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool without what FastMCP and MCPServer add to what its author wrote."""
    tool = {**tool, "_meta": {k: v for k, v in tool.get("_meta", {}).items() if "fastmcp" not in k}}
    output = tool.pop("outputSchema", {})
    marked = "x-fastmcp-wrap-result" in output or output.get("title") == f"{tool['name']}Output"
    properties = json.dumps(output.get("properties")).replace('"title": "Result", ', "")
    if output and not (marked and properties == '{"result": {"type": "string"}}'):
        tool["outputSchema"] = {k: v for k, v in output.items() if k != "x-fastmcp-wrap-result"}
    return {key: value for key, value in tool.items() if key != "_meta" or value}


def test_a_real_list_is_imported_unchanged(captured: Captured, tmp_path: Path) -> None:
    path = written(tmp_path, captured.spec, "list.json")
    for suffix in ("yaml", "json") if captured.name == "everything" else ("yaml",):
        code, output = run(tmp_path, str(path), "-o", f"spec.{suffix}")
        assert code == 0, output
        assert read(tmp_path / f"spec.{suffix}")["tools"] == [*map(as_written, captured.tools)]


@pytest.mark.parametrize(
    ("name", "bytes_"),
    [
        ("deep.json", b"[" * 100_000),
        ("deep-but-not-too-deep-for-json.json", b"[" * 900 + b"]" * 900),
        ("deep.yaml", b"a: " + b"[" * 100_000),
        ("binary.json", b"\xff\xfe\x00"),
        ("big.json", b" " * 65 * 2**20),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_too_deep_or_too_large_is_a_clear_error(
    name: str, bytes_: bytes, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(bytes_)
    code, output = run(tmp_path, name)
    assert (code, "error[" in output, len(output) < 20_000) == (2, True, True), output
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("generated", "difference"),
    [
        ({"tools": []}, "`tools/add` is not in the generated list"),
        ({"tools": [{**ADD, "title": "x"}]}, "`tools/add/title` was added"),
        (
            {"tools": [rank(True)]},
            "`tools/add/_meta/example.org/rank` is `true`, and in the source `1`",
        ),
        ({"tools": [{"name": "add", "inputSchema": {}}]}, "`tools/add/description` is missing"),
        ({"tools": [ADD, DIVIDE]}, "`tools` has 2 entries, and the source 1"),
    ],
)
def test_the_comparison_detects_each_difference(generated: dict[str, Any], difference: str) -> None:
    source = read_listing([ADD], "it", "it")
    assert not list(differences(source, json.dumps({"tools": [rank(1.0)]})))
    assert difference in list(differences(source, json.dumps(generated)))
