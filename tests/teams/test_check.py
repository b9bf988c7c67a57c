"""`pack check` finds what is wrong with a pack before any server has it."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from scaffold.teams import check
from tests.command import Ended, run
from tests.teams.building import TABLE


def row(template: str, **keys: str) -> str:
    lines = [f"{key} = {json.dumps(value)}" for key, value in {"owner": "merged", **keys}.items()]
    return f'[[files]]\ntemplate = "{template}"\n' + "\n".join(lines) + "\n"


def checked(folder: Path, files: Mapping[str, str], *options: object) -> Ended:
    """Check a pack of these files without running the servers."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return run("pack", "check", folder.name, "--no-run", *options, cwd=folder.parent)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pack is."""
    return tmp_path / "acme"


@pytest.mark.slow
def test_a_new_pack_passes_all_checks(tmp_path: Path) -> None:
    creation = run("pack", "new", "acme", cwd=tmp_path)
    assert creation.err == "acme: 6 files in acme\nnext: mcp-scaffold pack check acme\n"
    pack = tmp_path / "acme"
    assert tomllib.loads((pack / "pack/pack.toml").read_text())["name"] == "acme"
    assert run("pack", "check", "--no-run", "--compare", cwd=pack).code == 0
    options = ("--python", sys.executable, "--update")
    ended = run("pack", "check", "acme", *options, cwd=tmp_path, timeout=900)
    assert (ended.code, ended.err) == (
        0, "acme: 8 servers checked, 25 golden outputs written\n",
    )  # fmt: skip
    assert run("pack", "check", "--no-run", "--compare", cwd=pack).code == 0


def test_the_workflows_of_a_new_pack_install_mcp_scaffold_from_where_others_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "requirement", lambda: "mcp-scaffold @ git+https://e.org/x@1")
    assert check.write_starter("acme", tmp_path / "acme") == 8
    for path in (".github/workflows/ci.yml", ".gitlab-ci.yml"):
        text = (tmp_path / "acme" / path).read_text()
        yaml.safe_load(text)
        command = 'uvx --from "mcp-scaffold @ git+https://e.org/x@1" mcp-scaffold pack check'
        assert command in text
    monkeypatch.setattr(check, "requirement", lambda: "")
    assert check.write_starter("acme", tmp_path / "bare") == 6


@pytest.mark.slow
def test_errors_that_only_occur_in_running_servers_are_reported(folder: Path) -> None:
    files = {
        "pack.toml": TABLE
        + 'checks = [{ name = "owners", run = "grep -q ops OWNERS" }]\n'
        + row("src/package/more.py.j2", path="src/{{ project.package }}/more.py"),
        "src/package/more.py.j2": 'def size() -> int:\n    return "one"\n',
        "src/package/lifespan.py.j2": '{% extends "@python/src/package/lifespan.py.j2" %}'
        "\n{% block open %}\n    raise OSError\n{% endblock %}\n",
    }
    assert checked(folder, files).code == 0
    python = ("--python", sys.executable, "--keep", folder.parent / "servers")
    ended = run("pack", "check", folder, *python, timeout=900)
    assert ended.code == 2
    assert "error[pack-trial] `mypy` fails in the server `defaults/two-tools`: " in ended.err
    assert "src/two_tools/more.py:2: error: Incompatible return value type" in ended.err
    assert "error[pack-trial] `pytest` fails in the server `defaults/everything`: " in ended.err
    assert "error[pack-trial] `grep -q ops OWNERS` fails in the server" in ended.err
    assert (folder.parent / "servers/defaults/two-tools/mcp.yaml").exists()
