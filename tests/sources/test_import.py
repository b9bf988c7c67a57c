"""`import` writes a spec whose server lists what the source lists, and keeps the edits of a person."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scaffold.commands.importing import differences
from scaffold.sources.lists import read_listing
from scaffold.yaml import source as yaml_source
from tests import command
from tests.captured import Captured
from tests.generated import generate

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


def test_a_real_list_is_taken_over_whole(captured: Captured, tmp_path: Path) -> None:
    path = written(tmp_path, captured.spec, "list.json")
    for suffix in ("yaml", "json") if captured.name == "everything" else ("yaml",):
        code, told = run(tmp_path, str(path), "-o", f"spec.{suffix}")
        assert code == 0, told
        assert read(tmp_path / f"spec.{suffix}")["tools"] == captured.tools


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
def test_a_file_that_is_too_deep_or_too_large_is_an_error_in_words(
    name: str, bytes_: bytes, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(bytes_)
    code, told = run(tmp_path, name)
    assert (code, "error[" in told, len(told) < 20_000) == (2, True, True), told
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
def test_the_proof_sees_each_difference(generated: dict[str, Any], difference: str) -> None:
    source = read_listing([ADD], "it", "it")
    assert not list(differences(source, json.dumps({"tools": [rank(1.0)]})))
    assert difference in list(differences(source, json.dumps(generated)))


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("list.json", [ADD], "a tool list"),
        ("list.json", {"tools": [ADD]}, "a server's list"),
        ("answer.json", {"jsonrpc": "2.0", "result": {"tools": [ADD]}}, "a server's response"),
        ("api.yaml", {"openapi": "3.1.0", "info": {}}, "an OpenAPI document"),
    ],
)
def test_other_commands_say_what_a_source_is_and_name_this_one(
    name: str, value: object, what: str, tmp_path: Path
) -> None:
    written(tmp_path, value, name)
    ended = command.run("validate", name, cwd=tmp_path)
    assert ended.code == 2
    assert f"this is {what}, not a spec" in ended.err
    assert f"`mcp-scaffold import {name} -o mcp.yaml`" in ended.err


def test_a_second_import_keeps_the_edits_and_says_what_is_new(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    run(tmp_path, "sums.json")
    spec = tmp_path / "sums.yaml"
    edited = spec.read_text().replace("version: 0.1.0", 'version: "1.0"  # ours')
    spec.write_text(edited, newline="\r\n")
    changed = json.loads(json.dumps(ADD))
    changed["inputSchema"]["properties"]["b"] = {"type": "number"}
    written(tmp_path, [changed, DIVIDE])
    code, told = run(tmp_path, "sums.json")
    assert code == 0
    assert "add: + b (optional number)" in told
    assert "divide: new" in told
    assert b'version: "1.0"  # ours\r\n' in spec.read_bytes()
    assert b"\n" not in spec.read_bytes().replace(b"\r\n", b"")
    assert read(spec)["tools"] == [changed, DIVIDE]
    before = spec.read_bytes()
    assert run(tmp_path, "sums.json")[0] == 0
    assert spec.read_bytes() == before


def test_a_second_import_keeps_the_story(tmp_path: Path) -> None:
    written(tmp_path, [ADD, DIVIDE])
    run(tmp_path, "sums.json")
    spec = tmp_path / "sums.yaml"
    story = """    examples:
      - {name: of one, after: of two, arguments: {a: 1}, result: "…1"}
      - {name: of two, arguments: {a: 2}, result: {sum: {$pattern: "^2$"}}}
"""
    first, divide, rest = spec.read_text().partition("  - name: divide")
    spec.write_text(f"{first.rstrip()}\n{story}\n{divide}{rest}")
    written(tmp_path, [{**ADD, "description": "Add numbers."}, DIVIDE])
    assert run(tmp_path, "sums.json")[0] == 0
    assert story in spec.read_text()
    assert read(spec)["tools"][0]["description"] == "Add numbers."


def test_where_both_sides_changed_a_line_both_are_written(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    run(tmp_path, "sums.json")
    spec = tmp_path / "sums.yaml"
    spec.write_text(spec.read_text().replace("Add two numbers.", "Ours."))
    written(tmp_path, [{**ADD, "description": "Theirs."}])
    code, told = run(tmp_path, "sums.json")
    assert (code, "conflicts: 1" in told) == (1, True)
    before = spec.read_text()
    assert re.search(r"<{7}.*Ours\..*={7}.*Theirs\..*>{7}", before, re.DOTALL)
    code, told = run(tmp_path, "sums.json")
    assert (code, "has unresolved conflicts" in told) == (2, True)
    assert spec.read_text() == before


def test_the_choice_of_entries_holds_for_the_next_import_and_in_the_project(tmp_path: Path) -> None:
    written(tmp_path, [ADD, DIVIDE])
    assert run(tmp_path, "sums.json", "--exclude", "div*")[0] == 0
    project = generate(tmp_path / "sums.yaml", tmp_path / "sums").folder
    for folder, spec, source in (
        (tmp_path, "sums.yaml", "sums.json"),
        (project, "mcp.yaml", "../sums.json"),
    ):
        assert run(folder, "-o", spec, source)[0] == 0
        assert read(folder / spec)["tools"] == [ADD]
    assert run(tmp_path, "sums.json", "--include", "*")[0] == 0
    assert read(tmp_path / "sums.yaml")["tools"] == [ADD, DIVIDE]
