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
    "skills and a page": {
        "skills": "skills",
        "tools": [TOOL | {"outputSchema": {"type": "object"}, "ui": {"file": "ui/double.html"}}],
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


def results(told: str) -> dict[str, int]:
    """How many tests ended how, by pytest's last line."""
    return {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|skipped)", told)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_tests_of_a_new_project_pass_and_name_what_is_to_be_written(
    tmp_path: Path, kind: str
) -> None:
    spec = {"name": "fresh", "version": "1"} | KINDS[kind]
    told = check(generate(spec, tmp_path / "fresh"))
    handlers = [
        *(tool["name"] for tool in spec.get("tools", [])),
        *(one["uri"] for one in spec.get("resources", []) if "text" not in one),
    ]
    assert results(told)["passed"]
    assert ("to write" in told) == bool(handlers)
    for name in handlers:
        assert re.search(rf"to write: .*{name}", told), told


def test_the_tests_of_a_project_with_handlers_pass(workshop: Generated) -> None:
    assert results(check(workshop)).keys() == {"passed"}


def test_two_projects_in_one_repository_do_not_collide(tmp_path: Path) -> None:
    for name in ("one", "two"):
        generate({"name": name, "version": "1", "tools": [TOOL]}, tmp_path / name)
    both = Generated(tmp_path, "one")
    paths = os.pathsep.join(["one/src", "two/src"])
    env = clean_environment(PYTHONPATH=paths, MYPYPATH=paths, PYTHONDONTWRITEBYTECODE="1")
    told = run(both, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", env=env)
    assert results(told)["passed"]
    folders = [f"{name}/{folder}" for name in ("one", "two") for folder in ("src", "tests")]
    run(both, sys.executable, "-m", "mypy", "--strict", *folders, env=env)


STORY, STRANGERS = "does_what_the_spec_says and stdio-auto", "strangers_are_refused and mcp"
BREAKS = {
    "a handler": (STORY, "tools/double.py", "    raise NotWritten", "    raise ValueError"),
    "a generated file": (
        "as_they_were_generated",
        "_generated/catalog.json",
        "What to double.",
        "What to halve.",
    ),
    "the check of arguments": (
        STORY,
        "_generated/runtime/tools.py",
        "if faults := self.inputs[name].faults(arguments):",
        "if faults := []:",
    ),
    "the token": (
        STRANGERS,
        "_generated/runtime/bearer.py",
        "if not hmac.compare_digest(",
        "if False and not hmac.compare_digest(",
    ),
    "the hosts": (
        STRANGERS,
        "_generated/runtime/http.py",
        "transport_security=security,",
        "transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),",
    ),
    "the end of input": (
        "the_end_of_input",
        "_generated/runtime/stdio.py",
        "if not line:",
        "if False:",
    ),
}
"""What is broken in a project, so that these tests of its own fail: file, text, and another text."""


@pytest.mark.parametrize("broken", BREAKS)
def test_what_is_broken_in_a_project_fails_its_own_tests(tmp_path: Path, broken: str) -> None:
    spec = {
        "name": "fresh",
        "version": "1",
        "transports": ["stdio", "streamable-http", "sse"],
        "auth": {"bearer": {"env": "TOKEN"}},
        "env": [{"name": "TOKEN", "secret": True}],
        "tools": [TOOL],
    }
    project = generate(spec, tmp_path / "fresh")
    tests, path, right, wrong = BREAKS[broken]
    text = (project.source / path).read_text("utf-8")
    assert text.count(right) == 1
    (project.source / path).write_text(text.replace(right, wrong), "utf-8")
    env = clean_environment(PYTHONPATH="src", PYTHONDONTWRITEBYTECODE="1")
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-k", tests],
        cwd=project.folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert told.returncode == 1, told.stdout


@pytest.mark.slow
def test_the_project_with_its_handlers_is_clean_for_ruff_and_mypy(workshop: Generated) -> None:
    project = workshop
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
    assert results(run(project, uv, "run", "--quiet", "pytest", env=env))["passed"]
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
    assert results(run(project, str(programs / "pytest")))["passed"]
    assert "blog-search" in run(project, str(programs / "blog-search"), "--help")
