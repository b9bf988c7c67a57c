"""What an earlier run has made or checked is reused only where doing it again gives the same."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold.commands import regenerate
from scaffold.commands.regenerate import plan
from scaffold.languages.python import format as formatting
from scaffold.project import generate, inputs
from tests.regenerate.living import TEXT, Living, Spec, spec, tool

CLIENT = "client.py"


@pytest.fixture
def blog(tmp_path: Path) -> Living:
    return Living.born(tmp_path / "blog", spec(tool("search", p=TEXT)))


def is_as_new(living: Living) -> bool:
    fresh = Living.born(living.root.with_name("fresh"), living.spec)
    return fresh.files() == living.files()


DEFAULTS = (1, 1.0, True, 0.0, -0.0, "1", None, [1], [True])
PROPERTIES: list[dict[str, Any]] = [
    *({"default": value} for value in DEFAULTS),
    {"$ref": "#/$defs/hit"},
    {"type": "array", "items": {"$ref": "#/$defs/hit"}},
    {"enum": ["x", "y"], "description": "One of two."},
]
HITS = [{"type": "object", "properties": {name: TEXT}} for name in "ab"]


@st.composite
def tools(draw: st.DrawFn) -> dict[str, Any]:
    """A tool, much like the others: types are shared and names collide."""
    names = st.sampled_from(["search", "getUser", "get_user", "list"])
    properties = draw(st.dictionaries(st.sampled_from("pqr"), st.sampled_from(PROPERTIES)))
    one = tool(draw(names), *draw(st.sampled_from([[], [*properties][:1]])), **properties)
    one["inputSchema"]["$defs"] = {"hit": draw(st.sampled_from(HITS))}
    more: dict[str, Any] = {
        "outputSchema": HITS[0],
        "x-note": draw(st.booleans()),
        "timeout": draw(st.sampled_from([3, 30])),
        "description": draw(st.sampled_from(["Finds.", "Finds all that there is."])),
    }
    keys = draw(st.permutations([*one, *draw(st.sets(st.sampled_from([*more])))]))
    return {key: more.get(key, one.get(key)) for key in keys}


@st.composite
def specs(draw: st.DrawFn, given: st.SearchStrategy[dict[str, Any]]) -> Spec:
    """A spec of tools of different names, and maybe more."""
    listed = draw(st.lists(given, min_size=1, max_size=4, unique_by=lambda one: one["name"]))
    more = {"env": [{"name": "KEY"}], "errors": [{"name": "Gone", "message": "Gone: {what}"}]}
    return spec(*listed) | {key: more[key] for key in draw(st.sets(st.sampled_from([*more])))}


@settings(max_examples=15)
@given(st.data())
def test_after_any_edit_the_project_is_as_a_new_one(data: st.DataObject) -> None:
    before = data.draw(specs(tools()))
    kept = st.sampled_from(before["tools"])
    after = data.draw(specs(st.one_of(kept, kept, tools())))
    with tempfile.TemporaryDirectory() as folder:
        edited = Living.born(Path(folder, "edited"), before)
        edited.spec = after
        edited.save()
        edited.regenerate("--prune")
        assert edited.everything() == Living.born(Path(folder, "fresh"), after).everything()
        assert edited.regenerate("--check").stderr == "already up to date\n"


def test_another_version_of_mcp_scaffold_may_format_otherwise(
    blog: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formatting, "_ISOLATED", (*formatting._ISOLATED, "--config=line-length=60"))
    for module in (generate, inputs, regenerate):
        monkeypatch.setattr(module, "__version__", "9.9")
    blog.regenerate()
    assert is_as_new(blog)


def test_a_new_module_at_the_top_changes_whose_an_import_is(blog: Living) -> None:
    row = 'template = "x.py.j2"\npath = "src/anyio.py"\nowner = "owned"\n'
    blog.write("templates/pack.toml", f"contract = 3\n[[files]]\n{row}")
    blog.write("templates/x.py.j2", "X = 1\n")
    assert f"update    {CLIENT}\n" in blog.regenerate().stderr
    assert not plan(blog.root, {}).generated.remarks
    assert blog.regenerate("--check").stderr == "already up to date\n"


@pytest.mark.usefixtures("starts_programs")
def test_only_code_that_changes_is_formatted(blog: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scaffold.languages.python.format.find_ruff_bin", lambda: "false")
    blog.edit(lambda spec: spec.update(clients=["cursor"]))
    blog.regenerate()
    assert (blog.root / "clients/cursor.json").exists()
    blog.edit(lambda spec: spec["tools"][0].update(timeout=5))
    assert "ruff could not format" in blog.run().stderr
