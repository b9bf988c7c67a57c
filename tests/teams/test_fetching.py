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
from scaffold.teams.upgrade import plan_upgrade
from tests.disk.processes import killed
from tests.teams.building import (
    OWNERS,
    QUESTIONS,
    TABLE,
    Create,
    Repository,
    contents,
    needs_git,
    run,
)

ASKING = (
    QUESTIONS + 'company: {type: str, help: "Who owns it?", default: Acme}\n'
    "replicas: {type: int, default: 2}\n"
)


def record(project: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((project / ".scaffold/pack.json").read_text())
    return found


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
    def test_the_newest_is_the_highest_that_is_no_prerelease(
        self, tags: list[str], version: str | None
    ) -> None:
        assert newest(tags) == version

    def test_a_tag_a_branch_or_a_commit_can_be_named(
        self, asking: Repository, create: Create, spec: Path, tmp_path: Path
    ) -> None:
        asking.tag("v2.0.0", {"OWNERS.j2.copier": "two\n"})
        commit = asking.git("rev-parse", "v1.0.0").strip()
        for name in ("v1.0.0", commit, "main"):
            made = create(f"{asking.folder}@{name}", "--defaults", name=name)
            assert ((made / "OWNERS").read_text() == "two\n") == (name == "main")
            assert record(made)["version"] == name
        ended = run("new", spec, tmp_path / "p", "--pack", f"{asking.folder}@v9", "--defaults")
        assert ended.code == 2
        assert f"[pack-version] `{asking.folder}` has no version `v9`" in ended.err
        assert "the latest tags are v1.0.0, v2.0.0" in ended.err
        assert not (tmp_path / "p").exists()

    def test_an_upgrade_never_goes_back_by_itself(
        self, repository: Repository, create: Create
    ) -> None:
        owners = {"pack.toml": TABLE + OWNERS}
        repository.tag("v1.0.0", {**owners, "OWNERS.j2": "one\n"})
        repository.tag("v2.0.0", {"OWNERS.j2": "two\n"})
        repository.tag("fix", {"OWNERS.j2": "two, fixed\n"})
        commit = repository.git("rev-parse", "HEAD").strip()
        at_commit = create(f"{repository.folder}@{commit}", name="commit")
        at_tag = create(f"{repository.folder}@v2.0.0", name="tag")
        repository.git("tag", "--delete", "v2.0.0")

        assert run("pack", "upgrade", at_commit).code == 0
        assert (at_commit / "OWNERS").read_text() == "two, fixed\n"
        assert record(at_commit)["version"] == commit
        stopped = run("pack", "upgrade", at_tag)
        assert (stopped.code, "has no version `v2.0.0`" in stopped.err) == (2, True)
        assert (at_tag / "OWNERS").read_text() == "two\n"
        for project in (at_commit, at_tag):
            assert run("pack", "upgrade", project, "--to", "v1.0.0").code == 0
            assert (project / "OWNERS").read_text() == "one\n"

    def test_a_work_tree_is_taken_as_it_is(self, asking: Repository, create: Create) -> None:
        """What its author has not committed counts, and what git ignores does not."""
        ignored = {".gitignore": ".venv\n", ".venv/x.j2": "x", ".venv/pack.toml": "x"}
        asking.write({"OWNERS.j2.copier": "edited\n", "NEW.j2": "new\n", **ignored})
        (asking.folder / ".venv/python").symlink_to("/usr/bin/python")
        asking.write({"pack.toml": TABLE + OWNERS + OWNERS.replace("OWNERS", "NEW")})
        project = create(asking.folder, "--defaults")
        assert (project / "OWNERS").read_text() == "edited\n"
        assert (project / "NEW").read_text() == "new\n"
        assert not (project / ".scaffold/pack/.venv").exists()
        assert (record(project)["version"], record(project)["commit"]) == (None, None)

        asking.write({"OWNERS.j2.copier": "edited again\n", "NEW.j2": None})
        asking.write({"pack.toml": TABLE + OWNERS})
        assert run("pack", "upgrade", project).code == 0
        assert (project / "OWNERS").read_text() == "edited again\n"

        tagged = run("pack", "upgrade", project, "--pack", f"{asking.folder}@v1.0.0")
        assert tagged.code == 0, tagged.err
        assert (project / "OWNERS").read_text() == "Acme runs hello 2 times\n"
        assert record(project)["version"] == "v1.0.0"

    def test_a_folder_has_no_versions(self, spec: Path, tmp_path: Path) -> None:
        (tmp_path / "plain").mkdir()
        (tmp_path / "plain/pack.toml").write_text(TABLE)
        ended = run("new", "hello.yaml", "q", "--pack", "plain@v1", cwd=tmp_path)
        assert (ended.code, "has no versions" in ended.err) == (2, True)
        assert run("new", "hello.yaml", "p", "--pack", "plain", cwd=tmp_path).code == 0
        found = record(tmp_path / "p")
        assert (found["source"], found["version"]) == ("../plain", None)

    @needs_git
    def test_an_unreachable_repository_is_an_error_with_what_git_said(
        self, spec: Path, tmp_path: Path
    ) -> None:
        address = "https://127.0.0.1:1/pack.git"
        ended = run("new", spec, tmp_path / "p", "--pack", address)
        assert (ended.code, "[pack-unreachable]" in ended.err) == (2, True)
        assert "127.0.0.1" in ended.err

    def test_a_repository_in_the_environment_is_not_the_pack_s(
        self, asking: Repository, create: Create, tmp_path: Path
    ) -> None:
        """As in a git hook, which sets GIT_DIR for all that it runs."""
        mine = Repository(tmp_path / "mine")
        mine.tag("v9", {"file": "mine"})
        held = contents(mine.folder)
        env = {"GIT_DIR": str(mine.folder / ".git"), "GIT_INDEX_FILE": "nowhere"}
        for name, pack in (("tag", f"{asking.folder}@v1.0.0"), ("folder", asking.folder)):
            made = create(pack, "--defaults", name=name, **env)
            assert (made / "OWNERS").read_text() == "Acme runs hello 2 times\n"
        assert contents(mine.folder) == held

    @needs_git
    def test_an_address_that_leads_to_a_program_runs_none(self, spec: Path, tmp_path: Path) -> None:
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


class TestAnswers:
    def test_answers_are_filled_in_and_kept_with_the_project(
        self, asking: Repository, create: Create
    ) -> None:
        made = create(asking.folder, "--data", "company=Foo & Co", "--defaults")
        assert (made / "OWNERS").read_text() == "Foo & Co runs hello 2 times\n"
        kept = made / ".scaffold/pack"
        assert sorted(path.name for path in kept.iterdir()) == ["OWNERS.j2", "pack.toml"]
        assert "Foo & Co runs {{ project.name }} 2 times" in (kept / "OWNERS.j2").read_text()
        assert record(made)["answers"] == {"company": "Foo & Co", "replicas": 2}
        assert record(made)["questions"]["company"] == "Who owns it?"

    def test_a_spec_that_is_wrong_is_told_before_any_question(
        self, asking: Repository, tmp_path: Path
    ) -> None:
        (tmp_path / "wrong.yaml").write_text("name: x\n")
        ended = run("new", tmp_path / "wrong.yaml", "--pack", asking.folder)
        assert "[pack-answer]" not in ended.err
        assert ended.code == 2
        ended = run("new", tmp_path / "wrong.yaml", "--data", "company=Foo")
        assert (ended.code, "--data needs --pack" in ended.err) == (2, True)


class TestUpgrade:
    @pytest.fixture
    def project(self, asking: Repository, create: Create) -> Path:
        return create(f"{asking.folder}@v1.0.0", "--defaults")

    def test_a_pack_that_is_lost_stops_regenerate(self, project: Path) -> None:
        for path in (project / ".scaffold/pack").iterdir():
            path.unlink()
        ended = run("regenerate", project)
        assert (ended.code, "[pack-missing]" in ended.err) == (2, True)
        assert (project / "OWNERS").exists()
        assert run("pack", "upgrade", project).code == 0
        assert run("regenerate", project, "--check").code == 0

    def test_so_does_a_record_that_is_lost(self, project: Path, asking: Repository) -> None:
        (project / ".scaffold/pack.json").unlink()
        before = (project / "OWNERS").read_bytes()
        for command in (["regenerate"], ["regenerate", "--check"], ["status"], ["pack", "upgrade"]):
            ended = run(*command, project)
            assert ended.code == 2, command
            assert "error[pack-missing] the pack's record is lost" in ended.err
        assert (project / "OWNERS").read_bytes() == before
        again = ("pack", "upgrade", project, "--pack", asking.folder, "--defaults")
        assert run(*again).code == 0
        assert run("regenerate", project, "--check").code == 0

    def test_an_upgrade_that_is_cut_short_is_undone_and_can_be_made_again(
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
