"""What an earlier run has made or checked is reused only where doing it again gives the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.commands import regenerate
from scaffold.commands.regenerate import plan
from scaffold.languages.python import format as formatting
from scaffold.languages.python.language import Python
from scaffold.project import generate, inputs
from tests.regenerate.living import TEXT, Living, spec, tool

CLIENT = "src/blog/_generated/client.py"


@pytest.fixture
def blog(tmp_path: Path) -> Living:
    return Living.born(tmp_path / "blog", spec(tool("search", p=TEXT)))


def is_as_new(living: Living) -> bool:
    fresh = Living.born(living.root.with_name("fresh"), living.spec)
    return fresh.files() == living.files()


def test_another_version_of_mcp_scaffold_may_format_otherwise(
    blog: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formatting, "_ISOLATED", (*formatting._ISOLATED, "--config=line-length=60"))
    for module in (generate, inputs, regenerate):
        monkeypatch.setattr(module, "__version__", "9.9")
    blog.regenerate()
    assert is_as_new(blog)


def test_other_options_of_the_formatter_format_all_code_anew(
    blog: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formatting, "_LAYOUT", "--config=line-length=60")
    monkeypatch.setattr(Python, "layout", "--config=line-length=60")
    blog.edit(lambda spec: spec["tools"][0].update(title="Search"))
    blog.regenerate()
    assert is_as_new(blog)


def test_a_new_top_level_module_reclassifies_imports(blog: Living) -> None:
    row = 'template = "x.py.j2"\npath = "src/mcp.py"\nowner = "owned"\n'
    blog.write("templates/pack.toml", f"contract = 4\n[[files]]\n{row}")
    blog.write("templates/x.py.j2", "X = 1\n")
    assert f"update    {CLIENT}\n" in blog.regenerate().stderr
    assert not plan(blog.root, {}).generated.remarks
    assert blog.regenerate("--check").stderr == "already up to date\n"


@pytest.mark.usefixtures("starts_programs")
def test_only_code_that_changes_is_formatted(blog: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruff.find_ruff_bin", lambda: "false")
    blog.edit(lambda spec: spec.update(clients=["cursor"]))
    blog.regenerate()
    assert (blog.root / "clients/cursor.json").exists()
    blog.edit(lambda spec: spec["tools"][0].update(timeout=5))
    assert "ruff could not format" in blog.run().stderr
