"""Whatever people do to the files of a project, nothing of theirs is lost and nothing is broken."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.regenerate.living import NUMBER, TEXT, Living, spec, tool

HANDLER = "src/blog/tools/search.py"


def edit_search(blog: Living) -> None:
    blog.edit(lambda spec: spec["tools"][0].update(description="Finds.", title="Find"))


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
class TestWithoutVersionControlAndWithIt:
    @pytest.mark.usefixtures("starts_programs")
    def test_what_git_makes_of_a_fresh_clone_is_the_same_project(
        self, blog: Living, tmp_path: Path
    ) -> None:
        """What is not to be committed is not needed; that includes the traces of a run."""
        edit_search(blog)
        blog.regenerate()
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
            subprocess.run([*git, *command], cwd=blog.root, check=True)
        clone = tmp_path / "clone"
        subprocess.run([*git, "clone", "-q", str(blog.root), str(clone)], check=True)
        assert not (clone / ".scaffold/run").exists()
        copy = Living(clone, blog.spec)
        assert copy.regenerate("--check").stderr == "already up to date\n"


class TestOfFilesThatPeople:
    def test_edit_by_hand_all_over_can_be_taken_back_at_once(self, blog: Living) -> None:
        generated = {p: d for p, d in blog.files().items() if "/_generated/" in p and d}
        for path in generated:
            blog.write(path, "mine\n")
        edit_search(blog)
        assert blog.run().exit_code == 1
        blog.regenerate("--force", "src/blog/_generated/")
        for path in generated:
            assert blog.read(f"{path}.orig") == "mine\n"
        assert blog.regenerate("--check").stderr == "already up to date\n"


class TestOfLinks:
    """A link could lead a run to write anywhere: none is followed."""

    def test_a_spec_behind_a_link_is_not_even_read(self, blog: Living, tmp_path: Path) -> None:
        (tmp_path / "secret").write_text("hunter2\n")
        (blog.root / "mcp.yaml").unlink()
        (blog.root / "mcp.yaml").symlink_to(tmp_path / "secret")
        for options in (["--check"], []):
            result = blog.run(*options)
            assert (result.exit_code, "hunter2" in result.output) == (2, False)
            assert "error[symlink] `mcp.yaml` is a symbolic link" in result.stderr


class TestOfFilesThatTheSpecNames:
    """They are the user's, wherever they lie: we read them, and that is all."""

    @pytest.fixture
    def guided(self, tmp_path: Path) -> Living:
        (tmp_path / "guide.md").write_text("A guide.\n")
        resource = {"uri": "blog://guide", "name": "guide", "description": "A guide."}
        return Living.born(
            tmp_path / "blog",
            spec(tool("search"), resources=[{**resource, "file": "guide.md"}]),
        )

    def test_one_that_is_missing_is_told_at_its_line(self, guided: Living) -> None:
        (guided.root / "guide.md").unlink()
        result = guided.run()
        assert result.exit_code == 2
        assert "error[unreadable-file] cannot read `guide.md`" in result.stderr

    def test_one_that_a_template_makes_is_claimed_twice(self, guided: Living) -> None:
        guided.edit(lambda spec: spec["resources"][0].update(file="TOOLS.md"))
        before = guided.everything()
        result = guided.run()
        assert result.exit_code == 2
        assert (
            "error[path-claimed] `@python/TOOLS.md.j2` and the resource `guide` both write `TOOLS.md`"
            in result.stderr
        )
        assert re.search(r"mcp\.yaml:\d+:\d+: error\[path-claimed\]", result.stderr)
        assert guided.everything() == before


class TestOfTheSpecItself:
    def test_it_is_never_written_whatever_its_encoding(self, blog: Living) -> None:
        text = blog.read("mcp.yaml").replace("Does what search does", "Finds caf\u00e9s")
        for encoding in ("utf-8-sig", "utf-16", "utf-8"):
            data = text.replace("\n", "\r\n").encode(encoding)
            (blog.root / "mcp.yaml").write_bytes(data)
            blog.regenerate()
            assert (blog.root / "mcp.yaml").read_bytes() == data
            assert blog.regenerate("--check").stderr == "already up to date\n"
            assert "Finds caf\u00e9s" in blog.read("TOOLS.md")


def test_an_edit_of_one_tool_touches_only_the_lines_about_that_tool(tmp_path: Path) -> None:
    """Before: twenty tools. Every line that a run changes holds the name or the text of the one."""
    names = [
        f"{verb}_{noun}"
        for verb in ("get", "set", "add", "drop")
        for noun in ("a", "b", "c", "d", "e")
    ]
    tools = (tool(name, "query", query={**TEXT, "description": f"{name}?"}) for name in names)
    blog = Living.born(tmp_path / "blog", spec(*tools))
    before = blog.files()
    number = names.index("add_c")

    def edit(spec: dict[str, object]) -> None:
        query = {**TEXT, "description": "add_c?"}
        changed = tool("add_c", "query", "marked", query=query, marked={**NUMBER, "minimum": 7})
        spec["tools"][number] = {**changed, "description": "Marked."}  # type: ignore[index]

    blog.edit(edit)
    shown = blog.regenerate("--diff").stdout
    blog.regenerate()
    after = blog.files()
    assert {p for p in after if after[p] != before[p]} == {
        "mcp.yaml",
        "TOOLS.md",
        "src/blog/_generated/catalog.json",
        "src/blog/_generated/contract.py",
        "src/blog/tools/add_c.py",
    }
    lines = [line for line in shown.splitlines() if re.match(r"[+-](?!\+\+|--)", line)]
    assert len(lines) < 40
    for name in {*names} - {"add_c"}:
        camel = "".join(part.title() for part in name.split("_"))
        assert not [line for line in lines if name in line or camel in line]
