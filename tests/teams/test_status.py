"""`status` says what each project was made with, and what has to be done about it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from scaffold import __version__
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


@pytest.fixture
def servers(repository: Repository, create: Create, spec: Path, tmp_path: Path) -> Path:
    """Two projects of version 1 of a pack, one of them of no pack; version 2 is out."""
    repository.tag("v1.0.0", {"pack.toml": TABLE + OWNERS, "OWNERS.j2": "one\n"})
    servers = tmp_path / "servers"
    create(f"{repository.folder}@v1.0.0", name="servers/a")
    shutil.copytree(servers / "a", servers / "b")
    assert run("new", spec, servers / "plain").code == 0
    repository.tag("v2.0.0", {"OWNERS.j2": "two\n"})
    repository.tag("v3.0.0rc1", {"OWNERS.j2": "three\n"})
    return servers


def the_json(*arguments: object) -> dict[str, Any]:
    """The projects by name, in the form that the published schema describes."""
    document = json.loads(run("status", "--format=json", *arguments).out)
    schema = json.loads((REPOSITORY / "specs/status.schema.json").read_text())
    jsonschema_rs.validator_for(schema).validate(document)
    assert document["version"] == __version__
    return {Path(one["project"]).name: one for one in document["projects"]}


def test_people_get_a_table_the_files_of_one_project_or_markdown(servers: Path) -> None:
    (servers / "a/TOOLS.md").write_text("mine\n")
    (servers / "b/OWNERS").write_text("mine\n")
    before = contents(servers)
    ended = run("status", "servers/*", cwd=servers.parent)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "PROJECT        MCP-SCAFFOLD  PACK                        STATE",
        f"servers/a      {__version__}         acme v1.0.0, newest v2.0.0  in conflict, 1 conflict",
        f"servers/b      {__version__}         acme v1.0.0, newest v2.0.0  behind, 1 edited",
        f"servers/plain  {__version__}         python                      up to date",
        "",
        "3 projects: 1 in conflict, 1 behind, 1 up to date",
    ]
    assert run("status", "a", cwd=servers).out.splitlines() == [
        "a: in conflict",
        f"  mcp-scaffold  {__version__}",
        "  pack          acme v1.0.0, newest v2.0.0",
        "  conflicts     TOOLS.md",
    ]
    assert run("status", "b", "--format=markdown", cwd=servers).out.splitlines() == [
        "| Project | mcp-scaffold | Pack | State | Edited | Conflicts | Orphans |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| b | {__version__} | acme v1.0.0, newest v2.0.0 | behind | `OWNERS` |  |  |",
    ]
    assert contents(servers) == before


def test_programs_are_told_the_same(servers: Path) -> None:
    spec = servers / "b/mcp.yaml"
    spec.write_text(spec.read_text().replace("Greets a person", "Greets you"))
    (servers / "plain/mcp.yaml").write_text("name: [")
    found = the_json(f"{servers}/*")
    assert found["a"]["pack"].items() >= {
        "name": "acme", "version": "v1.0.0", "newest": "v2.0.0", "behind": True,
    }.items()  # fmt: skip
    assert found["a"]["verdict"] == "behind"
    assert found["b"]["verdict"] == "out of date"
    assert "TOOLS.md" in found["b"]["outdated"]
    assert found["plain"]["verdict"] == "failed"
    assert found["plain"]["version"] == __version__
    assert [one["id"] for one in found["plain"]["diagnostics"]] == ["yaml-syntax"]


def test_offline_nobody_asks_for_versions(servers: Path, repository: Repository) -> None:
    shutil.rmtree(repository.folder)
    offline = the_json("--offline", servers / "a")["a"]
    assert (offline["pack"]["behind"], offline["diagnostics"]) == (None, [])
    online = the_json(servers / "a")["a"]
    assert (online["verdict"], online["pack"]["behind"]) == ("unreachable", None)
    [warning] = online["diagnostics"]
    assert (warning["id"], warning["severity"]) == ("pack-address", "warning")


def test_scripts_get_the_names_of_those_that_are_behind(servers: Path) -> None:
    ended = run("status", "--behind", "servers/*", cwd=servers.parent)
    assert (ended.code, ended.out, ended.err) == (0, "servers/a\nservers/b\n", "")


class TestSources:
    """What the project has of the pack, and what there is of it where it comes from."""

    def test_a_tag_that_was_moved_is_told(self, servers: Path, repository: Repository) -> None:
        repository.git("tag", "--delete", "v2.0.0", "v3.0.0rc1")
        assert the_json(servers / "a")["a"]["verdict"] == "up to date"
        repository.git("tag", "--annotate", "--message", "again", "--force", "v1.0.0")
        told = the_json(servers / "a")["a"]
        assert (told["verdict"], told["pack"]["behind"]) == ("tag moved", True)
        assert run("status", "--behind", servers / "a").out == f"{servers / 'a'}\n"
        check = run("pack", "upgrade", "--check", servers / "a")
        assert check.code == 1
        assert re.match(r"v1\.0\.0 \([0-9a-f]{8} → [0-9a-f]{8}\)\n", check.err)
        assert run("pack", "upgrade", servers / "a").code == 0
        assert the_json(servers / "a")["a"]["verdict"] == "up to date"
        repository.git("tag", "--delete", "v1.0.0")
        assert the_json(servers / "a")["a"]["verdict"] == "tag gone"

    def test_a_branch_with_new_commits_is_behind(
        self, servers: Path, repository: Repository, create: Create
    ) -> None:
        create(f"{repository.folder}@main", name="servers/c")
        assert the_json(servers / "c")["c"]["verdict"] == "up to date"
        repository.tag("nightly", {"OWNERS.j2": "four\n"})
        assert the_json(servers / "c")["c"]["verdict"] == "behind"
        assert run("pack", "upgrade", servers / "c").code == 0
        assert (servers / "c/OWNERS").read_text() == "four\n", "an upgrade stays on the branch"
        assert the_json(servers / "c")["c"]["verdict"] == "up to date"
        assert run("pack", "upgrade", "--to", "v2.0.0", servers / "c").code == 0
        assert (servers / "c/OWNERS").read_text() == "two\n"

    def test_a_folder_that_has_changed_is_told(self, create: Create, tmp_path: Path) -> None:
        pack = tmp_path / "folder"
        pack.mkdir()
        (pack / "pack.toml").write_text(TABLE + OWNERS)
        (pack / "OWNERS.j2.copier").write_text("<< team >>\n")
        (pack / "copier.yml").write_text(QUESTIONS + "team: {type: str, default: us}\n")
        project = create(pack, "--data", "team=ours")
        assert the_json(project)["p"]["pack"]["state"] == "up to date"
        (pack / "OWNERS.j2.copier").write_text("<< team >>!\n")
        told = the_json(project)["p"]
        assert (told["verdict"], told["pack"]["behind"]) == ("pack changed", True)
        assert the_json("--offline", project)["p"]["pack"]["state"] is None
        shutil.rmtree(pack)
        ended = run("status", "p", cwd=tmp_path)
        assert ended.out.startswith("p: unreachable\n")
        assert "warning[pack-address]" in ended.err
