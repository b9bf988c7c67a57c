"""Runs that are killed, interrupted, refused or overtaken by a save: every edit arrives all the same."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from unittest import mock

import pytest

from scaffold.commands.regenerate import regenerate
from scaffold.disk import swap
from scaffold.project.inputs import is_up_to_date
from tests.disk.processes import ended, killed, started
from tests.regenerate.living import TEXT, Living, tool
from tests.regenerate.test_branches import commit, git

SEARCH = "src/blog/tools/search.py"
CATALOG = "src/blog/_generated/catalog.json"


def edit(blog: Living) -> None:
    blog.edit(lambda spec: spec.update(version="2.0.0"))
    blog.edit(lambda spec: spec["tools"].append(tool("fresh", "query", query=TEXT)))


def run(blog: Living) -> object:
    return regenerate(blog.root, [], False)


def is_whole(blog: Living) -> None:
    """All that the edit asks for is there, and the fast path says so rightly."""
    assert blog.regenerate("--check").stderr == "already up to date\n"
    assert is_up_to_date(blog.root)
    assert 'version = "2.0.0"' in blog.read("pyproject.toml")
    assert '"fresh"' in blog.read(CATALOG)
    assert "fresh" in blog.read("src/blog/_generated/server.py")
    assert "fresh" in blog.read("src/blog/tools/fresh.py")


@pytest.mark.parametrize("instant", ["blog/pyproject.toml", "lock.json"])
def test_a_file_that_is_saved_in_mid_run_gets_its_change_all_the_same(
    blog: Living, instant: str
) -> None:
    """Though the run had moved a handler before it saw the save."""
    edit(blog)
    blog.edit(lambda spec: spec["tools"][0].update(name="find", renamedFrom="search"))
    blog.write(SEARCH, blog.read(SEARCH) + "# handler\n")
    mine = blog.read("pyproject.toml") + "\n# mine\n"
    done: list[int] = []

    def save(event: str, arguments: tuple[object, ...]) -> None:
        is_then = event == "os.rename" and any(str(one).endswith(instant) for one in arguments[:2])
        if is_then and not done:
            done.append(1)
            blog.write("pyproject.toml", mine)

    def running() -> int:
        sys.addaudithook(save)
        run(blog)
        return len(done)

    assert ended(started(running)) == 1
    assert blog.regenerate().stderr == "already up to date\n"
    is_whole(blog)
    assert blog.read("pyproject.toml").endswith("# mine\n")
    assert blog.read("src/blog/tools/find.py").endswith("# handler\n")
    assert not (blog.root / SEARCH).exists()


def test_a_killed_run_is_told_of_and_what_it_meant_for_people_by_the_one_that_finishes_it(
    blog: Living,
) -> None:
    """A run that only looks leaves it alone: what it would show is neither here nor there."""
    blog.write("src/blog/tools/read.py", "mine\n")
    blog.edit(lambda spec: spec.update(tools=[tool("search", "p", p=TEXT), tool("fresh")]))
    for instant in (("os.rename", "TOOLS.md"), ("os.remove", "journal.json")):
        assert killed(lambda: run(blog), instant)
    before = blog.everything()
    for option in ("--check", "--dry-run", "--diff"):
        looked = blog.run(option)
        assert looked.exit_code == 1
        assert "error[unfinished]" in looked.stderr
        assert "hint: run `mcp-scaffold regenerate` to finish it" in looked.stderr
    assert blog.everything() == before
    said = blog.regenerate().stderr
    for line in (
        "an interrupted run was undone first\n",
        "create    src/blog/tools/fresh.py  (a stub for you to fill in)\n",
        "search: + p (required string), - query, - top_k\n",
        "warning[orphan] `src/blog/tools/read.py`",
    ):
        assert line in said
    assert blog.regenerate("--check").stderr == "already up to date\n"


class TestOfAJournalThatIsPending:
    """It belongs to the tree that it was planned for."""

    @pytest.mark.usefixtures("starts_programs")
    def test_on_a_branch_with_another_lock_it_is_finished_or_undone_as_one_likes(
        self, blog: Living
    ) -> None:
        git(blog, "init", "-qb", "main")
        commit(blog)
        git(blog, "checkout", "-qb", "other")
        blog.edit(lambda spec: spec.update(description="Another."))
        blog.regenerate()
        commit(blog)
        git(blog, "checkout", "-q", "main")
        del blog.spec["description"]
        edit(blog)
        commit(blog)
        assert killed(lambda: run(blog), ("os.rename", "lock.json"))
        git(blog, "checkout", "-qf", "other")
        result = blog.run()
        assert result.exit_code == 2
        assert "error[other-tree]" in result.stderr
        assert "check out the branch or commit where it began and run again" in result.stderr
        twin = Living(blog.root.with_name("twin"), blog.spec)
        shutil.copytree(blog.root, twin.root)

        git(blog, "checkout", "-qf", "main")
        blog.regenerate()
        is_whole(blog)

        said = twin.regenerate("--abort").stderr
        assert "warning[left-alone] `Dockerfile` changed after the interrupted run" in said
        assert said.endswith("the interrupted run was undone\n")
        assert git(twin, "status", "--porcelain") == ""
        assert twin.regenerate().stderr == "already up to date\n"
        assert twin.regenerate("--abort").stderr == "there is no interrupted run\n"

    def test_undoing_restores_every_byte_that_was_there(self, blog: Living) -> None:
        blog.write(SEARCH, "mine\n")
        edit(blog)
        blog.edit(lambda spec: spec["tools"][0].update(name="find", renamedFrom="search"))
        before = blog.everything()
        assert killed(lambda: run(blog), ("os.remove", "journal.json"))
        assert blog.everything() != before
        blog.regenerate("--abort")
        assert blog.everything() == before

    def test_the_run_that_finishes_it_names_what_was_edited_since_too(self, blog: Living) -> None:
        edit(blog)
        assert killed(lambda: run(blog), ("os.rename", "lock.json"))
        blog.write("pyproject.toml", blog.read("pyproject.toml") + "\n# mine\n")
        said = blog.regenerate().stderr
        assert said.startswith("an interrupted run was undone first\n")
        assert "warning[left-alone] `pyproject.toml` changed after the interrupted run" in said
        is_whole(blog)
        assert blog.read("pyproject.toml").endswith("# mine\n")


REFUSED = PermissionError(1, "Operation not permitted")
"""As for an immutable file, a mount point, or a file of another's in a sticky folder."""
INTERRUPTED = "interrupted: run again to finish\n"


@pytest.mark.parametrize(
    ("instant", "ending", "code", "said"),
    [
        (
            "pyproject.toml",
            REFUSED,
            2,
            "error[cannot-write] cannot write `pyproject.toml`: Operation not permitted",
        ),
        ("TOOLS.md", KeyboardInterrupt(), 130, INTERRUPTED),
        ("lock.json", KeyboardInterrupt(), 130, INTERRUPTED),
    ],
)
def test_a_replacement_that_is_refused_or_interrupted_undoes_the_rest(
    blog: Living, instant: str, ending: BaseException, code: int, said: str
) -> None:
    edit(blog)
    before = blog.everything()
    make = swap._exchange

    def refuse(a: Path, b: Path) -> None:
        if b.name == instant:
            raise ending
        make(a, b)

    with mock.patch("scaffold.disk.swap._exchange", refuse):
        result = blog.run()
    assert (result.exit_code, said in result.stderr) == (code, True), result.stderr
    assert blog.everything() == before
    blog.regenerate()
    is_whole(blog)


def test_two_runs_at_once_make_what_one_makes(blog: Living) -> None:
    """Each of them brings in the edit, or sees that it has been brought in; people's files stay."""
    mine = blog.read("src/blog/tools/search.py") + "# mine\n"
    blog.write("src/blog/tools/search.py", mine)

    def run() -> int:
        made = regenerate(blog.root, [], False)
        return int(bool(made.applied))

    with mock.patch("os.fsync"):
        for number in range(20):
            text = f"Edit {number}."
            blog.edit(lambda spec, text=text: spec["tools"][1].update(description=text))  # type: ignore[misc]
            rivals = [started(run), started(run)]
            assert sorted(map(ended, rivals)) == [0, 1]
            assert text in blog.read("TOOLS.md")
            assert blog.read("src/blog/tools/search.py") == mine
            assert not list((blog.root / ".scaffold").glob("*stage*"))
    stamps = blog.stamps()
    assert blog.regenerate().stderr == "already up to date\n"
    assert blog.stamps() == stamps
