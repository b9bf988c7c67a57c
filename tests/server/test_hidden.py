"""Entries that a server hides: its own tests allow for them, and their names are checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.generated import PACK, Generated, generate
from tests.server.test_stubs import ECHO, EXAMPLE, run
from tests.server.test_stubs import write as write_body

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


def write(project: Generated) -> None:
    for tool in ("echo", "admin"):
        write_body(project, tool, '    return "Heard."\n')


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(SPEC, tmp_path_factory.mktemp("hidden") / "app")


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_is_hidden_at_the_start_fails_no_generated_test(
    project: Generated, hidden: str
) -> None:
    (project.source / "lifespan.py").write_text(LIFESPAN.replace("{}", hidden))
    write(project)
    tests = run(project, "-m", "pytest", "-rs", "-p", "no:cacheprovider")
    assert tests.returncode == 0, tests.stdout
    assert ("its tool is hidden" in tests.stdout) == ("admin" in hidden)
    assert ("the resource is hidden" in tests.stdout) == ("stats" in hidden)
    tour = run(project, "client.py")
    assert tour.returncode == 0, tour.stdout


BROKEN = {
    "lists that are empty": (
        {"python": "catalog.py", "python-stdlib": "protocol.py"}[PACK],
        r"entries = (result\[key\]|\[.+ not in hidden\])$",
        "entries = []",
        ["test_the_tools_are", "test_the_resources_are", "test_the_prompts_are"],
    ),
    "calls of tools that fail": (
        "tools.py",
        r"""    if tool is None or (params\.)?name in HIDDEN\["tools"\]:""",
        "    if True:",
        ["test_invalid_arguments_never_reach", "test_an_example_of_the_spec"],
    ),
    "resources that cannot be read": (
        "resources.py",
        r"""    if uri not in HIDDEN\["resources"\] and uri in CATALOG\["contents"\]:""",
        "    if False:",
        ["test_a_static_resource_has_the_content"],
    ),
    "hidden tools that answer": (
        "tools.py",
        r""" or (params\.)?name in HIDDEN\["tools"\]""",
        "",
        ["test_the_tools_are"],
    ),
    "hidden resources that answer": (
        "resources.py",
        r"""uri not in HIDDEN\["resources"\] and """,
        "",
        ["test_the_resources_are"],
    ),
    "hidden prompts that answer": (
        "prompts.py",
        r""" or (params\.)?name in HIDDEN\["prompts"\]""",
        "",
        ["test_the_prompts_are"],
    ),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_what_a_server_does_wrong_about_hidden_entries_fails_its_tests(
    tmp_path: Path, broken: str
) -> None:
    module, text, instead, failing = BROKEN[broken]
    project = generate(SPEC, tmp_path / "app")
    write(project)
    if "hidden" in broken:
        every = "\n    ".join(f"await hide({one})" for one in HIDDEN)
        (project.source / "lifespan.py").write_text(LIFESPAN.replace("await hide({})", every))
    path = project.source / "_generated" / module
    wrong, count = re.subn(text, instead, path.read_text(), flags=re.MULTILINE)
    assert count == 1
    if broken == "lists that are empty":
        wrong = wrong.replace(
            "if hidden := HIDDEN.get(key):", "if (hidden := HIDDEN.get(key)) is not None:"
        )
    path.write_text(wrong)
    tests = run(project, "-m", "pytest", "-rf", "-p", "no:cacheprovider")
    failed = [line for line in tests.stdout.splitlines() if line.startswith("FAILED")]
    for test in failing:
        assert any(test in line for line in failed), tests.stdout


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_not_on_a_list_cannot_be_hidden(project: Generated, wrong: str) -> None:
    (project.source / "lifespan.py").write_text(LIFESPAN.replace("{}", wrong))
    ran = project.run(input=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    assert ran.returncode != 0
    assert WRONG[wrong] in ran.stderr.decode()
    checked = run(project, "-m", "mypy", "src")
    assert checked.returncode == 1, checked.stdout
    assert "lifespan.py:15: error: No overload variant" in checked.stdout


def test_one_list_that_changes_needs_no_overloads(tmp_path: Path) -> None:
    spec = SPEC | {"capabilities": {"tools": {"listChanged": True}}}
    project = generate(spec, tmp_path / "app")
    assert "overload" not in (project.source / "_generated/changes.py").read_text()
    (project.source / "lifespan.py").write_text(LIFESPAN.replace("{}", '"tools", "amdin"'))
    checked = run(project, "-m", "mypy", "src")
    assert "expected \"Literal['echo', 'admin']\"" in checked.stdout, checked.stdout
