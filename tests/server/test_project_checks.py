"""The checks that a project brings along, as they are right after it was generated."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml
from uv import find_uv_bin

from tests.generated import REPOSITORY, Generated, generate, of_the_sdk
from tests.project_tools import clean_environment, failed, passed, ruff_findings, run
from tests.waiting import WITHIN

CASES = yaml.safe_load(Path(__file__).with_name("projects.yaml").read_text("utf-8"))
KINDS: dict[str, dict[str, Any]] = CASES["kinds"]
BREAKS: dict[str, list[str]] = CASES["broken"]
BREAKS_WITH_OAUTH: dict[str, list[str]] = CASES["broken with OAuth"]
TOOL = {
    name: value
    for name, value in KINDS["tool over guarded HTTP"]["tools"][0].items()
    if name != "outputSchema"
}


def own_tests(folder: Path) -> str:
    """Run a project's tests with the Python of these tests; what pytest tells."""
    return passed(folder, "pytest", "-p", "no:cacheprovider")


def results(output: str) -> dict[str, int]:
    """How many tests ended how, by pytest's last line."""
    return {
        word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|skipped)", output)
    }


@pytest.mark.parametrize("kind", KINDS)
def test_the_tests_of_a_new_project_pass_and_name_the_missing_handlers(
    tmp_path: Path, kind: str
) -> None:
    spec = {"name": "fresh", "version": "1"} | KINDS[kind]
    output = own_tests(generate(spec, tmp_path / "fresh").folder)
    handlers = [
        *(tool["name"] for tool in spec.get("tools", [])),
        *(entry["uri"] for entry in spec.get("resources", []) if "text" not in entry),
    ]
    assert results(output)["passed"]
    assert ("to write" in output) == bool(handlers)
    for name in handlers:
        assert re.search(rf"to write: .*{name}", output), output


def test_the_tests_of_a_project_with_handlers_pass(workshop: Generated) -> None:
    assert results(own_tests(workshop.folder)).keys() == {"passed"}


def test_two_projects_in_one_repository_do_not_collide(tmp_path: Path) -> None:
    for name in ("one", "two"):
        generate({"name": name, "version": "1", "tools": [TOOL]}, tmp_path / name)
    paths = os.pathsep.join(["one/src", "two/src"])
    env = {"PYTHONPATH": paths, "MYPYPATH": paths}
    assert results(passed(tmp_path, "pytest", "-p", "no:cacheprovider", **env))["passed"]
    folders = [f"{name}/{folder}" for name in ("one", "two") for folder in ("src", "tests")]
    passed(tmp_path, "mypy", "--strict", *folders, **env)


OUTPUT = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
BREAKABLE: dict[str, Any] = {
    "name": "fresh",
    "version": "1",
    "transports": ["stdio", "streamable-http", "sse"],
    "auth": {"bearer": {"env": "TOKEN"}},
    "env": [{"name": "TOKEN", "secret": True}],
    "tools": [TOOL | {"outputSchema": OUTPUT}],
}
WITH_OAUTH: dict[str, Any] = BREAKABLE | {
    "transports": ["stdio", "streamable-http"],
    "auth": {
        "oauth": {"issuer": "https://login.example.com", "resource": {"env": "URL"}},
    },
    "env": [{"name": "URL", "type": "url", "required": False}],
    "tools": [TOOL | {"task": {"poll": 0.2}, "scopes": ["double"]}],
}


def check_that_tests_fail(project: Generated, tests: str, path: str, *change: str) -> None:
    """Break a file of a project, and run these tests of it, without the one of hashes."""
    file, (right, wrong) = (project.source / path).resolve(), change
    text = file.read_text("utf-8")
    assert text.count(right) == 1
    file.write_text(text.replace(right, wrong), "utf-8")
    ended = run(project.folder, "pytest", "-x", "-q", "-p", "no:cacheprovider", "-k", tests)
    assert ended.returncode == 1, ended.stdout


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_project_fails_its_own_tests(tmp_path: Path, broken: str) -> None:
    check_that_tests_fail(generate(BREAKABLE, tmp_path / "fresh"), *BREAKS[broken])


@of_the_sdk
@pytest.mark.parametrize("broken", BREAKS_WITH_OAUTH)
def test_a_broken_project_with_oauth_fails_its_own_tests(tmp_path: Path, broken: str) -> None:
    project = generate(WITH_OAUTH, tmp_path / "fresh")
    check_that_tests_fail(project, *BREAKS_WITH_OAUTH[broken])


@pytest.mark.slow
def test_ruff_and_mypy_accept_the_project_with_its_handlers(workshop: Generated) -> None:
    assert ruff_findings(workshop.folder) == ""
    assert failed(workshop.folder, "mypy") == ""
    source = "".join(path.read_text() for path in workshop.source.rglob("*.py"))
    assert "noqa" not in source
    assert "type: ignore" not in source


@pytest.mark.slow
def test_uv_alone_installs_checks_and_starts_a_project(tmp_path: Path) -> None:
    project = generate(REPOSITORY / "specs" / "blog-search.yaml", tmp_path / "project")
    uv, folder = find_uv_bin(), project.folder
    passed(folder, uv, "sync", "--quiet")
    assert results(passed(folder, uv, "run", "--quiet", "pytest"))["passed"]
    ended = subprocess.run(
        [uv, "run", "--quiet", "blog-search"],
        cwd=folder,
        env=clean_environment(),
        input=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n',
        capture_output=True,
        timeout=WITHIN,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b'{"jsonrpc":"2.0","id":1,"result":{}}\n')


@pytest.mark.slow
def test_pip_alone_installs_and_starts_a_project(tmp_path: Path) -> None:
    project = generate(REPOSITORY / "specs" / "blog-search.yaml", tmp_path / "project")
    venv.create(tmp_path / "venv", with_pip=False)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", str(programs / "python"))
    passed(project.folder, *pip, "install", "--quiet", "--no-compile", "-e", ".")
    assert "blog-search" in passed(project.folder, str(programs / "blog-search"), "--help")
