"""Every spec and every example is a project of either pack, which its own checks accept."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from scaffold.teams.check import builtin_specs
from scaffold.teams.copying import Asked
from scaffold.teams.upgrade import new_from_pack
from tests.command import run
from tests.generated import REPOSITORY, for_stdlib
from tests.project_tools import failed, mypy_findings_in_all, ruff_findings

SPECS = {path.stem: path for path in REPOSITORY.glob("specs/*.yaml") if path.stem != "reading-list"}
SPECS["two-tools"] = builtin_specs()["two-tools"]
SPECS["prompts"] = REPOSITORY / "tests/stdlib/prompts.yaml"
SDK = re.compile(
    r"^(?:from|import) (?:mcp|mcp_types|pydantic|httpx2|anyio|jsonschema_rs)\b", re.MULTILINE
)
PYTHON: str = getattr(sys, "_base_executable", sys.executable)
"""The Python beneath the virtual environment of the tests, without its packages."""
BARE = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
"""An environment that names no other packages."""


def project_of(name: str, folder: Path) -> Path:
    """Make the project of a spec in a folder."""
    spec = SPECS[name]
    if name in ("blog-search", "conformance", "expenses"):
        text = json.dumps(for_stdlib(spec))
        spec = folder / f"{name}.json"
        spec.write_text(text, "utf-8")
    new_from_pack(spec, folder / name, "python-stdlib", Asked({}, {}))
    return folder / name


@pytest.mark.slow
def test_a_project_imports_no_package_and_passes_the_type_checker(tmp_path: Path) -> None:
    for name in SPECS:
        project_of(name, tmp_path)
    for path in tmp_path.rglob("*.py"):
        text = path.read_text()
        assert not SDK.search(text), path
        for words in ("type: ignore", "pyright:", "# noqa"):
            assert words not in text, path
    # Also what projects exclude.
    alone = ("--isolated", "--target-version=py311", "--config", 'src = ["*/src"]')
    assert ruff_findings(tmp_path, *alone) == ""
    assert mypy_findings_in_all(tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two-tools", "prompts", "everything", "conformance"])
def test_the_tests_of_a_project_pass_where_it_is_not_installed(name: str, tmp_path: Path) -> None:
    assert failed(project_of(name, tmp_path), "pytest", "-q", PYTHONPATH="") == ""


@pytest.fixture(scope="module")
def switched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An example that was switched from one pack to the other."""
    ignored = shutil.ignore_patterns(".*_cache", "__pycache__", ".venv")
    project = tmp_path_factory.mktemp("switched") / "calculator"
    shutil.copytree(REPOSITORY / "examples/calculator", project, ignore=ignored)
    ended = run("pack", "upgrade", project, "--pack", "python-stdlib", "--accept-conflicts")
    assert ended.code == 0, ended.err
    return project


def bare(folder: Path, *arguments: str, input: str = "") -> str:
    """Return what Python prints that has no packages."""
    command = [PYTHON, "-S", *arguments]
    ended = subprocess.run(
        command, cwd=folder, env=BARE, input=input, capture_output=True, text=True, check=True
    )
    return ended.stdout


def test_the_handlers_of_an_example_run_with_nothing_but_python(switched: Path) -> None:
    output = bare(switched, "client.py")
    assert "FAIL" not in output
    assert output.count("\nok ") > 5


def test_the_server_in_one_file_is_always_the_same_and_runs_with_nothing_but_python(
    switched: Path,
) -> None:
    archives = []
    for _ in range(2):
        for path in (switched / "src").rglob("*.py"):
            os.utime(path)
        subprocess.run([sys.executable, "bundle.py"], cwd=switched, check=True)
        archives.append((switched / "calculator.pyz").read_bytes())
    assert archives[0] == archives[1]
    with ZipFile(switched / "calculator.pyz") as bundle:
        assert {member.date_time[0] for member in bundle.infolist()} == {1980}
    moved = shutil.move(switched / "calculator.pyz", switched.parent / "moved.pyz")
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    answer = bare(switched.parent, str(moved), input=f"{ping}\n")
    assert json.loads(answer) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_the_server_in_one_file_reads_its_data_from_there(tmp_path: Path) -> None:
    project = project_of("blog-search", tmp_path)
    handlers = REPOSITORY / "examples/blog-search/src/blog_search"
    ignored = shutil.ignore_patterns("_generated", "__*__.py", "__pycache__")
    shutil.copytree(handlers, project / "src/blog_search", ignore=ignored, dirs_exist_ok=True)
    bare(project, "bundle.py")
    call = {"name": "read_chunk", "arguments": {"source": "protocols/framing.md", "chunk_index": 0}}
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a"}}
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    lines = "".join(f"{json.dumps(request)}\n" for request in requests)
    answer = bare(tmp_path, str(project / "blog-search.pyz"), input=lines).splitlines()[-1]
    assert json.loads(answer)["result"]["isError"] is False
