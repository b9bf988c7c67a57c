"""Runs that are killed, interrupted, refused or overtaken by a save: every edit arrives all the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from scaffold.disk import swap
from scaffold.files import RelPath
from scaffold.inputs import is_up_to_date
from scaffold.regenerate import regenerate
from tests.disk.processes import ended, killed, started
from tests.regenerate.living import TEXT, Living, tool
from tests.regenerate.test_branches import commit, git

COMMAND = [sys.executable, "-c", "from scaffold.cli.main import main; main()", "regenerate"]
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


@pytest.mark.parametrize(
    "instant", [("os.rename", "blog/pyproject.toml"), ("os.rename", "lock.json")]
)
def test_a_file_that_is_saved_in_mid_run_gets_its_change_all_the_same(
    blog: Living, instant: tuple[str, str]
) -> None:
    edit(blog)
    mine = blog.read("pyproject.toml") + "\n# mine\n"
    child = os.fork()
    if child == 0:
        done: list[int] = []

        def save(event: str, arguments: tuple[object, ...]) -> None:
            paths = [path for path in arguments[:2] if isinstance(path, str)]
            if (
                event == instant[0]
                and any(path.endswith(instant[1]) for path in paths)
                and not done
            ):
                done.append(1)
                blog.write("pyproject.toml", mine)

        sys.addaudithook(save)
        try:
            run(blog)
        finally:
            os._exit(0 if done else 1)
    assert os.waitpid(child, 0)[1] == 0
    blog.regenerate()
    is_whole(blog)
    assert blog.read("pyproject.toml").endswith("# mine\n")


@pytest.mark.usefixtures("starts_programs")
def test_a_generated_file_that_is_edited_after_a_kill_and_restored_loses_no_edit(
    blog: Living,
) -> None:
    """As the hint of the conflict says: undo the edit, and run again."""
    git(blog, "init", "-q")
    commit(blog)
    edit(blog)
    assert killed(lambda: run(blog), ("os.rename", "_generated/server.py"))
    blog.write(CATALOG, blog.read(CATALOG) + "\n")
    result = blog.run()
    assert result.exit_code == 1
    assert "error[edited]" in result.stderr
    git(blog, "checkout", "--", CATALOG)
    blog.regenerate()
    is_whole(blog)


def test_what_a_killed_run_meant_for_people_is_told_by_the_run_that_finishes_it(
    blog: Living,
) -> None:
    blog.write("src/blog/tools/read.py", "mine\n")

    def change(spec: dict[str, object]) -> None:
        spec["tools"] = [tool("search", "words", words=TEXT), tool("fresh")]

    blog.edit(change)
    for instant in (("os.rename", "TOOLS.md"), ("os.remove", "journal.json")):
        assert killed(lambda: run(blog), instant)
    said = blog.regenerate().stderr
    for line in (
        "an interrupted run was undone first\n",
        "create    src/blog/tools/fresh.py  (a stub for you to fill in)\n",
        "search: + words (required string), - query, - top_k\n",
        "warning[orphan] `src/blog/tools/read.py`",
    ):
        assert line in said


class TestOfAJournalThatIsPending:
    """It belongs to the tree that it was planned for."""

    @pytest.fixture
    def cut(self, blog: Living) -> Living:
        git(blog, "init", "-qb", "main")
        commit(blog)
        git(blog, "checkout", "-qb", "work")
        edit(blog)
        git(blog, "commit", "-qam", "spec")
        assert killed(lambda: run(blog), ("os.rename", "lock.json"))
        return blog

    @pytest.mark.usefixtures("starts_programs")
    def test_on_the_branch_that_it_came_from_the_run_is_undone(self, cut: Living) -> None:
        git(cut, "checkout", "-qf", "main")
        cut.regenerate()
        assert git(cut, "status", "--porcelain") == ""
        assert is_up_to_date(cut.root)
        git(cut, "checkout", "-q", "work")
        cut.regenerate()
        is_whole(cut)

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

        assert twin.regenerate("--abort").stderr == "the interrupted run was undone\n"
        assert git(twin, "status", "--porcelain") == "?? src/blog/tools/fresh.py\n"
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

    @pytest.mark.usefixtures("starts_programs")
    def test_the_copy_of_an_edit_stays_once_a_checkout_has_taken_the_edit(
        self, blog: Living
    ) -> None:
        contract = RelPath("src/blog/_generated/contract.py")
        git(blog, "init", "-qb", "main")
        commit(blog)
        blog.write(contract, blog.read(contract) + "# mine\n")
        assert killed(
            lambda: regenerate(blog.root, [contract], False), ("os.rename", "contract.py")
        )
        assert blog.read(f"{contract}.orig").endswith("# mine\n")
        git(blog, "checkout", "-qf", "main")
        blog.regenerate("--abort")
        assert blog.read(f"{contract}.orig").endswith("# mine\n")

    def test_what_was_edited_since_is_named(self, blog: Living) -> None:
        edit(blog)
        assert killed(lambda: run(blog), ("os.rename", "lock.json"))
        blog.write("pyproject.toml", "mine\n")
        said = blog.regenerate("--abort").stderr
        assert (
            "warning[left-alone] `pyproject.toml` changed after the run and was left alone" in said
        )
        assert blog.read("pyproject.toml") == "mine\n"


def test_taking_a_rename_back_brings_the_text_back(blog: Living) -> None:
    text = blog.read(SEARCH).replace("raise NotWritten", "raise ValueError")
    blog.write(SEARCH, text)
    before = blog.read("mcp.yaml")
    blog.edit(lambda spec: spec["tools"][0].update(name="find", renamedFrom="search"))
    blog.regenerate()
    assert "raise ValueError" in blog.read("src/blog/tools/find.py")
    blog.write("mcp.yaml", before)
    blog.regenerate()
    assert blog.read(SEARCH) == text
    assert not (blog.root / "src/blog/tools/find.py").exists()


def test_a_package_that_its_user_has_moved_is_known_again(blog: Living) -> None:
    blog.write(SEARCH, blog.read(SEARCH) + "# mine\n")
    blog.write("src/blog/lifespan.py", blog.read("src/blog/lifespan.py") + "# mine\n")
    (blog.root / "src/blog").rename(blog.root / "src/posts")
    blog.edit(lambda spec: spec.update(name="posts"))
    said = blog.regenerate().stderr
    assert "was not written by mcp-scaffold" not in said
    moved = blog.read("src/posts/tools/search.py")
    assert "from posts._generated.contract import" in moved
    assert moved.endswith("# mine\n")
    assert not (blog.root / "src/blog").exists()
    assert blog.regenerate("--check").stderr == "already up to date\n"


def test_the_spec_is_not_even_written_by_force(blog: Living) -> None:
    data = b"# mine\r\n" + (blog.root / "mcp.yaml").read_bytes()
    (blog.root / "mcp.yaml").write_bytes(data)
    result = blog.run("--force", "mcp.yaml")
    assert result.exit_code == 2
    assert "error[not-wanted] `mcp.yaml` cannot be forced" in result.stderr
    assert (blog.root / "mcp.yaml").read_bytes() == data
    assert not list(blog.root.glob("mcp.yaml.*"))


def test_a_replacement_that_is_refused_names_the_file_and_undoes_the_rest(blog: Living) -> None:
    """As for an immutable file, a mount point, or a file of another's in a sticky folder."""
    edit(blog)
    before = blog.everything()
    make = swap._exchange

    def refuse(a: Path, b: Path) -> None:
        if b.name == "pyproject.toml":
            raise PermissionError(1, "Operation not permitted", str(a))
        make(a, b)

    with mock.patch("scaffold.disk.swap._exchange", refuse):
        result = blog.run()
    assert result.exit_code == 2
    assert "error[cannot-write] cannot write `pyproject.toml`: Operation not" in result.stderr
    assert "then run again" in result.stderr
    assert blog.everything() == before
    blog.regenerate()
    is_whole(blog)


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize("instant", ["TOOLS.md", "lock.json"])
def test_after_an_interrupt_nothing_is_half_done(blog: Living, instant: str) -> None:
    edit(blog)
    before = blog.everything()
    interrupt = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
def hook(event, arguments):
    if event == "os.rename" and str(arguments[1]).endswith({instant!r}):
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
from scaffold.cli.main import main
main()
"""
    command = [sys.executable, "-c", interrupt, "regenerate", str(blog.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr == "interrupted: nothing is half-written; run again to finish\n"
    assert blog.everything() == before
    blog.regenerate()
    is_whole(blog)


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="files cannot be exchanged")
def test_no_save_is_lost_to_a_replacement(tmp_path: Path) -> None:
    """One process saves as fast as it can, another replaces what it has looked at just before.

    Each save that is gone is one that the other has been told of.
    """
    target, new, out = tmp_path / "file", tmp_path / "new", tmp_path / "out"
    target.write_text("0\n")
    stop, gone = tmp_path / "stop", tmp_path / "gone"

    def save() -> int:
        number, taken = 0, []
        while not stop.exists():
            number += 1
            (tmp_path / "save").write_text(f"{number}\n")
            os.replace(tmp_path / "save", target)
            if target.read_text() == "ours\n":
                time.sleep(0.003)
                if target.read_text() == "ours\n":
                    taken.append(f"{number}\n")
        gone.write_text("".join(taken))
        return 0

    told: set[str] = set()
    child, given_back = started(save), 0
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (len(told) < 200 or given_back < 200):
        new.write_text("ours\n")
        out.unlink(missing_ok=True)
        was = swap.file_hash(target)
        time.sleep(0.0001 * (given_back % 3))
        if swap.swap(target, new, out, was):
            told.add(out.read_text())
        else:
            given_back += 1
    stop.touch()
    assert ended(child) == 0
    assert given_back
    assert told
    assert set(gone.read_text().splitlines(keepends=True)) <= told
