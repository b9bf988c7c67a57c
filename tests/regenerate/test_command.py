"""The command: what it writes, what it says to whom, and how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click
import jsonschema_rs
import pytest
from click.testing import CliRunner

from scaffold import __version__
from scaffold.cli import summary
from scaffold.cli.main import main
from scaffold.cli.people import for_people
from tests.regenerate.living import NUMBER, TEXT, Living, tool

SPECS = Path(__file__).resolve().parents[2] / "specs"
LOOKS = ["--check", "--dry-run", "--diff"]


def add_a_tool(blog: Living) -> None:
    blog.edit(lambda spec: spec["tools"].append(tool("find", "query", query=TEXT)))


def raise_top_k(blog: Living) -> None:
    top_k = {**NUMBER, "maximum": 50}
    blog.edit(lambda spec: spec["tools"][0]["inputSchema"]["properties"].update(top_k=top_k))


def the_json(output: str) -> dict[str, object]:
    """What a program reads, which is as the published schema says."""
    document = json.loads(output)
    schema = json.loads((SPECS / "regenerate.schema.json").read_text())
    diagnostics = json.loads((SPECS / "diagnostics.schema.json").read_text())
    jsonschema_rs.validator_for(schema).validate(document)
    jsonschema_rs.validator_for(diagnostics).validate(document)
    assert isinstance(document, dict)
    return document


class TestOfAProjectThatIsAsItShallBe:
    @pytest.mark.parametrize("option", [*LOOKS, "--format=human"])
    def test_there_is_nothing_to_do(self, blog: Living, option: str) -> None:
        result = blog.regenerate(option)
        assert (result.stdout, result.stderr) == ("", "already up to date\n")


class TestOfAProjectThatIsNot:
    def test_a_check_fails_and_names_the_files_and_what_was_edited(self, blog: Living) -> None:
        raise_top_k(blog)
        before = blog.everything()
        result = blog.run("--check")
        assert result.exit_code == 1
        *lines, count = result.stderr.splitlines()
        breaks = "the edit breaks callers: argument `top_k` of tool `search` accepts less"
        breaks += " (argument-narrowed)"
        assert lines[:6] == [
            "update    TOOLS.md",
            "update    src/blog/_generated/catalog.json",
            "",
            "search: top_k: + at most 50",
            "",
            f"{blog.root}/mcp.yaml:15:11: warning[breaks-callers] {breaks}",
        ]
        assert count == "2 files out of date: run `mcp-scaffold regenerate`"
        assert blog.everything() == before

    def test_a_dry_run_says_what_would_be_done_and_does_nothing(self, blog: Living) -> None:
        add_a_tool(blog)
        before = blog.everything()
        said = blog.regenerate("--dry-run").stderr
        assert "create    src/blog/tools/find.py  (a stub for you to fill in)\n" in said
        assert "find: new\n" in said
        assert "files would change\n" in said
        assert blog.everything() == before
        done = blog.regenerate().stderr
        assert done.splitlines()[:-1] == said.splitlines()[:-1]
        assert done.endswith("files written\n")

    def test_programs_are_told_what_was_done_and_what_it_means(self, blog: Living) -> None:
        raise_top_k(blog)
        add_a_tool(blog)
        looked = the_json(blog.run("--check", "--diff", "--format=json").stdout)
        written = the_json(blog.regenerate("--format=json").stdout)
        assert (looked["written"], written["written"]) == (False, True)
        assert written["version"] == {"before": __version__, "now": __version__}
        assert written["consequences"] == [
            {
                "kind": "tool",
                "name": "search",
                "change": "changed",
                "before": None,
                "details": ["top_k: + at most 50"],
                "line": 6,
            },
            {
                "kind": "tool",
                "name": "find",
                "change": "added",
                "before": None,
                "details": [],
                "line": 43,
            },
        ]
        changes = looked["changes"]
        assert isinstance(changes, list)
        assert changes[0]["path"] == "TOOLS.md"
        assert changes[0].pop("diff").startswith("--- a/TOOLS.md")

    def test_a_pull_request_shows_the_drift_in_place(self, blog: Living) -> None:
        raise_top_k(blog)
        result = blog.run("--check", "--format=github")
        assert result.exit_code == 1
        spec, tools, catalog, breaks = result.stdout.splitlines()
        root = str(blog.root)
        assert breaks.startswith(f"::warning file={root}/mcp.yaml,line=")
        assert "title=breaks-callers::the edit breaks callers: argument `top_k`" in breaks
        assert spec == (
            f"::error file={root}/mcp.yaml,line=6,col=15,endColumn=23,title=edited"
            "::search: top_k: + at most 50"
        )
        number = (
            blog.read("TOOLS.md")
            .splitlines()
            .index(next(line for line in blog.read("TOOLS.md").splitlines() if "`top_k`" in line))
        )
        assert tools == (
            f"::error file={root}/TOOLS.md,line={number + 1},title=stale"
            "::update TOOLS.md: run `mcp-scaffold regenerate`"
        )
        assert f"file={root}/src/blog/_generated/catalog.json,line=" in catalog


class TestOfAConflict:
    def edit_a_generated_file(self, blog: Living) -> None:
        raise_top_k(blog)
        blog.write("TOOLS.md", "mine\n")

    @pytest.mark.parametrize("option", [*LOOKS, "--format=human"])
    def test_nothing_is_written_and_it_says_why(self, blog: Living, option: str) -> None:
        self.edit_a_generated_file(blog)
        before = blog.everything()
        result = blog.run(option)
        assert result.exit_code == 1
        assert "error[edited] `TOOLS.md` is generated, but was modified" in result.stderr
        assert "hint: undo the edit, or run with --force TOOLS.md" in result.stderr
        assert blog.everything() == before

    def test_force_takes_our_text_and_keeps_the_other_beside(self, blog: Living) -> None:
        self.edit_a_generated_file(blog)
        for path in ("TOOLS.md", "./TOOLS.md"):
            blog.write("TOOLS.md", "mine\n")
            said = blog.regenerate("--force", path).stderr
            assert "force     TOOLS.md  (your version is now TOOLS.md.orig" in said
        assert blog.read("TOOLS.md.orig") == blog.read("TOOLS.md.orig.1") == "mine\n"
        assert "at most 50" in blog.read("TOOLS.md")

    def test_accepted_conflicts_are_marked_and_the_next_run_asks_for_an_answer(
        self, blog: Living
    ) -> None:
        ours = blog.read("pyproject.toml")
        blog.write("pyproject.toml", ours.replace('version = "1.0.0"', 'version = "1.1.0"'))
        blog.edit(lambda spec: spec.update(version="2.0.0"))
        assert "conflict  pyproject.toml" in blog.run().stderr
        accepted = blog.run("--accept-conflicts")
        assert accepted.exit_code == 1, "a person has to resolve them"
        assert "mark      pyproject.toml  (resolve the merge markers in it)" in accepted.stderr
        assert '<<<<<<< yours\nversion = "1.1.0"\n=======\n' in blog.read("pyproject.toml")
        said = blog.run("--check")
        assert (said.exit_code, "still contains merge markers" in said.stderr) == (1, True)
        blog.write("pyproject.toml", ours.replace('version = "1.0.0"', 'version = "2.1.0"'))
        assert blog.regenerate("--check").stderr == "already up to date\n"


class TestOfWrongInput:
    def test_a_wrong_spec_is_told_at_its_line_and_nothing_is_written(self, blog: Living) -> None:
        blog.edit(lambda spec: spec["tools"][0]["inputSchema"].update(type="strng"))
        before = blog.everything()
        for option in (*LOOKS, "--format=human"):
            result = blog.run(option)
            assert result.exit_code == 2
            assert f"{blog.root}/mcp.yaml:9:" in result.stderr
        assert [d["id"] for d in json.loads(blog.run("--format=json").stdout)["diagnostics"]]
        assert blog.everything() == before

    def test_a_folder_that_is_no_project_is_left_alone(self, tmp_path: Path) -> None:
        for option in (*LOOKS, "--format=human", "--watch"):
            result = Living(tmp_path).run(option)
            assert result.exit_code == 2
            assert "error[no-project]" in result.stderr
        assert list(tmp_path.iterdir()) == []

    def test_a_project_whose_lock_is_lost_is_not_sent_round_in_a_circle(self, blog: Living) -> None:
        (blog.root / ".scaffold/lock.json").unlink()
        result = blog.run()
        assert result.exit_code == 2
        assert "error[no-project]" in result.stderr
        assert "has no `.scaffold/lock.json`" in result.stderr
        assert "hint: restore it from version control" in result.stderr
        shutil.rmtree(blog.root / ".scaffold")
        assert "has no `.scaffold/lock.json`" in blog.run().stderr
        again = CliRunner().invoke(main, ["new", str(blog.root / "mcp.yaml"), str(blog.root)])
        assert "is not empty\nhint: choose another directory\n" in again.stderr

    def test_a_project_whose_spec_is_lost_is_told_so(self, blog: Living) -> None:
        (blog.root / "mcp.yaml").unlink()
        said = blog.run()
        assert said.exit_code == 2
        assert "error[no-project] `mcp.yaml` is missing: it is the spec of the" in said.stderr
        assert "hint: restore it; `.scaffold/mcp.yaml` is the spec of the last run" in said.stderr

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (["--force", "../x"], "not a path inside the project"),
            (["--force", "/etc/passwd"], "not a path inside the project"),
            (["--force", "x", "--check"], "need a single run that writes files"),
            (["--accept-conflicts", "--watch"], "need a single run that writes files"),
        ],
    )
    def test_options_that_make_no_sense_are_refused(
        self, blog: Living, options: list[str], words: str
    ) -> None:
        result = blog.run(*options)
        assert result.exit_code == 2
        assert words in result.stderr


class TestOfWhatIsSaidAtAll:
    def test_warnings_are_those_about_what_was_edited(self, blog: Living) -> None:
        """The others were given when they were new, and `validate` gives them all."""
        blog.edit(lambda spec: spec["tools"].append({**tool("bad"), "description": ""}))
        assert "[no-description]" in blog.regenerate().stderr
        raise_top_k(blog)
        assert "[no-description]" not in blog.regenerate().stderr
        blog.edit(lambda spec: spec["tools"][-1].update(title="Bad"))
        assert "[no-description]" in blog.regenerate().stderr

    def test_a_rename_is_hinted_at_only_where_a_handler_stays_behind(self, blog: Living) -> None:
        blog.edit(lambda spec: spec["tools"].append(tool("find_posts", "query", query=TEXT)))
        blog.regenerate()
        blog.edit(lambda spec: spec["tools"][-1].update(name="find_post"))
        assert "maybe-renamed" not in blog.regenerate().stderr
        blog.write("src/blog/tools/find_post.py", "mine\n")
        blog.edit(lambda spec: spec["tools"][-1].update(name="find_poster"))
        assert "[maybe-renamed]" in blog.regenerate().stderr

    def test_a_file_that_stays_behind_is_named_once(self, blog: Living) -> None:
        blog.write("src/blog/tools/read.py", "mine\n")
        blog.edit(lambda spec: spec["tools"].pop())
        assert "warning[orphan] `src/blog/tools/read.py`, the file of `read`, is no longer" in (
            blog.regenerate().stderr
        )
        raise_top_k(blog)
        assert "orphan" not in blog.regenerate().stderr

    def test_another_version_of_mcp_scaffold_says_so(self, blog: Living) -> None:
        lock = blog.read(".scaffold/lock.json")
        blog.write(".scaffold/lock.json", lock.replace(f'"{__version__}"', '"0.0.1"'))
        said = blog.regenerate().stderr
        assert said == (
            f"mcp-scaffold 0.0.1 → {__version__}: templates may have changed\n\n"
            "updated `.scaffold/lock.json`\n"
        )
        assert blog.read(".scaffold/lock.json") == lock
        assert blog.regenerate().stderr == "already up to date\n"

    def test_a_terminal_is_shown_colours_and_nothing_that_it_would_obey(self, blog: Living) -> None:
        blog.write("README.md", blog.read("README.md") + "\x1b]0;title\x07\n")
        blog.edit(lambda spec: spec.update(description="Another."))
        plain = blog.regenerate("--diff").stdout
        assert click.unstyle(plain) == plain
        from scaffold.commands.regenerate import plan

        run = summary.Summary(plan(blog.root), diff=True)
        out, err = for_people(summary.report(run), True, True)
        assert "\x1b[1m--- a/README.md" in out
        assert "\x1b[32m+" in out
        assert "\x1b]" not in out + err
        assert "\x07" not in out + err
