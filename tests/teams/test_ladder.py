"""Each rung of the ladder does what it says, and goes on doing so when our own pack is upgraded."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from tests.command import run, run_from
from tests.generated import REPOSITORY
from tests.teams.building import TABLE, record_pack

RUNGS = tomllib.loads(Path(__file__).with_name("rungs.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A later mcp-scaffold, whose Dockerfile has another working folder."""
    checkout = tmp_path_factory.mktemp("later")
    for part in ("scaffold", "specs", "templates"):
        shutil.copytree(
            REPOSITORY / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__")
        )
    docker = checkout / "templates/python/Dockerfile.j2"
    docker.write_text(docker.read_text().replace("WORKDIR /build", "WORKDIR /later"))
    (checkout / "templates/second").mkdir()
    (checkout / "templates/second/pack.toml").write_text(TABLE.replace("acme", "second"))
    (checkout / "templates/second/header.j2").write_text("# second\n")
    return checkout


def test_a_project_keeps_the_built_in_pack_that_created_it(
    upgraded: Path, spec: Path, tmp_path: Path
) -> None:
    made = run_from(upgraded, "new", spec, tmp_path / "p", "--pack", "second")
    assert made.code == 0, made.err
    assert (tmp_path / "p/Dockerfile").read_text().startswith("# second\n")
    assert run_from(upgraded, "regenerate", tmp_path / "p", "--check").code == 0
    listed = run_from(upgraded, "pack", "list", tmp_path / "p").out.splitlines()
    assert listed[:2] == ["second: built in", "python: built in"]


@pytest.mark.parametrize("rung", RUNGS)
def test_each_kind_of_customization_survives_an_upgrade_of_the_built_in_pack(
    rung: str, project: Path, upgraded: Path
) -> None:
    files, made = RUNGS[rung]["files"], RUNGS[rung]["makes"]
    for path, text in files.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    record_pack(project)
    assert run("regenerate", project, "--check").code == 1
    for checkout, folder in ((REPOSITORY, "/build"), (upgraded, "/later")):
        done = run_from(checkout, "regenerate", project)
        assert done.code == 0, done.err
        for path, text in made.items():
            assert text in (project / path).read_text()
        is_ours = rung != "a file of the same name"
        assert (f"WORKDIR {folder}" in (project / "Dockerfile").read_text()) == is_ours
    assert {path: (project / path).read_text() for path in files} == files
