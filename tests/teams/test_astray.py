"""Edits of files that a pack moves, where git takes the base in `.scaffold/` for the new place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.teams.building import Repository, needs_git, run
from tests.teams.test_merges import Project

pytestmark = needs_git

RUN = "# Run\n\nLook here.\n\n## Contacts\n\nops\n"
TABLE = 'name = "acme"\ncontract = 3\nextends = "python"\n\n[[files]]\ntemplate = "RUN.md.j2"\n'
BASE = ".scaffold/base/docs/RUN.md"
TOLD = f"error[conflict] `docs/RUN.md` lacks an edit that git merged into `{BASE}`"


@pytest.fixture
def project(repository: Repository, spec: Path, tmp_path: Path) -> Project:
    """A project with a merged file that version 2 of its pack moves."""
    merged = 'owner = "merged"\n'
    repository.tag("v1", {"pack.toml": TABLE + merged, "RUN.md.j2": RUN})
    moved = {
        "pack.toml": f'{TABLE}path = "docs/RUN.md"\n{merged}',
        "RUN.md.j2": RUN.replace("here", "first"),
    }
    repository.tag("v2", moved)
    folder = tmp_path / "hello"
    assert run("new", spec, folder, "--pack", f"{repository.folder}@v1").code == 0
    made = Project(folder)
    made.git("tag", "made")
    made.branch("upgraded", lambda: made.upgrade("v2"))
    return made


def edited(project: Project, old: str, new: str) -> None:
    """Merge an edit of the file into the branch that moved it, as git does."""
    project.branch("edited", lambda: project.edit("RUN.md", old, new))
    project.merge("upgraded", "edited")
    assert (project.folder / BASE).read_text() != RUN.replace("here", "first")


@pytest.mark.parametrize("commit", [True, False])
def test_an_edit_in_a_base_stops_the_run_and_can_be_made_in_the_file(
    project: Project, commit: bool
) -> None:
    edited(project, "ops\n", "ops, and at night Jane\n")
    if commit:
        project.commit("merged")
    before = project.files
    for options in ((), ("--check",), ("--force", "docs/RUN.md")):
        stopped = run("regenerate", project.folder, *options)
        assert (stopped.code != 0, TOLD in stopped.err) == (True, True), stopped.err
        assert project.files == before
    assert run("regenerate", project.folder, "--accept-conflicts").code == 0
    wanted = RUN.replace("here", "first")
    text = (project.folder / "docs/RUN.md").read_text()
    assert text == wanted.replace("ops\n", "ops, and at night Jane\n")
    assert (project.folder / BASE).read_text() == wanted
    assert run("regenerate", project.folder, "--check").err == "already up to date\n"


@pytest.mark.parametrize(
    ("old", "new"), [("## Contacts\n\n", ""), ("Look here.", "Look there, says Jane.")]
)
def test_lines_taken_out_and_conflicts_in_a_base_stop_the_run_too(
    project: Project, old: str, new: str
) -> None:
    edited(project, old, new)
    stopped = run("regenerate", project.folder)
    assert (stopped.code, TOLD in stopped.err) == (1, True), stopped.err


def test_an_edit_that_was_merged_before_the_last_commit_is_found(project: Project) -> None:
    edited(project, "ops\n", "ops, and at night Jane\n")
    project.commit("merged")
    project.commit("more")
    stopped = run("regenerate", project.folder)
    assert (stopped.code, TOLD in stopped.err) == (1, True), stopped.err


def test_an_edit_that_is_moved_by_hand_is_no_conflict(project: Project) -> None:
    edited(project, "ops\n", "ops, and at night Jane\n")
    assert run("regenerate", project.folder).code == 1
    project.edit("docs/RUN.md", "ops\n", "ops, and at night Jane\n")
    (project.folder / BASE).unlink()
    project.regenerate()
    assert "Jane" in (project.folder / "docs/RUN.md").read_text()
    assert run("regenerate", project.folder, "--check").err == "already up to date\n"
