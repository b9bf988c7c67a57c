"""The checks that a project brings along, as they are right after it was generated."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ruff import find_ruff_bin
from uv import find_uv_bin

from tests.generated import REPOSITORY, Generated, generate

TOOL = {
    "name": "double",
    "description": "Double a number.",
    "inputSchema": {
        "type": "object",
        "properties": {"number": {"type": "integer", "description": "What to double."}},
        "required": ["number"],
    },
    "examples": [{"name": "two", "arguments": {"number": 2}}],
}
PROMPT = {"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}
KINDS: dict[str, dict[str, Any]] = {
    "tool": {"tools": [TOOL], "env": [{"name": "KEY"}, {"name": "MODE", "default": "a"}]},
    "nothing to write": {
        "prompts": [PROMPT],
        "resources": [{"uri": "a://ö", "name": "a", "text": "☃"}],
    },
    "handled prompt over HTTP": {
        "transports": ["streamable-http"],
        "prompts": [{"name": "hello", "description": "Say hello."}],
    },
    "tool over guarded HTTP": {
        "transports": ["streamable-http", "sse"],
        "http": {"host": "0.0.0.0"},
        "auth": {"bearer": {"env": "TOKEN"}},
        "env": [{"name": "TOKEN", "secret": True}],
        "tools": [TOOL | {"outputSchema": {"type": "array", "items": {"type": "integer"}}}],
    },
    "resource over SSE": {
        "transports": ["sse"],
        "resources": [{"uri": "a://b", "name": "a"}],
        "resourceTemplates": [{"uriTemplate": "a://{b}/c", "name": "b"}],
    },
}


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without what the tests of this repository put there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "UV_PROJECT_ENVIRONMENT"):
        kept.pop(name, None)
    return kept | more


def run(project: Generated, *command: str, env: Mapping[str, str] | None = None) -> str:
    """Run a command in the project; all that it writes. It must succeed."""
    ran = subprocess.run(
        command,
        cwd=project.folder,
        env=clean_environment() if env is None else env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def check(project: Generated) -> str:
    """Run the project's tests with the Python of these tests; what pytest tells."""
    env = clean_environment(PYTHONPATH="src", PYTHONDONTWRITEBYTECODE="1")
    return run(project, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", env=env)


@pytest.mark.parametrize("kind", KINDS)
def test_the_tests_of_a_new_project_pass_and_name_the_stubs(tmp_path: Path, kind: str) -> None:
    spec = {"name": "fresh", "version": "1"} | KINDS[kind]
    told = check(generate(spec, tmp_path / "fresh"))
    handlers = [*spec.get("tools", []), *spec.get("resourceTemplates", [])]
    handlers += [entry for entry in spec.get("resources", []) if "text" not in entry]
    handlers += [entry for entry in spec.get("prompts", []) if "messages" not in entry]
    names = [entry.get("uriTemplate") or entry.get("uri") or entry["name"] for entry in handlers]
    said = re.findall(r"(\d+) to write: (.+)", told)
    assert [(int(count), sorted(stubs.split(", "))) for count, stubs in said] == (
        [(len(names), sorted(names))] if names else []
    )
    assert re.search(r"\d+ passed", told)
    assert ("skipped" in told) == bool(handlers)


def test_the_tests_of_a_project_with_handlers_pass(workshop: Generated) -> None:
    told = check(workshop)
    assert re.search(r"\d+ passed, 1 skipped", told), told
    assert "1 to write: unwritten\n" in told


def test_a_handler_that_breaks_an_example_fails_the_tests(tmp_path: Path) -> None:
    spec = {"name": "fresh", "version": "1", "tools": [TOOL]}
    handler = (
        "from fresh._generated.contract import Context\n"
        "from fresh._generated.contract import DoubleArguments\n\n\n"
        "def double(arguments: DoubleArguments, context: Context) -> str:\n"
        "    raise ValueError\n"
    )
    project = generate(spec, tmp_path / "fresh", handlers={"tools/double.py": handler})
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"],
        cwd=project.folder,
        env=clean_environment(PYTHONPATH="src"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 1
    assert "test_an_example_of_the_spec_ends_as_the_spec_says[double: two]" in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["workshop", "crashing"])
def test_the_project_with_its_handlers_is_clean_for_ruff_and_mypy(
    request: pytest.FixtureRequest, name: str
) -> None:
    project: Generated = request.getfixturevalue(name)
    run(project, find_ruff_bin(), "check", "--no-cache")
    run(project, find_ruff_bin(), "format", "--check", "--no-cache")
    told = run(project, sys.executable, "-m", "mypy")
    assert "no issues found" in told
    source = "".join(path.read_text() for path in project.source.rglob("*.py"))
    assert "noqa" not in source
    assert "type: ignore" not in source


@pytest.mark.slow
def test_uv_alone_installs_checks_and_starts_a_project(tmp_path: Path) -> None:
    project = generate(REPOSITORY / "specs" / "blog-search.yaml", tmp_path / "project")
    uv = find_uv_bin()
    env = clean_environment()
    run(project, uv, "sync", "--quiet", env=env)
    told = run(project, uv, "run", "--quiet", "pytest", env=env)
    assert "to write: search_blog, read_chunk" in told
    ended = subprocess.run(
        [uv, "run", "--quiet", "blog-search"],
        cwd=project.folder,
        env=env,
        input=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n',
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b'{"jsonrpc":"2.0","id":1,"result":{}}\n')


@pytest.mark.slow
def test_pip_alone_installs_and_starts_a_project(tmp_path: Path) -> None:
    project = generate(REPOSITORY / "specs" / "blog-search.yaml", tmp_path / "project")
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(project, str(programs / "pip"), "install", "--quiet", "-e", ".", "pytest>=9,<10")
    told = run(project, str(programs / "pytest"))
    assert "to write: search_blog, read_chunk" in told
    assert "blog-search" in run(project, str(programs / "blog-search"), "--help")
