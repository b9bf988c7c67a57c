"""The commands print what they do, for people and for programs, and exit accordingly."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from scaffold.clients.client import read_client
from scaffold.clients.installing.subject import lasting
from scaffold.disk.records import PACK
from scaffold.packs.parts import TABLE, choosing
from tests.installing.commands import Run, run_clients, settle

EXAMPLE = Path(__file__).parents[2] / "examples" / "calculator" / "mcp.yaml"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and a project beside it in which the commands run."""
    home, project = tmp_path / "home", tmp_path / "calculator"
    settle(project, home, monkeypatch)
    shutil.copy(EXAMPLE, project / "mcp.yaml")
    return home


@pytest.fixture
def run(home: Path) -> Run:
    return run_clients


def data(result: Result) -> Any:
    return json.loads(result.stdout)


def test_a_dry_run_shows_exactly_what_the_run_then_writes(run: Run, home: Path) -> None:
    install = ("install", "--client", "cursor", "--client", "codex", "--scope", "user")
    planned = data(run(*install, "--dry-run", "--format", "json"))["clients"]
    assert [row["result"] for row in planned] == ["planned", "planned"]
    assert [*home.rglob("*.json"), *home.rglob("*.toml")] == []
    human = run(*install, "--dry-run").stdout
    run(*install)
    for row in planned:
        added = [line[1:] for line in row["change"].splitlines() if line.startswith("+")]
        assert Path(row["path"]).read_text("utf-8").splitlines() == added
        assert all(f"  +{line}".rstrip() in human for line in added)


def test_from_installing_to_removing(run: Run, home: Path) -> None:
    assert run("list").stdout == (
        "none of the known clients is on this machine\n"
        "`mcp-scaffold clients show` prints what each would get\n"
    )
    (home / ".cursor").mkdir()
    assert "cursor  yes   -" in run("list").stdout
    path = home / ".cursor/mcp.json"
    assert run("install", "--client", "cursor", "--scope", "user").stdout == (
        f"Cursor: installed in {path}\n"
    )
    assert (
        "already has this entry" in run("install", "--client", "cursor", "--scope", "user").stdout
    )
    (row,) = [row for row in data(run("list", "--format", "json"))["clients"] if row["entries"]]
    assert (row["client"], row["here"], row["entries"][0]["state"]) == ("cursor", True, "same")
    assert f"Cursor: would be removed from {path}" in run("remove", "--all", "--dry-run").stdout
    assert run("remove", "--all").stdout == f"Cursor: removed from {path}\n"
    assert run("remove", "--all").stdout == "nothing of `.` is installed into any client\n"
    assert not path.exists()


def test_without_uv_the_script_of_the_project_is_started_or_told_to_be_missing(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install = ("install", "--client", "cursor", "--scope", "user")
    said = "`uv` is not on the PATH: install it, or run `python3 -m venv .venv"
    assert said not in run(*install, "--dry-run").stdout
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert said in run(*install).stdout
    run("remove", "--all")
    script = Path(".venv/bin/calculator").absolute()
    script.parent.mkdir(parents=True)
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert said not in run(*install).stdout
    entry = json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["calculator"]
    assert (entry["command"], entry.get("args", [])) == (str(script), [])


def test_no_program_of_our_own_environment_goes_into_an_entry(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home.parent / "cache/archive-v0/x"
    (own / "bin").mkdir(parents=True)
    for name in ("uv", "python3"):
        (own / "bin" / name).symlink_to("/bin/true")
    monkeypatch.setattr(sys, "prefix", str(own))
    monkeypatch.setenv("PATH", f"{own}/bin:{os.environ['PATH']}")
    run("install", "--client", "cursor", "--scope", "user")
    assert "cache" not in (home / ".cursor/mcp.json").read_text()
    assert lasting("python3") == shutil.which("python3", path="/usr/bin:/bin")


def test_a_setting_that_is_against_the_entry_is_told(run: Run, home: Path) -> None:
    path = home / ".gemini/settings.json"
    path.parent.mkdir()
    path.write_text('{"mcp": {"allowed": ["other"]}}')
    install = ("install", "--client", "gemini-cli", "--scope", "user")
    said = "only the servers that `mcp.allowed` lists: add its name to that list"
    assert said in run(*install).stdout
    assert said in run(*install).stdout
    path.write_text(path.read_text().replace('"other"', '"calculator"'))
    assert said not in run(*install).stdout


def test_show_prints_every_client_with_the_paths_of_this_machine(run: Run, home: Path) -> None:
    rows = data(run("show", "--format", "json"))["clients"]
    assert len(rows) > 20
    (codex,) = [row for row in rows if row["client"] == "codex"]
    assert codex["files"][-1] == {"scope": "user", "path": str(home / ".codex/config.toml")}
    entry = codex["configuration"]["mcp_servers"]["calculator"]
    assert entry["args"][:2] == ["--directory", str(home.parent / "calculator")]
    assert "[mcp_servers.calculator]" in run("show", "--client", "codex").stdout


def test_one_client_that_fails_does_not_stop_the_others(run: Run, home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").write_text("{")
    install = ("install", "--client", "cursor", "--client", "codex", "--scope", "user")
    result = run(*install, code=2)
    assert "Codex: installed" in result.stdout
    assert f"{home / '.cursor/mcp.json'}:1:2: error[client-file-invalid]" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["install"], "name a client with --client: amp, auggie, claude-code"),
        (["remove"], "name clients with --client, or all with --all"),
        (
            ["remove", "--all", "--client", "cursor"],
            "name clients with --client, or all with --all",
        ),
        (["install", "--client", "cursr"], "did you mean `cursor`?"),
        (["remove", "--client", "cursor"], "Cursor has no entry that starts the server of `.`"),
        (["list", "nowhere"], "no project here: `nowhere` has no `mcp.yaml`"),
    ],
)
def test_a_mistake_is_explained(run: Run, arguments: list[str], said: str) -> None:
    assert said in run(*arguments, code=2).stderr


def test_a_project_is_the_same_by_each_of_its_paths(run: Run, home: Path) -> None:
    link = home / "link"
    link.symlink_to(Path.cwd())
    file = home / ".cursor/mcp.json"
    run("install", str(link), "--client", "cursor", "--scope", "user")
    entry = json.loads(file.read_bytes())["mcpServers"]["calculator"]
    assert entry["args"][1] == str(Path.cwd())
    assert "has this entry" in run("list", "../home/../calculator").stdout
    run("remove", "--all")
    assert not file.exists()


def test_a_server_without_dependencies_is_started_as_one_file(run: Run, home: Path) -> None:
    table = Path(PACK, TABLE)
    table.parent.mkdir(parents=True)
    table.write_bytes(choosing("python-stdlib")[TABLE])
    file = Path("calculator.pyz").resolve()
    said = run("install", "--client", "cursor", code=2).stderr
    assert f"{file}: error[client-program] the file that clients start is missing" in said
    file.touch()
    run("install", "--client", "cursor")
    (entry,) = json.loads(Path(".cursor/mcp.json").read_bytes())["mcpServers"].values()
    assert [entry["command"], *entry["args"]] == [shutil.which("python3"), str(file)]


def test_what_is_left_to_the_user_is_said_and_not_called_done(run: Run, home: Path) -> None:
    said = run("install", "--client", "cursor", "--via", "link").stdout
    assert said.startswith("Cursor: to do by you\n  open https://cursor.com/")
    assert "nothing of `.` is installed" in run("remove", "--all").stdout
    said = run("install", "--client", "claude-desktop").stdout
    assert said.startswith("Claude Desktop: installed in ")
    spec = Path("mcp.yaml")
    publish = "\npublish:\n  namespace: io.github.ann\n  packages: [pypi, mcpb]\n"
    spec.write_text(spec.read_text("utf-8") + publish, "utf-8")
    said = run("install", "--client", "claude-desktop").stdout
    assert said.startswith("Claude Desktop: to do by you\n  mcp-scaffold publish --bundle ")


@pytest.mark.parametrize("client", ["codex", "cursor"])
def test_it_is_said_what_has_to_be_approved(run: Run, client: str) -> None:
    install = ("install", "--client", client, "--scope", "project")
    said = run(*install, "--dry-run").stdout
    approval = read_client(client).approval.get("project")
    assert bool(approval) == (client == "codex")
    assert (approval or "installed") in said
    assert data(run(*install, "--format", "json"))["clients"][0]["approval"] == approval
