"""A pack is fetched at a version, its questions are answered, and both are kept in the project."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scaffold.commands.regenerate import carry_out
from scaffold.teams.copying import Asked
from scaffold.teams.git import newest
from scaffold.teams.status import Source, status, with_sources
from scaffold.teams.upgrade import notes, plan_upgrade
from tests.command import run
from tests.disk.processes import killed
from tests.files import contents
from tests.repository import Repository
from tests.teams.building import OWNERS, QUESTIONS, TABLE, Create

ASKING = (
    QUESTIONS + 'company: {type: str, help: "Who owns it?", default: Acme}\n'
    "replicas: {type: int, default: 2}\n"
)


def record(project: Path) -> dict[str, Any]:
    recorded: dict[str, Any] = json.loads((project / ".scaffold/pack.json").read_text())
    return recorded


@pytest.fixture
def asking(repository: Repository) -> Repository:
    """A pack at v1.0.0 that asks two questions."""
    text = "<< company >> runs {{ project.name }} << replicas >> times\n"
    repository.tag(
        "v1.0.0",
        {"copier.yml": ASKING, "pack.toml": TABLE + OWNERS, "OWNERS.j2.copier": text},
    )
    return repository


class TestVersions:
    @pytest.mark.parametrize(
        ("tags", "version"),
        [
            (["v1.9.0", "v1.10.0", "v1.2.0"], "v1.10.0"),
            (["1.0", "v2.0rc1", "nightly"], "1.0"),
            (["v2.0rc1", "v2.0a1"], "v2.0rc1"),
            (["nightly"], None),
            (["v" + "1" * 5000, "v1.0"], "v1.0"),
            ([], None),
        ],
    )
    def test_the_newest_release_is_the_highest_that_is_not_a_prerelease(
        self, tags: list[str], version: str | None
    ) -> None:
        assert newest(tags) == version

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
        self, before: str | None, now: str | None, versions: list[str]
    ) -> None:
        parts = {"2.0.0": "## [2.0.0] - 2026-11-22\n\n### Changed\n\n- Python 3.14.\n"}
        parts["1.1.0"] = "## v1.1.0\n\n- A support page.\n"
        changes = f"# Changes\n\n## Unreleased\n\n- Soon.\n\n{parts['2.0.0']}\n{parts['1.1.0']}\n"
        changes += "## Version 1.0.0 (first)\n\n- All of it.\n"
        assert (
            notes(changes, before, now) == "\n".join(parts[version] for version in versions).strip()
        )

    def test_git_variables_of_the_environment_do_not_affect_the_pack(
        self, asking: Repository, create: Create, tmp_path: Path
    ) -> None:
        """As in a git hook, which sets GIT_DIR for all that it runs."""
        mine = Repository(tmp_path / "mine")
        mine.tag("v9", {"file": "mine"})
        held = contents(mine.folder)
        env = {"GIT_DIR": str(mine.folder / ".git"), "GIT_INDEX_FILE": "nowhere"}
        for name, pack in (("tag", f"{asking.folder}@v1.0.0"), ("folder", asking.folder)):
            project = create(pack, "--defaults", name=name, **env)
            assert (project / "OWNERS").read_text() == "Acme runs hello 2 times\n"
        assert contents(mine.folder) == held

    def test_a_pinned_commit_is_never_outdated(self, asking: Repository, create: Create) -> None:
        commit = asking.git("rev-parse", "HEAD").strip()
        project = create(f"{asking.folder}@{commit}", "--defaults")
        [state] = with_sources([status(project)])
        assert (state.source, state.problems) == (Source.CURRENT, ())

    def test_an_address_that_names_a_program_does_not_run_it(
        self, spec: Path, tmp_path: Path
    ) -> None:
        """As git's own configuration may make of an address, and a server by a redirect."""
        ran = tmp_path / "ran"
        program = f"ext::sh -c touch% {ran}% ;"
        env = {**os.environ, "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig")}
        (tmp_path / "gitconfig").write_text(
            f'[url "{program}"]\n\tinsteadOf = https://git.example.org/\n'
            "[protocol]\n\tallow = always\n"
        )
        address = "https://git.example.org/pack.git"
        asked = ["git", "ls-remote", address]
        subprocess.run(asked, env=env, capture_output=True, check=False)
        assert ran.exists(), "git alone would run it"
        ran.unlink()
        ended = run("new", spec, tmp_path / "p", "--pack", address, env=env)
        assert ended.code == 2
        assert "[pack-unreachable]" in ended.err
        assert not ran.exists()


class TestUpgrade:
    @pytest.fixture
    def project(self, asking: Repository, create: Create) -> Path:
        return create(f"{asking.folder}@v1.0.0", "--defaults")

    def test_an_interrupted_upgrade_is_undone_and_can_be_repeated(
        self, asking: Repository, project: Path
    ) -> None:
        """The pack, the record of it and the files it makes change together."""
        asking.tag("v1.1.0", {"OWNERS.j2.copier": "one\n", "pack.toml": TABLE + OWNERS + "\n"})
        owners = (project / "OWNERS").read_bytes()

        def upgraded() -> None:
            upgrade = plan_upgrade(project, None, None, Asked({}, {}))
            carry_out(upgrade.update, metadata=upgrade.metadata)

        assert killed(upgraded, ("os.remove", "journal.json"))
        assert (project / "OWNERS").read_text() == "one\n"
        assert run("regenerate", project).code == 0
        assert record(project)["version"] == "v1.0.0"
        assert (project / "OWNERS").read_bytes() == owners
        assert run("regenerate", project, "--check").code == 0
        assert run("pack", "upgrade", project).code == 0
        assert record(project)["version"] == "v1.1.0"
        assert (project / "OWNERS").read_text() == "one\n"
        assert (project / ".scaffold/pack/OWNERS.j2").read_text() == "one\n"
        assert run("regenerate", project, "--check").code == 0
