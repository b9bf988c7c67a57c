"""`import` writes a spec whose server lists what the source lists, or says what it could not take."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scaffold.sources import proof
from scaffold.sources.json_lists import read_listing
from scaffold.sources.listing import from_lists
from scaffold.yaml import source as yaml_source
from tests import command
from tests.captured import Captured
from tests.generated import generate

ADD: dict[str, Any] = {
    "name": "add",
    "description": "Add two numbers.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "number", "x-unit": "m"}}},
    "_meta": {"example.org/team": "sums"},
}
DIVIDE = {"name": "divide", "inputSchema": {"type": "object"}}
STYLE = {"uri": "guide://style", "name": "style", "mimeType": "text/plain"}
ASK = {"name": "ask", "arguments": [{"name": "slug", "required": True}]}


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


SHAPES: dict[str, Callable[[list[Any]], object]] = {
    "array": lambda tools: tools,
    "object": lambda tools: {"tools": tools},
    "response": lambda tools: {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
    "pages": lambda tools: [{"tools": [tool]} for tool in tools],
    "responses": lambda tools: [
        {
            "jsonrpc": "2.0",
            "id": n,
            "result": {"tools": [tool], **({"nextCursor": str(n)} if n else {})},
        }
        for n, tool in reversed([*enumerate(reversed(tools))])
    ],
    "nulls": lambda tools: {
        "environment": {"fastmcp": "4.1.2"},
        "serverInfo": {"name": "sums", "version": "0.1.0", "title": None, "icons": None},
        "tools": [{**tool, "title": None, "annotations": None} for tool in tools],
    },
    "fastmcp": lambda tools: {
        "server": {"name": "sums", "version": "0.1.0", "website_url": None, "capabilities": {}},
        "environment": {"fastmcp": "4.1.2"},
        "tools": [
            {
                "key": f"tool:{tool['name']}@",
                "name": tool["name"],
                "description": tool.get("description"),
                "input_schema": tool["inputSchema"],
                "output_schema": None,
                "tags": None,
                "meta": tool.get("_meta"),
            }
            for tool in tools
        ],
        "templates": [],
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_all_shapes_of_a_list_give_the_same_spec(shape: str, tmp_path: Path) -> None:
    written(tmp_path, SHAPES[shape]([ADD, DIVIDE]))
    assert run(tmp_path, "sums.json")[0] == 0
    assert read(tmp_path / "sums.yaml") == {
        "name": "sums",
        "version": "0.1.0",
        "tools": [ADD, DIVIDE],
    }


def test_the_catalog_of_a_generated_server_gives_its_static_contents_too(tmp_path: Path) -> None:
    said = [{"role": "user", "content": {"type": "text", "text": "Summarise {slug}."}}]
    spec = {"name": "blog", "version": "1.0", "instructions": "Ask.", "tools": [ADD]}
    spec |= {"resources": [{**STYLE, "text": "Be brief."}], "prompts": [{**ASK, "messages": said}]}
    project = generate(spec, tmp_path / "blog")
    assert (
        run(tmp_path, str(project.source / "_generated/catalog.json"), "-o", "again.yaml")[0] == 0
    )
    assert read(tmp_path / "again.yaml") == spec


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_real_list_is_taken_over_whole(captured: Captured, tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, captured.spec, "list.json")
    code, told = run(tmp_path, str(path), "-o", f"spec.{suffix}")
    assert code == 0, told
    assert read(tmp_path / f"spec.{suffix}")["tools"] == captured.tools


def test_the_spec_makes_a_project(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    assert run(tmp_path, "sums.json")[0] == 0
    project = generate(tmp_path / "sums.yaml", tmp_path / "project")
    catalog = json.loads((project.source / "_generated/catalog.json").read_text("utf-8"))
    assert catalog["tools"] == [ADD]


def test_what_is_no_list_is_an_error_and_nothing_is_written(tmp_path: Path) -> None:
    odd: tuple[Any, ...] = ({}, [], 7, {"tools": 7}, [{"name": "a"}], {"mcpServers": {}})
    for value in odd:
        code, told = run(tmp_path, str(written(tmp_path, value)))
        assert (code, "error[not-importable]" in told) == (2, True), told
    assert [path.name for path in tmp_path.iterdir()] == ["sums.json"]


HOSTILE = {
    "deep.json": b"[" * 100_000,
    "deep.yaml": b"a: " + b"[" * 100_000,
    "binary.json": b"\xff\xfe\x00",
    "nan.json": b'[{"name": "a", "inputSchema": {"maximum": NaN}}]',
    "bomb.yaml": "\n".join(
        ["a: &a [1]"] + [f"{chr(n)}: &{chr(n)} [{', '.join(['*' + chr(n - 1)] * 6)}]" for n in range(98, 122)]
    ).encode(),
    "tag.yaml": b"!!python/object/apply:os.system [touch hacked]",
    "big.json": b" ",
    "surrogate.json": b'[{"name": "a\\ud800", "inputSchema": {"type": "object"}}]',
    "escaping.json": b'{"serverInfo": {"name": "../../x"}, "tools": [{"name": "../x", "inputSchema": {"type": "object"}}]}',
}  # fmt: skip
TIMES = {"big.json": 65 * 2**20}
"""How often a file has its bytes."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_an_error_in_words(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(HOSTILE[name] * TIMES.get(name, 1))
    code, told = run(tmp_path, name)
    assert (code, "error[" in told) == (2, True), told
    assert len(told) < 20_000
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_a_spec_cannot_hold_is_left_out_and_named(tmp_path: Path) -> None:
    odd = {**ADD, "timeout_ms": 3, "icons": [{"src": "ftp://x"}]}
    prompt = {"name": "ask", "arguments": [{"name": "slug", "default": "x"}]}
    written(tmp_path, {"tools": [odd, DIVIDE, {**DIVIDE, "title": "Again"}], "prompts": [prompt]})
    code, told = run(tmp_path, "sums.json")
    assert code == 1
    for left_out in (
        "/tools/0/timeout_ms",
        "/tools/0/icons",
        "/tools/2/name",
        "/arguments/0/default",
    ):
        assert left_out in told
    assert read(tmp_path / "sums.yaml")["tools"] == [ADD, DIVIDE]


def test_a_key_that_means_something_else_in_a_spec_is_not_swallowed(tmp_path: Path) -> None:
    """A list has no `examples`, and a spec does not send them: the result would not be the same."""
    written(tmp_path, [{**ADD, "examples": [], "timeout": 3}])
    code, told = run(tmp_path, "sums.json")
    assert code == 2
    assert "`tools/add/timeout` is missing" in told


def test_a_name_that_a_spec_cannot_have_becomes_the_title() -> None:
    source = from_lists("it", "it", {"tools": [ADD]}, {"name": "Über Sums! 2", "version": "v1.2-x"})
    assert source.spec["name"] == "ber-sums-2"
    assert source.spec["version"] == "1.2"
    assert source.spec["title"] == "Über Sums! 2"


def test_capabilities_are_taken_over_as_far_as_a_spec_knows_them() -> None:
    told = {
        "logging": {},
        "tools": {"listChanged": True},
        "resources": {"subscribe": True, "listChanged": False},
        "prompts": {"listChanged": True},
        "tasks": {"list": {}},
        "experimental": {},
    }
    source = from_lists("it", "it", {"tools": [ADD], "resources": [STYLE]}, {}, None, told)
    assert source.spec["capabilities"] == {
        "logging": {},
        "tools": {"listChanged": True},
        "resources": {"subscribe": True},
    }
    assert source.notes == ("the capability `tasks` was left out: a spec cannot declare it",)


@pytest.mark.parametrize(
    ("generated", "difference"),
    [
        ({"tools": []}, "`tools/add` is not in the generated list"),
        ({"tools": [{**ADD, "title": "x"}]}, "`tools/add/title` was added"),
        ({"tools": [{"name": "add", "inputSchema": {}}]}, "`tools/add/description` is missing"),
        ({"tools": [ADD, DIVIDE]}, "`tools` has 2 entries, and the source 1"),
        ({"tools": [ADD], "prompts": [ASK]}, "`prompts` has 1 entries, and the source 0"),
        (
            {"tools": [{**ADD, "_meta": {"example.org/team": True}}]},
            '`tools/add/_meta/example.org/team` is `true`, and in the source `"sums"`',
        ),
    ],
)
def test_the_proof_sees_each_difference(generated: dict[str, Any], difference: str) -> None:
    source = read_listing([ADD], "it", "it")
    assert not list(proof.differences(source, json.dumps({"tools": [ADD]})))
    assert difference in list(proof.differences(source, json.dumps(generated)))


def test_one_and_true_are_different_and_one_and_one_point_zero_are_not() -> None:
    source = read_listing([{"name": "a", "inputSchema": {"maximum": 1}}], "it", "it")

    def same(maximum: object) -> bool:
        tools = [{"name": "a", "inputSchema": {"maximum": maximum}}]
        return not list(proof.differences(source, json.dumps({"tools": tools})))

    assert (same(1), same(1.0), same(True)) == (True, True, False)


def test_patterns_choose_what_is_imported(tmp_path: Path) -> None:
    written(tmp_path, {"tools": [ADD, DIVIDE], "resources": [STYLE]})
    assert run(tmp_path, "sums.json", "--include", "a*", "--include", "guide://*")[0] == 0
    spec = read(tmp_path / "sums.yaml")
    assert (spec["tools"], spec["resources"]) == ([ADD], [STYLE])
    assert (
        run(tmp_path, "sums.json", "-o", "b.yaml", "--exclude", "div*", "--exclude", "style")[0]
        == 0
    )
    assert read(tmp_path / "b.yaml") == {"name": "sums", "version": "0.1.0", "tools": [ADD]}


def test_a_pattern_that_matches_nothing_is_an_error(tmp_path: Path) -> None:
    written(tmp_path, [ADD, DIVIDE])
    code, told = run(tmp_path, "sums.json", "--exclude", "devide")
    assert code == 2
    assert "nothing in the source matches `devide`" in told
    assert "did you mean `divide`?" in told


def test_a_file_that_is_not_from_an_import_is_not_overwritten(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    (tmp_path / "sums.yaml").write_text("mine")
    code, told = run(tmp_path, "sums.json")
    assert (code, "was not written by `import`" in told) == (2, True)
    assert (tmp_path / "sums.yaml").read_text() == "mine"


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
    assert re.search(r"<{7}.*Ours\..*={7}.*Theirs\..*>{7}", spec.read_text(), re.DOTALL)


@pytest.mark.parametrize("other", ["new", "validate"])
@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("list.json", [ADD], "a tool list"),
        ("list.json", {"tools": [ADD]}, "a server's list"),
        ("answer.json", SHAPES["response"]([ADD]), "a server's response"),
        ("api.yaml", {"openapi": "3.1.0", "info": {}}, "an OpenAPI document"),
    ],
)
def test_other_commands_say_what_a_source_is_and_name_this_one(
    other: str, name: str, value: object, what: str, tmp_path: Path
) -> None:
    written(tmp_path, value, name)
    ended = command.run(other, name, cwd=tmp_path)
    assert ended.code == 2
    assert f"this is {what}, not a spec" in ended.err
    assert f"`mcp-scaffold import {name} -o mcp.yaml`" in ended.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give a SOURCE"),
        (["a.json", "--", "python"], "give a SOURCE"),
        (["--"], "give the command"),
        (["a.json"], "no such file"),
        (["--header", "x", "https://localhost:1/mcp"], "is not a header"),
        (["--header", "A: ${NOT_SET_HERE}", "https://localhost:1/mcp"], "`NOT_SET_HERE`"),
    ],
)
def test_wrong_arguments_are_told(arguments: list[str], told: str, tmp_path: Path) -> None:
    code, said = run(tmp_path, *arguments)
    assert code == 2
    assert told in said


def test_a_project_can_be_imported_into_again(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    run(tmp_path, "sums.json")
    project = generate(tmp_path / "sums.yaml", tmp_path / "sums").folder
    written(tmp_path, [ADD, DIVIDE])
    code, told = run(project, "-o", "mcp.yaml", "../sums.json")
    assert (code, "divide: new" in told) == (0, True)
    assert read(project / "mcp.yaml")["tools"] == [ADD, DIVIDE]


def test_over_unresolved_conflicts_nothing_is_imported(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    run(tmp_path, "sums.json")
    spec = tmp_path / "sums.yaml"
    spec.write_text(spec.read_text().replace("Add two numbers.", "Ours."))
    written(tmp_path, [{**ADD, "description": "Theirs."}])
    assert run(tmp_path, "sums.json")[0] == 1
    before = spec.read_text()
    code, told = run(tmp_path, "sums.json")
    assert (code, "has unresolved conflicts" in told) == (2, True)
    assert spec.read_text() == before


def test_a_key_that_is_there_twice_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "sums.json").write_text('[{"name": "a",\n "name": "b", "inputSchema": {}}]')
    code, told = run(tmp_path, "sums.json")
    assert (code, "sums.json:2:2: error[duplicate-key]" in told) == (2, True), told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"name": "a", "inputSchema": {"default":\n NaN}}]', "2:2: error[not-json] `NaN`"),
        ('[{"name": "a", "inputSchema": {}},\n]', "1:34: error[not-json] JSON allows no comma"),
        ('[// all\n{"name": "a", "inputSchema": {}}]', "1:2: error[not-json] JSON has no comments"),
    ],
)
def test_what_is_not_json_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "sums.json").write_text(text)
    code, said = run(tmp_path, "sums.json")
    assert (code, f"sums.json:{told}" in said) == (2, True), said


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


@pytest.mark.parametrize("arguments", [[], ["-o", "aux.yaml"], ["-o", "a:b.yaml"]])
def test_a_name_that_no_file_can_have_everywhere_is_told(
    arguments: list[str], tmp_path: Path
) -> None:
    written(tmp_path, {"serverInfo": {"name": "con", "version": "1"}, "tools": [ADD]}, "c.json")
    code, told = run(tmp_path, "c.json", *arguments)
    assert (code, "is not a portable file name" in told) == (2, True)
    assert [one.name for one in tmp_path.iterdir()] == ["c.json"]


def test_a_folder_is_no_name_for_a_spec(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    code, told = run(tmp_path, "sums.json", "-o", "path/")
    assert (code, "`path/` is a directory" in told) == (2, True)
    assert [one.name for one in tmp_path.iterdir()] == ["sums.json"]


def test_a_list_in_a_file_has_no_server_to_pass_calls_on_to(tmp_path: Path) -> None:
    written(tmp_path, [ADD])
    code, told = run(tmp_path, "sums.json", "--proxy")
    assert (code, "`--proxy` is for a URL" in told) == (2, True)
