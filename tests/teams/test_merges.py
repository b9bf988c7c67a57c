"""Branches of a project with a pack, merged as the documentation says, or nearly."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.teams.building import OWNERS, QUESTIONS, SPEC, Repository, needs_git, run

pytestmark = needs_git

TABLE = 'name = "acme"\ncontract = 3\nextends = "python"\n'
DOCKERFILE = """\
{{% extends "@python/Dockerfile.j2" %}}
{{% block runtime %}}
LABEL version={}
{{% endblock %}}
"""
TOOL = """\
  - name: {}
    description: Says goodbye to {} and nobody else.
    inputSchema: {{type: object, properties: {{}}, additionalProperties: false}}
"""

RECORDS = [None, ".scaffold/lock.json", ".scaffold/pack.json", ".scaffold/pack", ".scaffold"]
"""What a person takes from one side, instead of leaving it as git does."""


class Project(Repository):
    """A project in git."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.commit("made")

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def branch(self, name: str, *edits: Callable[[], object]) -> None:
        """Make a branch from the first commit, with these edits, and regenerate."""
        self.git("checkout", "--quiet", "-b", name, "made")
        for edit in edits:
            edit()
        self.regenerate()
        self.commit(name)

    def add(self, tool: str) -> None:
        with (self.folder / "mcp.yaml").open("a") as spec:
            spec.write(TOOL.format(tool, tool))

    def upgrade(self, version: str, *options: str) -> None:
        done = run("pack", "upgrade", self.folder, "--to", version, "--defaults", *options)
        assert done.code == 0, done.err

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text()
        assert text.count(old) == 1, path
        (self.folder / path).write_text(text.replace(old, new))

    def regenerate(self) -> str:
        done = run("regenerate", self.folder)
        assert done.code == 0, done.err
        return done.err

    def merge(self, into: str, other: str, path: str | None = None, side: str = "ours") -> None:
        """Merge, and take all at `path` from one side, if asked to."""
        self.git("checkout", "--quiet", "-B", "work", into)
        merging = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "merge", "--no-ff", other]
        subprocess.run([*merging, "--no-commit"], cwd=self.folder, capture_output=True, check=False)
        if path:
            self.git("rm", "-rqf", "--cached", path)
            self.git("checkout", "HEAD" if side == "ours" else "MERGE_HEAD", "--", path)

    @property
    def record(self) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.folder / ".scaffold/pack.json").read_text())
        return found

    @property
    def files(self) -> dict[str, bytes]:
        """All files but those of git, of a run and of the pack's own record."""
        others = (".git/", ".scaffold/run.lock", ".scaffold/pack.json")
        found = {p.relative_to(self.folder).as_posix(): p for p in self.folder.rglob("*")}
        return {
            path: file.read_bytes()
            for path, file in found.items()
            if file.is_file() and not path.startswith(others)
        }


def three_versions(folder: Path) -> Project:
    """Make a project of version 1 of a pack, which has three."""
    repository = Repository(folder / "acme-pack")
    for number in (1, 2, 3):
        texts = {"Dockerfile.j2": DOCKERFILE.format(number), "header.j2": f"# acme {number}\n"}
        more = {f"notes{number}.j2": f"{number}\n"}
        row = f'[[files]]\ntemplate = "notes{number}.j2"\nowner = "generated"\n'
        gone = {f"notes{number - 1}.j2": None} if number > 1 else {}
        repository.tag(f"v{number}", {"pack.toml": TABLE + row, **texts, **more, **gone})
    spec = folder / "hello.yaml"
    spec.write_text(SPEC.format(name="hello"))
    pack = f"{repository.folder}@v1"
    assert run("new", spec, folder / "hello", "--pack", pack).code == 0
    made = Project(folder / "hello")
    made.git("tag", "made")
    return made


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of version 1 of a pack, which has three."""
    return three_versions(tmp_path)


@pytest.fixture(scope="module")
def branched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a branch for each edit that tests merge with one another."""
    project = three_versions(tmp_path_factory.mktemp("branched"))
    for version in ("v2", "v3"):
        upgrade = partial(project.upgrade, version)
        project.branch(version, upgrade)
        project.branch(f"{version}-ours", upgrade, lambda: project.add("ours"))
    project.branch(
        "edited",
        lambda: project.add("theirs"),
        lambda: project.edit("Dockerfile", "WORKDIR /home/server", "WORKDIR /home/ann"),
        lambda: project.edit("README.md", "An MCP server", "Ann's server.\n\nAn MCP server"),
    )
    return project.folder


@pytest.fixture
def branches(branched: Path, tmp_path: Path) -> Project:
    """A copy of that project."""
    return Project(shutil.copytree(branched, tmp_path / "hello", symlinks=True))


def settled(project: Project, version: str) -> str:
    """Run `regenerate`, check that all is as in a project made anew, and return what it said."""
    said = project.regenerate()
    again = run("regenerate", project.folder, "--check")
    assert (again.code, again.err) == (0, "already up to date\n")
    assert project.record["version"] == version
    docker = (project.folder / "Dockerfile").read_text()
    assert f"LABEL version={version[1:]}" in docker
    assert "<<<<<<<" not in docker
    for path in project.folder.rglob("_generated/*.py"):
        assert path.read_text().startswith(f"# acme {version[1:]}\n"), path
    assert {p.name for p in project.folder.glob("notes*")} == {f"notes{version[1:]}"}
    assert {p.name for p in (project.folder / ".scaffold/pack").glob("notes*")} == {
        f"notes{version[1:]}.j2"
    }
    assert not [*project.folder.rglob("*.orig")]
    project.commit("merged")
    assert run("regenerate", project.folder, "--check").code == 0
    return said


@pytest.mark.parametrize("path", RECORDS)
@pytest.mark.parametrize("upgraded_here", [True, False])
def test_an_upgrade_and_a_new_tool_are_merged_whatever_side_is_taken(
    branches: Project, path: str | None, upgraded_here: bool
) -> None:
    project = branches
    names = ("v2-ours", "edited") if upgraded_here else ("edited", "v2-ours")
    for side in ("ours", "theirs") if path else ("ours",):
        project.merge(*names, path, side)
        project.git("checkout", "made", "--", "mcp.yaml")
        project.add("ours")
        project.add("theirs")
        settled(project, "v2")
        assert "WORKDIR /home/ann" in (project.folder / "Dockerfile").read_text()
        assert "Ann's server." in (project.folder / "README.md").read_text()
        tools = {file.stem for file in (project.folder / "src/hello/tools").glob("*.py")}
        assert tools >= {"greet", "ours", "theirs"}


@pytest.mark.parametrize(("ours", "theirs"), [("v2", "v3"), ("v3", "v2")])
@pytest.mark.parametrize("path", RECORDS)
def test_of_two_upgrades_the_higher_version_counts(
    branches: Project, ours: str, theirs: str, path: str | None
) -> None:
    for side in ("ours", "theirs") if path else ("ours",):
        branches.merge(f"{ours}-ours", theirs, path, side)
        settled(branches, "v3")


@pytest.mark.parametrize("commit", [True, False])
def test_an_upgrade_that_alone_is_lost_is_found_missing(project: Project, commit: bool) -> None:
    """The other branch has no edit of the spec: by its lock, all is up to date."""
    project.branch("upgraded", lambda: project.upgrade("v2"))
    project.branch("edited", lambda: project.edit("README.md", "An MCP", "Ann's MCP"))
    project.merge("edited", "upgraded", ".scaffold")
    if commit:
        project.commit("merged")
    check = run("regenerate", project.folder, "--check")
    assert check.code == 1
    assert "warning[pack-merged] a merge left an incomplete pack" in check.err
    assert "`.scaffold/pack` was restored to v2" in settled(project, "v2")


@pytest.mark.parametrize("upgraded_here", [True, False])
def test_an_upgrade_from_a_folder_counts_though_it_has_no_version(
    tmp_path: Path, upgraded_here: bool
) -> None:
    pack, spec = tmp_path / "acme-pack", tmp_path / "hello.yaml"
    pack.mkdir()
    (pack / "pack.toml").write_text(TABLE)
    (pack / "header.j2").write_text("# acme 1\n")
    spec.write_text(SPEC.format(name="hello"))
    assert run("new", spec, tmp_path / "hello", "--pack", pack).code == 0
    project = Project(tmp_path / "hello")
    project.git("tag", "made")
    (pack / "header.j2").write_text("# acme 2\n")
    upgraded = run("pack", "upgrade", project.folder, "--defaults")
    assert upgraded.code == 0, upgraded.err
    project.git("checkout", "--quiet", "-b", "upgraded")
    project.commit("upgraded")
    project.branch("edited", lambda: project.add("more"))

    names = ("upgraded", "edited") if upgraded_here else ("edited", "upgraded")
    project.merge(*names, ".scaffold", "theirs" if upgraded_here else "ours")
    project.regenerate()
    for path in project.folder.rglob("_generated/*.py"):
        assert path.read_text().startswith("# acme 2\n"), path
    assert run("regenerate", project.folder, "--check").code == 0


def test_a_merge_that_takes_nothing_of_a_branch_does_not_bring_its_upgrade(
    project: Project,
) -> None:
    project.branch("upgraded", lambda: project.upgrade("v2"))
    project.branch("edited", lambda: project.add("more"))
    project.git("merge", "--strategy=ours", "--quiet", "upgraded", "-m", "not this")
    assert run("regenerate", project.folder, "--check").code == 0
    assert project.record["version"] == "v1"


def test_a_downgrade_after_a_merge_stays(project: Project) -> None:
    project.branch("upgraded", lambda: project.upgrade("v2"))
    project.branch("edited", lambda: project.add("more"))
    project.merge("edited", "upgraded")
    settled(project, "v2")
    project.upgrade("v1")
    assert run("regenerate", project.folder, "--check").code == 0
    project.add("another")
    project.regenerate()
    assert project.record["version"] == "v1"


@pytest.mark.parametrize("rolled_back_here", [True, False])
def test_a_branch_that_alone_went_back_to_an_earlier_version_counts(
    project: Project, rolled_back_here: bool
) -> None:
    project.upgrade("v2")
    project.commit("second")
    project.git("tag", "--force", "made")
    project.branch("back", lambda: project.upgrade("v1"), lambda: project.add("ours"))
    project.branch("edited", lambda: project.add("theirs"))
    project.merge(*(("back", "edited") if rolled_back_here else ("edited", "back")))
    project.git("checkout", "made", "--", "mcp.yaml")
    project.add("ours")
    project.add("theirs")
    settled(project, "v1")


def test_a_way_back_and_an_upgrade_have_to_be_decided(project: Project) -> None:
    project.upgrade("v2")
    project.commit("second")
    project.git("tag", "--force", "made")
    project.branch("back", lambda: project.upgrade("v1"))
    project.branch("upgraded", lambda: project.upgrade("v3"))
    project.merge("upgraded", "back")
    stopped = run("regenerate", project.folder)
    assert (stopped.code, "it is unknown which is later" in stopped.err) == (2, True), stopped.err


def test_a_record_that_was_edited_by_hand_is_refused_after_a_merge_too(project: Project) -> None:
    project.branch("tool", lambda: project.add("wave"))
    project.git("checkout", "--quiet", "-b", "raised", "made")
    record = project.folder / ".scaffold/pack.json"
    record.write_text(json.dumps({**project.record, "version": "v9.0.0"}))
    project.commit("raised")
    project.merge("tool", "raised")
    for options in ((), ("--check",)):
        ended = run("regenerate", project.folder, *options)
        assert (ended.code, "[pack-edited]" in ended.err) == (2, True), ended.err
    assert project.record["version"] == "v9.0.0"


class TestAnswers:
    """A branch that gives another answer, and one that upgrades the pack."""

    @pytest.fixture
    def project(self, repository: Repository, spec: Path, tmp_path: Path) -> Project:
        """A project of version 1 of a pack that asks two questions."""
        asks = QUESTIONS + "team: {type: str, default: us}\nsize: {type: int, default: 1}\n"
        files = {"copier.yml": asks, "pack.toml": TABLE + OWNERS}
        repository.tag("v1", {**files, "OWNERS.j2.copier": "<< team >>\n\n\n<< size >>\n"})
        later = "<< team >>\n\n\n<< size >>\n\n\n<< team >> again\n"
        repository.tag("v2", {"OWNERS.j2.copier": later})
        folder = tmp_path / "hello"
        pack = f"{repository.folder}@v1"
        assert run("new", spec, folder, "--pack", pack, "--defaults").code == 0
        made = Project(folder)
        made.git("tag", "made")
        return made

    @pytest.mark.parametrize("path", [None, ".scaffold"])
    @pytest.mark.parametrize("upgraded_here", [True, False])
    def test_an_upgrade_takes_the_answers_of_both(
        self, project: Project, path: str | None, upgraded_here: bool
    ) -> None:
        project.branch("upgraded", lambda: project.upgrade("v2"))
        project.branch("answered", lambda: project.upgrade("v1", "--data", "team=web"))
        names = ("upgraded", "answered") if upgraded_here else ("answered", "upgraded")
        project.merge(*names, path)
        for options in ((), ("--check",)):
            stopped = run("regenerate", project.folder, *options)
            assert stopped.code == 2
            assert 'error[pack-branches] one branch answers `team` with `"web"`' in stopped.err
            assert "run `mcp-scaffold pack upgrade --to v2`" in stopped.err
        status = run("status", "--offline", project.folder)
        assert (status.code, "error[pack-branches]" in status.err) == (2, True), status.err
        project.upgrade("v2", "--force", "OWNERS")  # git may have mixed its lines
        assert project.record["answers"] == {"team": "web", "size": 1}
        assert project.record["version"] == "v2"
        assert (project.folder / "OWNERS").read_text() == "web\n\n\n1\n\n\nweb again\n"
        assert run("regenerate", project.folder, "--check").code == 0
        project.commit("merged")
        assert run("regenerate", project.folder, "--check").code == 0

    def test_different_answers_have_to_be_decided(self, project: Project) -> None:
        project.branch("web", lambda: project.upgrade("v1", "--data", "team=web"))
        project.branch("app", lambda: project.upgrade("v1", "--data", "team=app"))
        project.merge("web", "app")
        project.commit("merged as it is")
        stopped = run("regenerate", project.folder)
        assert stopped.code == 2
        assert 'the branches answer `team` of the pack differently: `"web"` and `"app"`' in (
            stopped.err
        )
        again = run("pack", "upgrade", project.folder, "--to", "v1", "--defaults")
        assert (again.code, "[pack-branches]" in again.err) == (2, True)
        project.upgrade("v1", "--data", "team=both", "--force", "OWNERS")
        assert project.record["answers"] == {"team": "both", "size": 1}
        assert run("regenerate", project.folder, "--check").code == 0

    def test_the_same_answer_on_both_sides_is_none_to_decide(self, project: Project) -> None:
        project.branch("one", lambda: project.upgrade("v1", "--data", "team=web"))
        project.branch("two", lambda: project.upgrade("v2", "--data", "team=web"))
        project.merge("one", "two")
        project.regenerate()
        assert project.record["answers"] == {"team": "web", "size": 1}
        assert project.record["version"] == "v2"

    def test_a_way_back_takes_the_answers_of_both(self, project: Project) -> None:
        project.upgrade("v2")
        project.commit("second")
        project.git("tag", "--force", "made")
        project.branch("back", lambda: project.upgrade("v1"))
        project.branch("answered", lambda: project.upgrade("v2", "--data", "team=web"))
        project.merge("answered", "back")
        stopped = run("regenerate", project.folder)
        assert (stopped.code, "run `mcp-scaffold pack upgrade --to v1`" in stopped.err) == (2, True)

    @pytest.mark.parametrize("later", ["<< team | default('us') >>", "us"])
    def test_an_answer_to_a_question_that_the_other_pack_dropped_stops_the_run(
        self, project: Project, repository: Repository, later: str
    ) -> None:
        asks = f'{QUESTIONS}owner: {{type: str, default: "{later}"}}\nsize: {{type: int, default: 1}}\n'
        repository.tag("v3", {"copier.yml": asks, "OWNERS.j2.copier": "<< owner >>\n"})
        project.branch("upgraded", lambda: project.upgrade("v3"))
        project.branch("answered", lambda: project.upgrade("v1", "--data", "team=web"))
        project.merge("upgraded", "answered")
        for options in ((), ("--check",)):
            stopped = run("regenerate", project.folder, *options)
            assert stopped.code == 2
            assert 'error[pack-branches] one branch answers `team` with `"web"`' in stopped.err
            assert "run `mcp-scaffold pack upgrade --to v3`" in stopped.err
        done = run(
            *("pack", "upgrade", project.folder, "--to", "v3", "--defaults", "--force", "OWNERS")
        )
        assert done.code == 0, done.err
        assert "answer-dropped" in done.err or later != "us"
        assert run("regenerate", project.folder, "--check").code == 0
        project.commit("merged")
        assert run("regenerate", project.folder, "--check").code == 0


class TestBeneath:
    """A pack that extends another one, of which each branch has its own version."""

    @pytest.mark.parametrize("upgraded_here", [True, False])
    def test_an_upgrade_of_the_pack_beneath_counts(
        self, repository: Repository, spec: Path, tmp_path: Path, upgraded_here: bool
    ) -> None:
        asks = QUESTIONS + "team: {type: str, default: us}\n"
        files = {"copier.yml": asks, "pack.toml": TABLE + OWNERS}
        repository.tag("v1", {**files, "OWNERS.j2.copier": "<< team >>\n"})
        above = Repository(tmp_path / "above")
        above.tag(
            "v1",
            {
                "pack.toml": f'name = "above"\ncontract = 3\nextends = "file://{repository.folder}/.git"\n'
            },
        )
        folder = tmp_path / "hello"
        done = run("new", spec, folder, "--pack", f"{above.folder}@v1", "--defaults")
        assert done.code == 0, done.err
        project = Project(folder)
        project.git("tag", "made")
        project.branch("answered", lambda: project.upgrade("v1", "--data", "team=web"))
        repository.tag("v2", {"OWNERS.j2.copier": "<< team >>\n\n\nagain\n"})
        project.branch("upgraded", lambda: project.upgrade("v1"))
        beneath = project.record["beneath"]
        project.merge(*(("upgraded", "answered") if upgraded_here else ("answered", "upgraded")))
        stopped = run("regenerate", project.folder)
        assert (stopped.code, "error[pack-branches]" in stopped.err) == (2, True), stopped.err
        project.upgrade("v1", "--force", "OWNERS")
        assert (project.folder / "OWNERS").read_text() == "web\n\n\nagain\n"
        assert project.record["beneath"] == beneath
        assert run("regenerate", project.folder, "--check").code == 0


class TestSwitches:
    """A branch that switches to another pack, whose versions are of another kind."""

    @pytest.fixture
    def other(self, tmp_path: Path) -> Repository:
        """Another pack, whose version is lower."""
        other = Repository(tmp_path / "other-pack")
        docker = DOCKERFILE.format("other")
        other.tag("v0.1", {"pack.toml": TABLE.replace("acme", "other"), "Dockerfile.j2": docker})
        return other

    def switch(self, project: Project, to: Repository, version: str) -> None:
        done = run("pack", "upgrade", project.folder, "--pack", f"{to.folder}@{version}")
        assert done.code == 0, done.err

    @pytest.mark.parametrize("path", [None, ".scaffold"])
    def test_a_switch_counts_whatever_version_the_other_branch_has(
        self, project: Project, other: Repository, path: str | None
    ) -> None:
        project.branch("switched", lambda: self.switch(project, other, "v0.1"))
        project.branch("upgraded", lambda: project.upgrade("v3"))
        project.merge("upgraded", "switched", path)
        said = project.regenerate()
        assert f"the pack of one branch, `{other.folder}` v0.1, replaces that of the other" in said
        assert project.record["version"] == "v0.1"
        assert "LABEL version=other" in (project.folder / "Dockerfile").read_text()
        assert run("regenerate", project.folder, "--check").code == 0

    def test_two_switches_have_to_be_decided(
        self, project: Project, other: Repository, tmp_path: Path
    ) -> None:
        third = Repository(tmp_path / "third-pack")
        third.tag("v7", {"pack.toml": TABLE.replace("acme", "third")})
        project.branch("switched", lambda: self.switch(project, other, "v0.1"))
        project.branch("another", lambda: self.switch(project, third, "v7"))
        project.merge("another", "switched")
        stopped = run("regenerate", project.folder, "--check")
        assert stopped.code == 2
        assert "error[pack-branches] both branches switched the pack: to " in stopped.err
        assert run("pack", "upgrade", project.folder).code == 2
        done = run(
            *("pack", "upgrade", project.folder, "--pack", f"{other.folder}@v0.1"),
            *("--force", "Dockerfile"),
        )
        assert done.code == 0, done.err
        assert project.record["version"] == "v0.1"
        assert run("regenerate", project.folder, "--check").code == 0
