"""One command over several projects: one report, one exit code, none stops the others."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import jsonschema_rs
import pytest

from tests.teams.building import OWNERS, REPOSITORY, SPEC, TABLE, Repository, run

EDIT = ("Greets a person by name.", "Greets somebody.")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of one tool, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "spec.yaml").write_text(SPEC.format(name="hello"))
    assert run("new", "spec.yaml", "hello", cwd=folder).code == 0
    return folder / "hello"


@pytest.fixture
def servers(made: Path, tmp_path: Path) -> Path:
    """A folder with four projects, and a folder and a file that are none."""
    folder = tmp_path / "servers"
    for name in ("alpha", "beta", "gamma", "delta"):
        shutil.copytree(made, folder / name)
    (folder / "docs").mkdir()
    (folder / "README.md").write_text("# Our servers\n")
    return folder


def edit(project: Path) -> None:
    spec = project / "mcp.yaml"
    spec.write_text(spec.read_text().replace(*EDIT))


def contents(folder: Path) -> Mapping[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def schema(name: str) -> jsonschema_rs.Validator:
    document = json.loads((REPOSITORY / "specs" / f"{name}.schema.json").read_text())
    return jsonschema_rs.validator_for(document)


def test_projects_that_are_up_to_date_are_counted_and_not_listed(servers: Path) -> None:
    before = contents(servers)
    for option in ([], ["--check"], ["--dry-run"], ["--diff"]):
        ended = run("regenerate", "servers/*", *option, cwd=servers.parent)
        assert (ended.code, ended.out) == (0, "")
        assert ended.err == "4 projects: 4 up to date\n"
    assert contents(servers) == before


def test_each_project_that_changes_has_its_report_under_its_name(servers: Path) -> None:
    edit(servers / "beta")
    ended = run("regenerate", "servers/alpha", "servers/beta", cwd=servers.parent)
    assert ended.code == 0
    assert ended.err.startswith("==> servers/beta <==\n")
    assert "update    TOOLS.md\n" in ended.err
    assert ended.err.endswith("2 projects: 1 up to date, 1 updated\n")
    assert EDIT[1] in (servers / "beta/TOOLS.md").read_text()


def test_a_broken_project_stops_no_other_and_the_worst_exit_code_counts(servers: Path) -> None:
    edit(servers / "alpha")
    (servers / "beta/mcp.yaml").write_text("name: [")
    edit(servers / "gamma")
    (servers / "gamma/TOOLS.md").write_text("mine\n")
    edit(servers / "delta")
    checked = run("regenerate", "--check", "servers/*", cwd=servers.parent)
    assert checked.code == 2
    counts = "4 projects: 2 out of date, 1 failed, 1 in conflict\n"
    assert checked.err.endswith(counts)
    ended = run("regenerate", "servers/*", cwd=servers.parent)
    assert ended.code == 2
    assert "servers/beta/mcp.yaml:1:8: error[yaml-syntax]" in ended.err
    assert "servers/gamma/TOOLS.md" in ended.err
    assert ended.err.endswith("4 projects: 2 updated, 1 failed, 1 in conflict\n")
    for name in ("alpha", "delta"):
        assert EDIT[1] in (servers / name / "TOOLS.md").read_text()
    assert (servers / "gamma/TOOLS.md").read_text() == "mine\n"
    (servers / "beta/mcp.yaml").write_text(SPEC.format(name="hello"))
    assert run("regenerate", "servers/*", cwd=servers.parent).code == 1


def test_programs_get_an_object_for_each_project(servers: Path) -> None:
    edit(servers / "alpha")
    (servers / "beta/mcp.yaml").unlink()
    ended = run("regenerate", "--check", "servers/*", "--format=json", cwd=servers.parent)
    document = json.loads(ended.out)
    schema("regenerate").validate(document)
    assert (ended.code, ended.err) == (2, "")
    found = {one["project"]: one for one in document["projects"]}
    codes = {name: one["exit"] for name, one in found.items()}
    assert codes == {
        "servers/alpha": 1, "servers/beta": 2, "servers/delta": 0, "servers/gamma": 0,
    }  # fmt: skip
    assert "TOOLS.md" in [change["path"] for change in found["servers/alpha"]["changes"]]
    assert [d["id"] for d in found["servers/beta"]["diagnostics"]] == ["no-project"]


def test_a_pattern_makes_a_list_even_of_one_project(servers: Path) -> None:
    one = run("regenerate", "--check", servers / "alpha", "--format=json")
    assert "projects" not in json.loads(one.out)
    listed = run("regenerate", "--check", f"{servers}/alp*", "--format=json")
    [only] = json.loads(listed.out)["projects"]
    assert only.pop("project") == str(servers / "alpha")
    assert only.pop("exit") == 0
    assert only == json.loads(one.out)


def test_annotations_and_differences_name_the_project(servers: Path) -> None:
    edit(servers / "alpha")
    edit(servers / "beta")
    ended = run("regenerate", "--check", "servers/*", "--format=github", cwd=servers.parent)
    assert "file=servers/alpha/TOOLS.md,line=" in ended.out
    assert "file=servers/beta/TOOLS.md,line=" in ended.out
    shown = run("regenerate", "--diff", "servers/*", cwd=servers.parent).out
    heads = [line for line in shown.splitlines() if line.startswith("==>")]
    assert heads == ["==> servers/alpha <==", "==> servers/beta <=="]


def test_a_code_quality_report_is_one_list(servers: Path) -> None:
    edit(servers / "alpha")
    (servers / "beta/mcp.yaml").write_text("name: [")
    ended = run("regenerate", "--check", "servers/*", "--format=gitlab", cwd=servers.parent)
    issues = json.loads(ended.out)
    assert (ended.code, ended.err) == (2, "")
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    found = {(issue["location"]["path"], issue["check_name"]) for issue in issues}
    assert found >= {("servers/alpha/TOOLS.md", "stale"), ("servers/beta/mcp.yaml", "yaml-syntax")}
    assert {issue["severity"] for issue in issues} == {"major"}
    unchanged = run("regenerate", "--check", servers / "delta", "--format=gitlab")
    assert (unchanged.code, unchanged.out) == (0, "[]\n")


@pytest.mark.parametrize("command", [["regenerate"], ["validate"], ["pack", "upgrade"]])
def test_a_pattern_that_nothing_matches_is_an_error(command: list[str], tmp_path: Path) -> None:
    ended = run(*command, "server/*", cwd=tmp_path)
    assert ended.code == 2
    assert "matches `server/*`" in ended.err


def test_only_one_project_is_watched(servers: Path) -> None:
    ended = run("regenerate", "--watch", f"{servers}/*")
    assert ended.code == 2
    assert "--watch needs exactly one PROJECT" in ended.err


def test_specs_are_checked_by_pattern_and_by_project(servers: Path) -> None:
    (servers / "beta/mcp.yaml").write_text("name: [")
    ended = run("validate", "servers/*a", cwd=servers.parent)
    assert ended.code == 2
    assert "servers/beta/mcp.yaml:1:8: error[yaml-syntax]" in ended.err
    assert run("validate", servers / "alpha").code == 0
    told = run("validate", "servers/*a", "--format=json", cwd=servers.parent)
    document = json.loads(told.out)
    schema("diagnostics").validate(document)
    assert {one["path"]: one["exit"] for one in document["specs"]} == {
        f"servers/{name}/mcp.yaml": 2 * (name == "beta")
        for name in ("alpha", "beta", "delta", "gamma")
    }


def test_a_spec_that_is_named_twice_is_fixed_once(servers: Path) -> None:
    for name in ("alpha", "beta"):
        spec = servers / name / "mcp.yaml"
        spec.write_text(spec.read_text().replace("description:", "descripton:", 1))
    ended = run("validate", "--fix", "alpha", "beta", "alpha/mcp.yaml", cwd=servers)
    assert ended.err.count("fixed alpha/mcp.yaml") == 1
    assert ended.err.count("fixed beta/mcp.yaml") == 1


@pytest.mark.usefixtures("starts_programs")
def test_packs_are_upgraded_and_a_conflict_stops_one_alone(made: Path, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "acme-pack")
    repository.tag("v1.0.0", {"pack.toml": TABLE + OWNERS, "OWNERS.j2": "one\n"})
    servers = tmp_path / "servers"
    for name in ("a", "b", "c"):
        shutil.copytree(made, servers / name)
    upgrade = ("pack", "upgrade", f"{servers}/*")
    assert run(*upgrade, "--pack", f"{repository.folder}@v1.0.0").code == 0
    assert all((servers / name / "OWNERS").read_text() == "one\n" for name in "abc")
    repository.tag("v2.0.0", {"OWNERS.j2": "two\n"})
    (servers / "b/OWNERS").write_text("mine\n")
    ended = run(*upgrade, "--to", "v2.0.0")
    assert ended.code == 1
    assert "v1.0.0 → v2.0.0\n" in ended.err
    assert ended.err.endswith("3 projects: 2 updated, 1 in conflict\n")
    owners = [(servers / name / "OWNERS").read_text() for name in "abc"]
    assert owners == ["two\n", "mine\n", "two\n"]
    assert run("regenerate", "--check", f"{servers}/*").code == 0


@pytest.mark.usefixtures("starts_programs")
def test_after_an_interrupt_each_project_is_as_it_was_or_whole(made: Path, tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(24)]
    for name in names:
        shutil.copytree(made, tmp_path / name)
        edit(tmp_path / name)
    start = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
from scaffold.cli.main import run
run()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", start, "regenerate", *names],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not any(is_whole(tmp_path / name) for name in names):
        assert time.monotonic() < end
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "Traceback" not in said
    assert process.returncode == 130
    assert re.search(r"24 projects: .*\d left out", said)
    changed = {name for name in names if EDIT[1] in (tmp_path / name / "TOOLS.md").read_text()}
    assert 0 < len(changed) < len(names)
    reports = re.split(r"^==> (.+) <==$", said, flags=re.MULTILINE)
    told = dict(zip(reports[1::2], reports[2::2], strict=True))
    for name in changed:
        assert "nothing was changed" not in told[name]
        assert run("regenerate", "--check", tmp_path / name).code == 0
    assert run("regenerate", *names, cwd=tmp_path).code == 0


def is_whole(project: Path) -> bool:
    """Whether a run has written the edit, and has ended."""
    done = EDIT[1] in (project / "TOOLS.md").read_text()
    return done and not (project / ".scaffold/run/journal.json").exists()
