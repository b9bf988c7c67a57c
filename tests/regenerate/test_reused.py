"""A formatted text is reused only where formatting it again would give the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold import generate, inputs, regenerate
from scaffold.disk.lock import sha256
from scaffold.python import format as formatting
from scaffold.regenerate import plan
from tests.regenerate.living import TEXT, Living, listed, spec, tool

CALLS = "src/blog/_generated/calls.py"


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


def test_a_new_module_at_the_top_changes_whose_an_import_is(blog: Living) -> None:
    row = 'template = "x.py.j2"\npath = "src/anyio.py"\nowner = "owned"\n'
    blog.write("templates/pack.toml", f"contract = 2\n[[files]]\n{row}")
    blog.write("templates/x.py.j2", "X = 1\n")
    assert f"update    {CALLS}\n" in blog.regenerate().stderr
    assert not plan(blog.root, {}).generated.remarks
    assert blog.regenerate("--check").stderr == "already up to date\n"


def test_a_lock_that_somebody_edited_vouches_for_no_text(blog: Living) -> None:
    right = blog.read(CALLS)
    blog.write(CALLS, f"{right}EVIL = 1\n")
    lock = blog.read(".scaffold/lock.json")
    blog.write(".scaffold/lock.json", lock.replace(sha256(right), sha256(blog.read(CALLS))))
    blog.regenerate()
    assert blog.read(CALLS) == right


def test_a_lost_record_of_the_spec_does_not_hide_that_the_server_was_renamed(blog: Living) -> None:
    search = "src/blog/tools/search.py"
    blog.write(search, blog.read(search) + "# mine\n")
    blog.write("src/blog/own.py", "import blog.lifespan\n")
    (blog.root / ".scaffold/mcp.yaml").unlink()
    blog.edit(lambda spec: spec.update(name="posts"))
    blog.regenerate()
    assert "from posts._generated.contract" in blog.read("src/posts/tools/search.py")
    assert blog.read("src/posts/own.py") == "import posts.lifespan\n"
    assert listed(blog) == ["search"]
