"""A second import never moves an edit to another entry, in whatever order the source lists them."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scaffold.commands.importing import imported
from scaffold.sources.read import read_source
from scaffold.sources.reimport import merge_entries
from scaffold.yaml.writing import yaml_text

NAMES = [f"tool_{letter}" for letter in "abcdefgh"]
SUFFIXES = pytest.mark.parametrize("suffix", ["yaml", "json"])


def spec(names: list[str]) -> dict[str, Any]:
    """A spec of tools that are all alike."""
    schema = {"type": "object", "properties": {"q": {"type": "string", "description": "Words"}}}
    hints = {"readOnlyHint": True}
    rest = {"description": "Get it.", "inputSchema": schema, "annotations": hints}
    tools = [{"name": name, **rest} for name in names]
    return {"name": "shop", "version": "1", "tools": tools}


def text(value: dict[str, Any], suffix: str) -> str:
    return yaml_text(value) if suffix == "yaml" else json.dumps(value, indent=2) + "\n"


def described(old: str, suffix: str, name: str, description: str) -> str:
    """The text after a person has described a tool anew."""
    before, _, after = old.partition(name)
    return before + name + after.replace("Get it.", description, 1)


def entries(merged: str) -> dict[str, Any]:
    return {tool["name"]: tool for tool in yaml.safe_load(merged)["tools"]}


@SUFFIXES
@given(
    order=st.permutations(NAMES), edited=st.lists(st.sampled_from(NAMES), min_size=1, max_size=10)
)
def test_edits_stay_with_their_tools_in_every_order(
    suffix: str, order: list[str], edited: list[str]
) -> None:
    old = text(spec(NAMES), suffix)
    mine = old
    for name in set(edited):
        mine = described(mine, suffix, name, f"Ours of {name}.")
    merged = merge_entries(f"s.{suffix}", old, mine, text(spec(order), suffix))
    assert not merged.conflicts
    wanted = spec(order)
    for tool in wanted["tools"]:
        if tool["name"] in edited:
            tool["description"] = f"Ours of {tool['name']}."
    assert yaml.safe_load(merged.text) == wanted
    if suffix == "json":
        assert json.loads(merged.text) == wanted


@SUFFIXES
@given(
    theirs=st.lists(st.sampled_from([*NAMES, "new_a", "new_b"]), unique=True, min_size=1),
    edited=st.sampled_from(NAMES),
)
def test_an_edit_of_a_tool_that_is_gone_is_a_conflict(
    suffix: str, theirs: list[str], edited: str
) -> None:
    old = text(spec(NAMES), suffix)
    mine = described(old, suffix, edited, "Ours.")
    merged = merge_entries(f"s.{suffix}", old, mine, text(spec(theirs), suffix))
    if edited in theirs:
        assert entries(merged.text)[edited]["description"] == "Ours."
        assert [*entries(merged.text)] == theirs
        return
    (conflict,) = merged.conflicts
    lines = mine.splitlines()[conflict.start : conflict.stop]
    assert edited in "".join(lines[:2])
    assert not any(name in "".join(lines) for name in NAMES if name != edited)


def test_comments_moved_tools_and_added_tools_stay() -> None:
    old = text(spec(NAMES[:3]), "yaml")
    head, *tools = old.split("  - name: ")
    a, b, c = (f"  - name: {tool.strip()}\n" for tool in tools)
    own = "  - name: own\n    inputSchema: {type: object}\n"
    mine = "# Ours.\n" + head + "\n".join(["  # About c.\n" + c, own, a, b])
    theirs = text(spec([NAMES[1], "new", NAMES[2]]), "yaml")
    merged = merge_entries("s.yaml", old, mine, theirs)
    assert not merged.conflicts
    assert [*entries(merged.text)] == [NAMES[2], "own", NAMES[1], "new"]
    assert "# Ours.\nname: shop" in merged.text
    assert f"  # About c.\n  - name: {NAMES[2]}" in merged.text


def test_a_renamed_tool_is_the_same_entry() -> None:
    old = text(spec(NAMES[:2]), "yaml")
    mine = old.replace("name: tool_a", "name: ours\n    renamedFrom: tool_a")
    theirs = text(spec([NAMES[1], NAMES[0]]), "yaml").replace("Words", "Terms")
    merged = merge_entries("s.yaml", old, mine, theirs)
    tools = entries(merged.text)
    assert [*tools] == ["tool_b", "ours"]
    assert tools["ours"]["inputSchema"]["properties"]["q"]["description"] == "Terms"
    assert not merged.conflicts


def test_tools_that_share_lines_are_a_conflict_as_a_whole() -> None:
    old, theirs = text(spec(NAMES[:2]), "yaml"), text(spec(NAMES[1::-1]), "yaml")
    mine = "name: shop\nversion: '1'\ntools: [{name: tool_a, inputSchema: {}}, {name: tool_b,\n"
    mine += " inputSchema: {}}]\n"
    merged = merge_entries("s.yaml", old, mine, theirs)
    assert len(merged.conflicts) == 1
    rest = merged.text[merged.text.index("<<<<<<<") :]
    assert [line for line in mine.splitlines(True) if line not in merged.text] == []
    assert all(name in rest.partition("=======")[2] for name in NAMES[:2])


def test_other_line_endings_or_a_repeated_key_change_no_other_line() -> None:
    old = text({**spec(NAMES[:1]), "title": "Shop"}, "yaml")
    mine = old.replace("title: Shop", "title: Ours  # yes").rstrip("\n")
    merged = merge_entries("s.yaml", old, mine, old.replace("Get it.", "Got it."))
    assert merged.text == mine.replace("Get it.", "Got it.") + "\n"
    for once, again in pairwise([old, mine, merged.text]):
        assert merge_entries("s.yaml", once, again, once).text == again


LONG = "ServiceUsersManagementController_updateServiceUsersAuthorityGroupMembershipBy"


def operation(method: str, path: str, name: str) -> tuple[str, dict[str, Any]]:
    return path, {method: {"operationId": name, "responses": {"200": {"description": "Fine"}}}}


OPERATIONS = [
    operation("get", "/id", f"{LONG}Id"),
    operation("delete", "/name", f"{LONG}Name"),
    operation("get", "/twice/{id}", "twice"),
    operation("delete", "/twice", "twice"),
    operation("get", "/alone", "alone"),
]


def names(folder: Path, paths: list[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """The names of the tools that an import gives, by their paths."""
    document = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": dict(paths)}
    (folder / "api.json").write_text(json.dumps(document), encoding="utf-8")
    source = imported(read_source(str(folder / "api.json")), folder / "t.yaml", [], []).source
    return {tool["handler"]["http"]["path"]: tool["name"] for tool in source.spec["tools"]}


def test_cut_and_doubled_names_do_not_depend_on_the_order(tmp_path: Path) -> None:
    first = names(tmp_path, OPERATIONS)
    assert first["/alone"] == "alone"
    assert len({*first.values()}) == len(OPERATIONS)
    assert all(len(name) <= 64 for name in first.values())
    shutil.rmtree(tmp_path / ".scaffold")
    (tmp_path / "t.yaml").unlink()
    assert names(tmp_path, OPERATIONS[::-1]) == first


def test_names_of_the_last_import_stay(tmp_path: Path) -> None:
    more = operation("post", "/alone/new", "alone")
    first = names(tmp_path, OPERATIONS)
    second = names(tmp_path, [more, *OPERATIONS])
    assert {path: second[path] for path in first} == first
    third = names(tmp_path, OPERATIONS[1:3])
    assert third == {path: first[path] for path in third}
    fourth = names(tmp_path, [operation("get", "/twice/{number}", "twice"), *OPERATIONS[3:]])
    assert fourth["/twice/{number}"] == first["/twice/{id}"]
