"""Runs that are killed, interrupted, refused or overtaken by a save: every edit arrives all the same."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest import mock

import pytest

from scaffold.commands.regenerate import regenerate
from scaffold.disk import swap
from scaffold.project.inputs import is_up_to_date
from tests.disk.processes import ended, started
from tests.files import stamps
from tests.regenerate.living import TEXT, Living, tool

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
def test_a_file_saved_during_a_run_is_still_updated(blog: Living, instant: str) -> None:
    """Though the run had moved a handler before it saw the save."""
    edit(blog)
    blog.edit(lambda spec: spec["tools"][0].update(name="find", renamedFrom="search"))
    blog.write(SEARCH, blog.read(SEARCH) + "# handler\n")
    mine = blog.read("pyproject.toml") + "\n# mine\n"
    done: list[int] = []

    def save(event: str, arguments: tuple[object, ...]) -> None:
        is_then = event == "os.rename" and any(
            str(argument).endswith(instant) for argument in arguments[:2]
        )
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


REFUSED = PermissionError(1, "Operation not permitted")
"""As for an immutable file, a mount point, or a file of another's in a sticky folder."""
INTERRUPTED = "interrupted: run again to finish\n"


@pytest.mark.parametrize(
    ("instant", "ending", "code", "message"),
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
    blog: Living, instant: str, ending: BaseException, code: int, message: str
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
    assert (result.exit_code, message in result.stderr) == (code, True), result.stderr
    assert blog.everything() == before
    blog.regenerate()
    is_whole(blog)


def test_two_simultaneous_runs_have_the_result_of_one(blog: Living) -> None:
    """Each of them brings in the edit, or sees that it has been brought in; people's files stay."""
    mine = blog.read("src/blog/tools/search.py") + "# mine\n"
    blog.write("src/blog/tools/search.py", mine)

    def run() -> int:
        outcome = regenerate(blog.root, [], False)
        return int(bool(outcome.applied))

    with mock.patch("os.fsync"):
        for number in range(8):
            text = f"Edit {number}."
            blog.edit(lambda spec, text=text: spec["tools"][1].update(description=text))  # type: ignore[misc]
            rivals = [started(run), started(run)]
            assert sorted(map(ended, rivals)) == [0, 1]
            assert text in blog.read("TOOLS.md")
            assert blog.read("src/blog/tools/search.py") == mine
            assert not list((blog.root / ".scaffold").glob("*stage*"))
    before = stamps(blog.root)
    assert blog.regenerate().stderr == "already up to date\n"
    assert stamps(blog.root) == before
