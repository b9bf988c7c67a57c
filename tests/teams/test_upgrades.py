"""`pack upgrade` says first what is new, what would change and whether a project is behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from scaffold.teams.upgrade import notes
from tests.teams.building import (
    OWNERS,
    QUESTIONS,
    REPOSITORY,
    TABLE,
    Create,
    Repository,
    contents,
    run,
)

ASKING = QUESTIONS + "team: {type: str, default: us}\nsize: {type: int, default: 1}\n"

CHANGES = """\
# Changes

## v2.0.0

- Owners are told how many they are.

## v1.0.0

- The first.
"""


@pytest.fixture
def asking(repository: Repository) -> Repository:
    """A pack that asks who the owners are; version 1 is the only one."""
    files = {"copier.yml": ASKING, "pack.toml": TABLE + OWNERS, "CHANGELOG.md": CHANGES}
    repository.tag("v1.0.0", {**files, "OWNERS.j2.copier": "<< team >>\n"})
    return repository


@pytest.fixture
def project(asking: Repository, create: Create) -> Path:
    """A project of version 1."""
    return create(f"{asking.folder}@v1.0.0", "--defaults")


@pytest.fixture
def second(asking: Repository) -> None:
    """Version 2 is out."""
    message = '_message_after_update: "Tell << team >> about it."\n'
    asking.tag(
        "v2.0.0",
        {"copier.yml": ASKING + message, "OWNERS.j2.copier": "<< team >>: << size >>\n"},
    )


def the_json(*arguments: object, code: int = 0) -> dict[str, Any]:
    ended = run("pack", "upgrade", *arguments, "--format=json")
    assert ended.code == code, ended.err
    document = json.loads(ended.out)
    schema = json.loads((REPOSITORY / "specs/regenerate.schema.json").read_text())
    jsonschema_rs.validator_for(schema).validate(document)
    assert isinstance(document, dict)
    return document


@pytest.mark.usefixtures("second")
def test_a_check_fails_if_there_is_a_newer_one_and_says_what_is_in_it(project: Path) -> None:
    before = contents(project)
    ended = run("pack", "upgrade", "--check", project)
    assert ended.code == 1
    assert ended.err.splitlines() == [
        "v1.0.0 → v2.0.0",
        "",
        "  ## v2.0.0",
        "",
        "  - Owners are told how many they are.",
        "",
        "  Tell us about it.",
        "",
        "update    OWNERS",
        "",
        "1 file out of date: run `mcp-scaffold pack upgrade`",
    ]
    assert run("pack", "upgrade", "--diff", project).out == (
        "--- a/OWNERS\n+++ b/OWNERS\n@@ -1 +1 @@\n-us\n+us: 1\n"
    )
    assert contents(project) == before
    assert run("pack", "upgrade", project).code == 0
    ended = run("pack", "upgrade", "--check", project)
    assert (ended.code, ended.err) == (0, "v2.0.0\n\nalready up to date\n")


@pytest.mark.parametrize(
    ("question", "said"),
    [("{type: str, default: eu}", "v1.0.0 → v2.0.0"), ("{type: str}", 'Question "region" is')],
)
def test_a_check_finds_a_version_with_a_new_question(
    asking: Repository, project: Path, question: str, said: str
) -> None:
    asking.tag("v2.0.0", {"copier.yml": f"{ASKING}region: {question}\n"})
    ended = run("pack", "upgrade", "--check", project)
    assert (ended.code, said in ended.err) == (1, True), ended.err


@pytest.mark.parametrize(
    ("before", "now", "versions"),
    [
        ("v1.0.0", "v2.0.0", ["2.0.0", "1.1.0"]),
        ("v1.1.0", "v2.0.0", ["2.0.0"]),
        ("1.1.0", "v2.0.0rc1", []),
        ("v2.0.0", "v1.0.0", []),
        (None, "v2.0.0", []),
        ("main", "v2.0.0", []),
    ],
)
def test_notes_are_the_sections_after_one_version_up_to_another(
    before: str | None, now: str | None, versions: list[str]
) -> None:
    parts = {"2.0.0": "## [2.0.0] - 2026-11-22\n\n### Changed\n\n- Python 3.14.\n"}
    parts["1.1.0"] = "## v1.1.0\n\n- A support page.\n"
    changes = f"# Changes\n\n## Unreleased\n\n- Soon.\n\n{parts['2.0.0']}\n{parts['1.1.0']}\n"
    changes += "## Version 1.0.0 (first)\n\n- All of it.\n"
    assert notes(changes, before, now) == "\n".join(parts[one] for one in versions).strip()


def test_a_version_that_changes_no_file_is_news_too(asking: Repository, project: Path) -> None:
    asking.tag("v1.0.1", {"README.md": "# The pack\n"})
    ended = run("pack", "upgrade", "--check", project)
    assert (ended.code, ended.err.splitlines()[0]) == (1, "v1.0.0 → v1.0.1")
    assert run("pack", "upgrade", project).code == 0
    assert run("pack", "upgrade", "--check", project).code == 0


@pytest.mark.usefixtures("second")
def test_programs_get_versions_notes_and_the_plan(project: Path, asking: Repository) -> None:
    told = the_json("--check", project, code=1)
    commits = [asking.git("rev-parse", tag).strip() for tag in ("v1.0.0", "v2.0.0")]
    assert told["pack"]["name"] == "acme"
    assert told["pack"]["before"]["commit"] == commits[0]
    assert told["pack"]["now"] == {
        "source": str(asking.folder), "version": "v2.0.0", "commit": commits[1],
    }  # fmt: skip
    assert told["pack"]["answers"] == {"team": "us", "size": 1}
    assert told["pack"]["notes"].startswith("## v2.0.0\n\n- Owners")
    assert told["written"] is False
    assert [(change["path"], change["action"]) for change in told["changes"]] == [
        ("OWNERS", "update")
    ]
    done = the_json(project)
    assert (done["written"], done["pack"]["now"]["version"]) == (True, "v2.0.0")


def test_answers_can_come_from_a_file_and_the_command_line_wins(
    asking: Repository, spec: Path, tmp_path: Path
) -> None:
    asking.tag("v2.0.0", {"OWNERS.j2.copier": "<< team >>: << size + 1 >>\n"})
    answers = tmp_path / "answers.yaml"
    pack = ("--pack", asking.folder, "--data-file", answers)
    for text, message in (
        ("[a]", "error[pack-answer] the answers are not a mapping"),
        ("team: [", "answers.yaml:1:8: error[yaml-syntax]"),
    ):
        answers.write_text(text)
        ended = run("new", spec, tmp_path / "p", *pack, "--defaults")
        assert (ended.code, message in ended.err) == (2, True), ended.err
    answers.write_text("team: data\nsize: 2\n")
    assert run("new", spec, tmp_path / "p", *pack, "--data", "team=web").code == 0
    assert (tmp_path / "p/OWNERS").read_text() == "web: 3\n"


@pytest.mark.usefixtures("second")
def test_a_built_in_pack_among_several_has_nothing_to_do(
    project: Path, spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "servers").mkdir()
    project.rename(tmp_path / "servers/p")
    assert run("new", spec, tmp_path / "servers/plain").code == 0
    ended = run("pack", "upgrade", "servers/*", cwd=tmp_path)
    assert ended.code == 0, ended.err
    said = "==> servers/plain <==\nbuilt-in pack: nothing to do, it is upgraded with mcp-scaffold"
    assert said in ended.err
    assert ended.err.endswith("2 projects: 1 updated, 1 built-in pack\n")
    ended = run("pack", "upgrade", "servers/*", "--to", "v1.0.0", cwd=tmp_path)
    assert (ended.code, "[pack-none]" in ended.err) == (2, True)
