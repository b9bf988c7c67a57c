"""The recipes of docs/many-servers.md, run as they stand there, on real git repositories."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command import run
from tests.generated import REPOSITORY
from tests.repository import Repository
from tests.shell import bash
from tests.teams.building import OWNERS, SPEC, TABLE

pytestmark = pytest.mark.usefixtures("starts_programs")

PAGE = (REPOSITORY / "docs/many-servers.md").read_text("utf-8")
CHANGES = "# Changes\n\n## v2.0.0\n\n- Owners are called by their names.\n"
MARKED = "<<<<<<< yours\nmine\n=======\nAnn and Bob\n>>>>>>> template\n"


def recipe(language: str, holding: str) -> Any:
    """The block of the page in this language that holds a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    [block] = [block for block in blocks if holding in block]
    return json.loads(block) if language == "json" else yaml.safe_load(block)


class Fleet:
    """Three servers that version 1 of a pack made, in a repository with an origin; version 2 is out.

    `calm` is as it was made, in `edited` someone has changed a line that version 2 changes, and
    `stuck` has an edit in a generated file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pack = Repository(folder / "acme-pack")
        self.work = Repository(folder / "work")
        self.servers = self.work.folder / "servers"
        self.origin = folder / "origin.git"
        self.work.git("init", "--quiet", "--bare", "--initial-branch=main", str(self.origin))
        self.work.git("remote", "add", "origin", str(self.origin))
        self.pack.tag("v1.0.0", {"pack.toml": TABLE + OWNERS, "OWNERS.j2": "one\n"})
        (folder / "spec.yaml").write_text(SPEC.format(name="hello"))
        source = f"{self.pack.folder}@v1.0.0"
        ended = run("new", folder / "spec.yaml", self.servers / "calm", "--pack", source)
        assert ended.code == 0, ended.err
        for name in ("edited", "stuck"):
            shutil.copytree(self.servers / "calm", self.servers / name)
        (self.servers / "edited/OWNERS").write_text("mine\n")
        (self.servers / "stuck/TOOLS.md").write_text("mine\n")
        self.publish("servers")
        self.pack.tag("v2.0.0", {"OWNERS.j2": "Ann and Bob\n", "CHANGELOG.md": CHANGES})

    def publish(self, message: str) -> None:
        """Commit all and push it to the origin."""
        self.work.commit(message)
        self.work.git("push", "--quiet", "origin", "HEAD")

    def run(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a script in a fresh clone, as a CI does: bash, that stops at the first error."""
        clone = self.folder / "clone"
        shutil.rmtree(clone, ignore_errors=True)
        self.work.git("clone", "--quiet", str(self.origin), str(clone))
        path = os.pathsep.join(
            [str(self.folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
        )
        return bash(script, clone, {**os.environ, "PATH": path, **variables})

    def at(self, branch: str, path: str) -> str:
        """A file on a branch of the origin."""
        return self.work.git("--git-dir", str(self.origin), "show", f"{branch}:servers/{path}")


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return Fleet(tmp_path)


def github(fleet: Fleet) -> tuple[str, Path]:
    """The script of the workflow for GitHub, and what it asks of `gh`, which remembers requests."""
    calls, gh = fleet.folder / "calls", fleet.folder / "bin/gh"
    gh.parent.mkdir()
    gh.write_text(
        "#!/bin/sh\n"
        f'grep -q "^pr create --head $4 " {calls}; known=$?\n'
        f'{{ echo "$@"; for last; do case "$last" in *.md) cat "$last";; esac; done; }} >> {calls}\n'
        '[ "$2" = edit ] || [ $known != 0 ]\n'
    )
    gh.chmod(0o755)
    calls.touch()
    return recipe("yaml", "upgrade-packs.yml")["jobs"]["upgrade"]["steps"][-1]["run"], calls


def gitlab(fleet: Fleet) -> tuple[str, Path]:
    """The script of the job for GitLab, and the options of its pushes."""
    calls, hook = fleet.folder / "calls", fleet.origin / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\n"
        'for n in $(seq 0 $((${GIT_PUSH_OPTION_COUNT:-0} - 1))); do eval echo "\\$GIT_PUSH_OPTION_$n"; '
        f"done >> {calls}\n"
    )
    hook.chmod(0o755)
    origin = ("--git-dir", str(fleet.origin), "config", "receive.advertisePushOptions", "true")
    fleet.work.git(*origin)
    [script] = recipe("yaml", "upgrade packs:")["upgrade packs"]["script"]
    return script, calls


REQUESTS = {
    github: [
        "pr create --head upgrade-pack-calm --title Upgrade the pack of servers/calm",
        "    v1.0.0 → v2.0.0\n",
        "      - Owners are called by their names.\n",
        "pr create --head upgrade-pack-edited --title Upgrade the pack of servers/edited",
        "--draft\n",
    ],
    gitlab: [
        "merge_request.create\n",
        "merge_request.target=main\n",
        "merge_request.title=Upgrade the pack of servers/calm\n",
        "merge_request.title=Draft: Upgrade the pack of servers/edited\n",
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("site", REQUESTS, ids=lambda site: site.__name__)
def test_each_outdated_server_gets_a_pull_request_that_keeps_later_commits(
    fleet: Fleet, site: Any
) -> None:
    script, calls = site(fleet)
    named = {"CI_SERVER_HOST": "gitlab.example.org", "CI_DEFAULT_BRANCH": "main"}
    job = partial(fleet.run, script, **named)
    first = job()
    assert first.returncode == 1, "one server cannot be upgraded"
    assert "error[edited]" in first.stdout + first.stderr
    options = ("for-each-ref", "--format=%(refname:short)", "refs/heads")
    branches = {*fleet.work.git("--git-dir", str(fleet.origin), *options).split()}
    assert branches == {"main", "upgrade-pack-calm", "upgrade-pack-edited"}
    assert fleet.at("upgrade-pack-calm", "calm/OWNERS") == "Ann and Bob\n"
    record = json.loads(fleet.at("upgrade-pack-calm", "calm/.scaffold/pack.json"))
    assert record["version"] == "v2.0.0"
    assert fleet.at("upgrade-pack-edited", "edited/OWNERS") == MARKED
    assert fleet.at("upgrade-pack-edited", "calm/OWNERS") == "one\n"
    assert fleet.at("main", "edited/OWNERS") == "mine\n"
    for text in REQUESTS[site]:
        assert text in calls.read_text()

    git = fleet.work.git
    shutil.rmtree(fleet.servers / "stuck")
    fleet.publish("two servers")
    git("fetch", "--quiet", "origin")
    git("switch", "--quiet", "upgrade-pack-edited")
    (fleet.servers / "edited/OWNERS").write_text("resolved\n")
    fleet.publish("Resolve")
    git("switch", "--quiet", "main")
    fleet.pack.tag("v3.0.0", {"OWNERS.j2": "Ann, Bob and Cleo\n"})
    again = job()
    assert again.returncode == 0, again.stderr
    assert "upgrade-pack-edited has commits by others and is left alone" in again.stdout
    assert fleet.at("upgrade-pack-edited", "edited/OWNERS") == "resolved\n"
    assert fleet.at("upgrade-pack-calm", "calm/OWNERS") == "Ann, Bob and Cleo\n"
    edited = "pr edit upgrade-pack-calm --body-file "
    assert site is gitlab or edited in calls.read_text()

    (fleet.servers / "edited/.scaffold/pack.json").write_text("{")
    fleet.publish("a record that nobody can read")
    fleet.pack.tag("v4.0.0", {"OWNERS.j2": "Dan\n"})
    failed = job()
    assert failed.returncode == 1
    assert "error[pack-record]" in failed.stderr
    assert fleet.at("upgrade-pack-calm", "calm/OWNERS") == "Dan\n"


def test_renovate_finds_the_version_and_its_edit_becomes_an_upgrade(fleet: Fleet) -> None:
    [manager] = recipe("json", "customManagers")["customManagers"]
    [match] = manager["matchStrings"]
    [file] = manager["managerFilePatterns"]
    assert re.search(file.strip("/"), "servers/calm/.scaffold/pack.json")
    server = fleet.servers / "calm"
    pack = server / ".scaffold/pack.json"
    pinned = re.search(match.replace("(?<", "(?P<"), pack.read_text())
    assert pinned
    assert pinned["packageName"] == str(fleet.pack.folder)
    assert pinned["currentValue"] == "v1.0.0"
    start, end = pinned.span("currentValue")
    pack.write_text(pack.read_text()[:start] + "v2.0.0" + pack.read_text()[end:])
    [rule] = recipe("json", "customManagers")["packageRules"]
    [command] = rule["postUpgradeTasks"]["commands"]
    command = command.replace("{{{packageFileDir}}}", str(pack.parent))
    words = command.replace("{{{newValue}}}", "v2.0.0").split()
    assert run(*words[1:]).code == 0
    assert (server / "OWNERS").read_text() == "Ann and Bob\n"
    assert run("regenerate", "--check", server).code == 0
