"""Whatever people do to the files of a project, nothing of theirs is lost and nothing is broken."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scaffold import __version__ as version
from scaffold.clients.client import Client, read_client
from scaffold.packs import builtin_packs
from scaffold.packs.parts import builtin_parts
from tests.regenerate.living import NUMBER, TEXT, Living, spec, tool

HANDLER = "src/blog/tools/search.py"


def edit_search(blog: Living) -> None:
    blog.edit(lambda spec: spec["tools"][0].update(description="Finds.", title="Find"))


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
class TestWithoutVersionControlAndWithIt:
    @pytest.mark.usefixtures("starts_programs")
    def test_git_is_neither_needed_nor_asked(
        self, blog: Living, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subprocess.run(["git", "init", "-q", str(blog.root)], check=True)
        index = blog.root / ".git/index"
        index.write_bytes(b"broken")
        blog.write("notes.txt", "not committed\n")
        edit_search(blog)
        ruff = Path(os.environ["PATH"].split(os.pathsep)[0])
        monkeypatch.setenv("PATH", str(ruff))
        blog.regenerate()
        assert index.read_bytes() == b"broken"
        assert blog.read("notes.txt") == "not committed\n"

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

    def test_a_change_of_one_is_a_change_of_the_project(self, guided: Living) -> None:
        guided.write("guide.md", "Another guide.\n")
        assert guided.run("--check").exit_code == 1
        guided.regenerate()
        assert "Another guide." in guided.read("src/blog/_generated/catalog.json")
        assert guided.read("guide.md") == "Another guide.\n"

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

    def test_not_even_when_it_is_saved_while_the_run_is_reading(
        self, blog: Living, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The project is then as the spec was; the next run brings what was saved since."""
        edit_search(blog)
        first = blog.read("mcp.yaml")

        def save_and_read(name: str) -> Client:
            blog.write("mcp.yaml", first.replace("Finds.", "Finds more."))
            return read_client(name)

        monkeypatch.setattr("scaffold.project.generate.read_client", save_and_read)
        blog.regenerate()
        monkeypatch.undo()
        assert "Finds more." in blog.read("mcp.yaml")
        assert "Finds more." not in blog.read("TOOLS.md")
        assert blog.run("--check").exit_code == 1
        blog.regenerate()
        assert "Finds more." in blog.read("TOOLS.md")


def test_a_newer_mcp_scaffold_merges_its_templates_as_a_spec_merges(
    blog: Living, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With other templates and another version: edits stay, the rest is brought, and it says so."""
    packs = tmp_path / "packs"
    shutil.copytree(builtin_packs(), packs)
    for name, old, new in (
        ("README.md.j2", "An MCP server, generated", "A server, generated"),
        ("src/package/lifespan.py.j2", "What the handlers share", "What all handlers share"),
        (
            "src/package/tools/handler.py.j2",
            "raise NotWritten",
            "raise NotWritten()",
        ),
    ):
        template = packs / "python" / name
        assert old in template.read_text()
        template.write_text(template.read_text().replace(old, new))
    blog.write("README.md", blog.read("README.md") + "\nmine\n")
    blog.write(HANDLER, "mine\n")
    for module in (
        "scaffold.packs.engine",
        "scaffold.project.inputs",
        "scaffold.packs.pack",
        "scaffold.packs.layers",
        "scaffold.packs.parts",
    ):
        monkeypatch.setattr(f"{module}.builtin_packs", lambda: packs, raising=False)
    # Kept for a whole process, in which they cannot change.
    monkeypatch.setattr("scaffold.project.inputs.builtin_parts", builtin_parts.__wrapped__)
    monkeypatch.setattr("scaffold.packs.pack.builtin_parts", builtin_parts.__wrapped__)
    for module in (
        "scaffold",
        "scaffold.project.inputs",
        "scaffold.project.generate",
        "scaffold.commands.regenerate",
        "scaffold.cli.summary",
    ):
        monkeypatch.setattr(f"{module}.__version__", "99.0", raising=False)
    said = blog.regenerate().stderr
    assert said.startswith(f"mcp-scaffold {version} → 99.0: templates may have changed\n")
    assert "merge     README.md\n" in said
    assert blog.read("README.md").endswith("\nmine\n")
    assert "A server, generated" in blog.read("README.md")
    assert "What all handlers share" in blog.read("src/blog/lifespan.py")
    assert blog.read(HANDLER) == "mine\n"
    assert "raise NotWritten()" in blog.read("src/blog/tools/read.py")
    assert blog.regenerate("--check").stderr == "already up to date\n"


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
    lines = [
        line for line in shown.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert len(lines) < 40
    others = [name for name in names if name != "add_c"]
    assert not [line for line in lines for name in others if name in line]
    assert not [
        line
        for line in lines
        for name in others
        if "".join(p.title() for p in name.split("_")) in line
    ]
