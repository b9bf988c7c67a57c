"""The recipes of docs/many-servers.md, run as they stand there, on real git repositories."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.teams.building import OWNERS, SPEC, TABLE, run
from tests.teams.fleet import Fleet, recipe

CHANGES = "# Changes\n\n## v2.0.0\n\n- Owners are called by their names.\n"


class Small(Fleet):
    """Four servers that version 1 of a pack made, now that version 2 is out.

    `calm` is as it was made, in `edited` someone has changed a line that version 2 changes, `stuck`
    has an edit in a generated file, and `own` has no pack.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.pack.tag("v1.0.0", {"pack.toml": TABLE + OWNERS, "OWNERS.j2": "one\n"})
        (folder / "spec.yaml").write_text(SPEC.format(name="hello"))
        servers = self.servers
        source = f"{self.pack.folder}@v1.0.0"
        assert run("new", folder / "spec.yaml", servers / "calm", "--pack", source).code == 0
        for name in ("edited", "stuck"):
            shutil.copytree(servers / "calm", servers / name)
        assert run("new", folder / "spec.yaml", servers / "own").code == 0
        (servers / "edited/OWNERS").write_text("mine\n")
        (servers / "stuck/TOOLS.md").write_text("mine\n")
        self.publish("servers")
        self.pack.tag("v2.0.0", {"OWNERS.j2": "Ann and Bob\n", "CHANGELOG.md": CHANGES})


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    return Small(tmp_path_factory.mktemp("fleet"))


def tells(fleet: Fleet) -> None:
    """The branches that a recipe pushes, whatever the site."""
    assert fleet.branches == {"main", "upgrade-pack-calm", "upgrade-pack-edited"}
    assert fleet.at("upgrade-pack-calm", "calm/OWNERS") == "Ann and Bob\n"
    record = json.loads(fleet.at("upgrade-pack-calm", "calm/.scaffold/pack.json"))
    assert record["version"] == "v2.0.0"
    marked = fleet.at("upgrade-pack-edited", "edited/OWNERS")
    assert marked == "<<<<<<< yours\nmine\n=======\nAnn and Bob\n>>>>>>> template\n"
    assert fleet.at("upgrade-pack-edited", "calm/OWNERS") == "one\n"
    assert fleet.at("main", "edited/OWNERS") == "mine\n"


@pytest.mark.slow
def test_github_gets_a_pull_request_for_each_server_that_is_behind(fleet: Fleet) -> None:
    steps = recipe("yaml", "upgrade-packs.yml")["jobs"]["upgrade"]["steps"]
    calls = fleet.folder / "gh.log"
    gh = fleet.folder / "bin/gh"
    gh.parent.mkdir(exist_ok=True)
    gh.write_text(
        "#!/bin/sh\n"
        f'{{ echo "$@"; for last; do case "$last" in *.md) cat "$last";; esac; done; }} >> {calls}\n'
        f'[ "$2" = edit ] || ! grep -q "^pr create --head $4 .*again" {fleet.folder}/open\n'
    )
    gh.chmod(0o755)
    (fleet.folder / "open").write_text("")
    ended = fleet.run(steps[-1]["run"])
    assert ended.returncode == 1, "one server cannot be upgraded"
    assert "error[edited]" in ended.stdout
    tells(fleet)
    said = calls.read_text()
    assert "pr create --head upgrade-pack-calm --title Upgrade the pack of servers/calm" in said
    assert "    v1.0.0 → v2.0.0\n" in said
    assert "      - Owners are called by their names.\n" in said
    drafts = [line for line in said.splitlines() if line.endswith("--draft")]
    assert [line.split()[3] for line in drafts] == ["upgrade-pack-edited"]
    (fleet.folder / "open").write_text("pr create --head upgrade-pack-calm again\n")
    assert fleet.run(steps[-1]["run"]).returncode == 1
    assert "pr edit upgrade-pack-calm --body-file " in calls.read_text()
    tells(fleet)


@pytest.mark.slow
def test_gitlab_gets_merge_requests_by_options_of_the_push(fleet: Fleet) -> None:
    [script] = recipe("yaml", "upgrade packs:")["upgrade packs"]["script"]
    options = fleet.folder / "options.log"
    hook = fleet.origin / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\n"
        'for n in $(seq 0 $((${GIT_PUSH_OPTION_COUNT:-0} - 1))); do eval echo "\\$GIT_PUSH_OPTION_$n"; '
        f"done >> {options}\n"
    )
    hook.chmod(0o755)
    origin = ("--git-dir", str(fleet.origin))
    fleet.work.git(*origin, "config", "receive.advertisePushOptions", "true")
    for branch in fleet.branches - {"main"}:
        fleet.work.git(*origin, "branch", "-D", branch)
    ended = fleet.run(script, CI_SERVER_HOST="gitlab.example.org", CI_DEFAULT_BRANCH="main")
    hook.unlink()
    assert ended.returncode == 1, ended.stderr
    tells(fleet)
    asked = options.read_text().splitlines()
    assert asked.count("merge_request.create") == 2
    assert "merge_request.target=main" in asked
    assert "merge_request.title=Upgrade the pack of servers/calm" in asked
    assert "merge_request.title=Draft: Upgrade the pack of servers/edited" in asked


@pytest.mark.slow
@pytest.mark.parametrize("site", ["github", "gitlab"])
def test_what_people_commit_to_a_request_stays_and_a_broken_server_fails_the_job(
    tmp_path: Path, site: str
) -> None:
    fleet = Small(tmp_path)
    for name in ("stuck", "own"):
        shutil.rmtree(fleet.servers / name)
    fleet.publish("two servers")
    if site == "github":
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/gh").write_text("#!/bin/sh\n")
        (tmp_path / "bin/gh").chmod(0o755)
        script = recipe("yaml", "upgrade-packs.yml")["jobs"]["upgrade"]["steps"][-1]["run"]
    else:
        [script] = recipe("yaml", "upgrade packs:")["upgrade packs"]["script"]
        origin = ("--git-dir", str(fleet.origin), "config", "receive.advertisePushOptions", "true")
        fleet.work.git(*origin)
    named = {"CI_SERVER_HOST": "gitlab.example.org", "CI_DEFAULT_BRANCH": "main"}
    job = partial(fleet.run, script, 600, **named)
    first = job()
    assert first.returncode == 0, first.stderr
    git = fleet.work.git
    git("fetch", "--quiet", "origin")
    git("switch", "--quiet", "upgrade-pack-edited")
    (fleet.servers / "edited/OWNERS").write_text("resolved\n")
    git("commit", "--quiet", "--all", "--message", "Resolve")
    git("push", "--quiet", "origin", "upgrade-pack-edited")
    git("switch", "--quiet", "main")
    fleet.pack.tag("v3.0.0", {"OWNERS.j2": "Ann, Bob and Cleo\n"})

    again = job()
    assert again.returncode == 0, again.stderr
    assert "upgrade-pack-edited has commits by others and is left alone" in again.stdout
    assert fleet.at("upgrade-pack-edited", "edited/OWNERS") == "resolved\n"
    assert fleet.at("upgrade-pack-calm", "calm/OWNERS") == "Ann, Bob and Cleo\n"

    (fleet.servers / "edited/.scaffold/pack.json").write_text("{")
    fleet.publish("a record that nobody can read")
    fleet.pack.tag("v4.0.0", {"OWNERS.j2": "Dan\n"})
    failed = job()
    assert failed.returncode == 1
    assert "error[pack-record]" in failed.stderr
    assert fleet.at("upgrade-pack-calm", "calm/OWNERS") == "Dan\n"


def test_renovate_finds_the_version_and_its_edit_becomes_an_upgrade(
    fleet: Fleet, tmp_path: Path
) -> None:
    [manager] = recipe("json", "customManagers")["customManagers"]
    [match] = manager["matchStrings"]
    [file] = manager["managerFilePatterns"]
    assert re.search(file.strip("/"), "servers/calm/.scaffold/pack.json")
    server = tmp_path / "calm"
    shutil.copytree(fleet.servers / "calm", server)
    pack = server / ".scaffold/pack.json"
    found = re.search(match.replace("(?<", "(?P<"), pack.read_text())
    assert found
    assert found["packageName"] == str(fleet.pack.folder)
    assert found["currentValue"] == "v1.0.0"
    start, end = found.span("currentValue")
    pack.write_text(pack.read_text()[:start] + "v2.0.0" + pack.read_text()[end:])
    [rule] = recipe("json", "customManagers")["packageRules"]
    [command] = rule["postUpgradeTasks"]["commands"]
    command = command.replace("{{{packageFileDir}}}", str(pack.parent))
    words = command.replace("{{{newValue}}}", "v2.0.0").split()
    assert run(*words[1:]).code == 0
    assert (server / "OWNERS").read_text() == "Ann and Bob\n"
    assert run("regenerate", "--check", server).code == 0


def test_the_report_for_gitlab_is_made_by_the_command_of_the_page(fleet: Fleet) -> None:
    [line] = recipe("yaml", "codequality")["scaffold"]["script"]
    ended = fleet.run(line.replace("uvx ", ""))
    assert ended.returncode == 1
    issues = json.loads((fleet.folder / "clone/gl-code-quality-report.json").read_text())
    assert ("servers/stuck/TOOLS.md", "edited") in {
        (issue["location"]["path"], issue["check_name"]) for issue in issues
    }
