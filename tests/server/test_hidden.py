"""Entries that a server hides: its own tests allow for them, and their names are checked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.generated import Generated, generate
from tests.server.test_stubs import ECHO, EXAMPLE, run

SPEC = {
    "name": "app",
    "version": "1",
    "capabilities": {
        "tools": {"listChanged": True},
        "resources": {"listChanged": True},
        "prompts": {"listChanged": True},
    },
    "tools": [ECHO | EXAMPLE, ECHO | {"name": "admin"} | EXAMPLE],
    "resources": [{"uri": "stats://today", "name": "stats", "text": "7"}],
    "prompts": [{"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}],
}
LIFESPAN = """\
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app._generated.changes import hide


@dataclass(frozen=True)
class Shared:
    pass


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    await hide({})
    yield Shared()
"""
HIDDEN = ['"tools", "admin"', '"resources", "stats://today"', '"prompts", "hello"']
WRONG = {
    '"resources", "stats"': "'stats' is not among the resources: stats://today",
    '"tools", "hello"': "'hello' is not among the tools: echo, admin",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(SPEC, tmp_path_factory.mktemp("hidden") / "app")


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_is_hidden_at_the_start_fails_no_generated_test(
    project: Generated, hidden: str
) -> None:
    (project.source / "lifespan.py").write_text(LIFESPAN.replace("{}", hidden))
    tests = run(project, "-m", "pytest", "-p", "no:cacheprovider", "tests/test_contract.py")
    assert tests.returncode == 0, tests.stdout
    tour = run(project, "client.py")
    assert tour.returncode == 0, tour.stdout


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_not_on_a_list_cannot_be_hidden(project: Generated, wrong: str) -> None:
    (project.source / "lifespan.py").write_text(LIFESPAN.replace("{}", wrong))
    ran = project.run(input=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    assert ran.returncode != 0
    assert WRONG[wrong] in ran.stderr.decode()
    checked = run(project, "-m", "mypy", "--cache-dir", os.devnull, "src")
    assert checked.returncode == 1, checked.stdout
    assert "lifespan.py:15: error: No overload variant" in checked.stdout


def test_one_list_that_changes_needs_no_overloads(tmp_path: Path) -> None:
    spec = SPEC | {"capabilities": {"tools": {"listChanged": True}}}
    project = generate(spec, tmp_path / "app")
    assert "overload" not in (project.source / "_generated/changes.py").read_text()
    (project.source / "lifespan.py").write_text(LIFESPAN.replace("{}", '"tools", "amdin"'))
    checked = run(project, "-m", "mypy", "--cache-dir", os.devnull, "src")
    assert "expected \"Literal['echo', 'admin']\"" in checked.stdout, checked.stdout
