"""Whatever people do to the files of a project, nothing of theirs is lost and nothing is broken."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.regenerate.living import NUMBER, TEXT, Living, spec, tool
from tests.regenerate.test_branches import commit, git


def edit_search(blog: Living) -> None:
    blog.edit(lambda spec: spec["tools"][0].update(description="Finds.", title="Find"))


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
@pytest.mark.usefixtures("starts_programs")
def test_what_git_makes_of_a_fresh_clone_is_the_same_project(blog: Living) -> None:
    """What is not to be committed is not needed; that includes the traces of a run."""
    edit_search(blog)
    blog.regenerate()
    git(blog, "init", "-q")
    commit(blog)
    clone = Living(blog.root.with_name("clone"), blog.spec)
    git(blog, "clone", "-q", ".", str(clone.root))
    assert not (clone.root / ".scaffold/run").exists()
    assert clone.regenerate("--check").stderr == "already up to date\n"


def test_edits_of_generated_files_can_be_taken_back_at_once(blog: Living) -> None:
    generated = {p for p, data in blog.files().items() if "/_generated/" in p and data}
    for path in generated:
        blog.write(path, "mine\n")
    edit_search(blog)
    assert blog.run().exit_code == 1
    blog.regenerate("--force", "src/blog/_generated/")
    assert {blog.read(f"{path}.orig") for path in generated} == {"mine\n"}
    assert blog.regenerate("--check").stderr == "already up to date\n"


@pytest.mark.parametrize("options", [["--check"], []])
def test_a_spec_behind_a_link_is_not_even_read(
    blog: Living, tmp_path: Path, options: list[str]
) -> None:
    (tmp_path / "secret").write_text("hunter2\n")
    (blog.root / "mcp.yaml").unlink()
    (blog.root / "mcp.yaml").symlink_to(tmp_path / "secret")
    result = blog.run(*options)
    assert (result.exit_code, "hunter2" in result.output) == (2, False)
    assert "error[symlink] `mcp.yaml` is a symbolic link" in result.stderr


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        ("guide.md", "error[unreadable-file] cannot read `guide.md`"),
        (
            "TOOLS.md",
            "error[path-claimed] `@python/TOOLS.md.j2` and the resource `guide` both write",
        ),
    ],
)
def test_a_file_that_the_spec_names_must_be_there_and_the_users(
    blog: Living, file: str, fault: str
) -> None:
    guide = {"uri": "blog://guide", "name": "guide", "description": "A guide.", "file": file}
    blog.edit(lambda spec: spec.update(resources=[guide]))
    before = blog.everything()
    result = blog.run()
    assert result.exit_code == 2
    assert re.search(rf"mcp\.yaml:\d+:\d+: {re.escape(fault)}", result.stderr)
    assert blog.everything() == before


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8"])
def test_the_spec_is_never_written_whatever_its_encoding(blog: Living, encoding: str) -> None:
    text = blog.read("mcp.yaml").replace("Does what search does", "Finds caf\u00e9s")
    data = text.replace("\n", "\r\n").encode(encoding)
    (blog.root / "mcp.yaml").write_bytes(data)
    blog.regenerate()
    assert (blog.root / "mcp.yaml").read_bytes() == data
    assert blog.regenerate("--check").stderr == "already up to date\n"
    assert "Finds caf\u00e9s" in blog.read("TOOLS.md")


def test_an_edit_of_one_tool_touches_only_the_lines_about_that_tool(tmp_path: Path) -> None:
    names = [f"{verb}_{noun}" for verb in ("get", "set", "add") for noun in "abc"]
    tools = [tool(name, "query", query={**TEXT, "description": f"{name}?"}) for name in names]
    blog = Living.born(tmp_path / "blog", spec(*tools))
    before = blog.files()
    marked = tool("add_c", "marked", marked={**NUMBER, "minimum": 7})
    blog.edit(lambda spec: spec["tools"][-1].update(marked, description="Marked."))
    shown = blog.regenerate("--diff").stdout
    blog.regenerate()
    after = blog.files()
    assert {path for path in after if after[path] != before[path]} == {
        "mcp.yaml",
        "TOOLS.md",
        "src/blog/_generated/catalog.json",
        "src/blog/_generated/contract.py",
        "src/blog/tools/add_c.py",
    }
    lines = [line for line in shown.splitlines() if re.match(r"[+-](?!\+\+|--)", line)]
    assert 0 < len(lines) < 40
    for name in {*names} - {"add_c"}:
        camel = "".join(part.title() for part in name.split("_"))
        assert not [line for line in lines if name in line or camel in line]
