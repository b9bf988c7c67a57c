"""The first variables of a spec, when people have written in its files already."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.regenerate.living import TEXT, Living, spec, tool
from tests.server.test_project_checks import clean_environment

SEARCH = {
    **tool("search", "query", query=TEXT),
    "examples": [{"name": "one", "arguments": {"query": "a"}}],
}
KEY = {"name": "BLOG_KEY", "description": "A key.", "type": "integer"}


@pytest.fixture
def living(tmp_path: Path) -> Living:
    return Living.born(tmp_path / "blog", spec(SEARCH))


def add_variable(living: Living) -> str:
    living.edit(lambda spec: spec.update(env=[KEY]))
    return living.regenerate().stderr


@pytest.mark.usefixtures("starts_programs")
def test_the_tests_of_a_project_go_on_when_a_variable_is_required(living: Living) -> None:
    add_variable(living)
    for chosen in ("tests", "tests/test_blog.py", "tests/test_blog_contract.py"):
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", chosen],
            cwd=living.root,
            env=clean_environment(PYTHONPATH="src"),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout


def test_a_lifespan_that_was_edited_is_told_to_read_the_settings(living: Living) -> None:
    path = "src/blog/lifespan.py"
    living.write(path, living.read(path) + "\n# mine\n")
    said = add_variable(living)
    assert f"{path}: warning[unread-settings] `{path}` was edited, and does not read" in said
    assert "Settings.from_environment()" in said
    assert "unread-settings" not in living.regenerate().stderr


def test_a_lifespan_that_nobody_edited_reads_them(living: Living) -> None:
    assert "unread-settings" not in add_variable(living)
    assert "Settings.from_environment()" in living.read("src/blog/lifespan.py")
    assert living.read(".env.example").endswith("\n# A key.\nBLOG_KEY=\n")


def add_api(living: Living) -> str:
    url = {"name": "BLOG_URL", "type": "url", "default": "https://blog.example"}
    http = {"method": "GET", "path": "/search", "parameters": [{"name": "query", "in": "query"}]}
    living.edit(
        lambda spec: spec.update(
            env=[url],
            api={"url": {"env": "BLOG_URL"}},
            tools=[{**SEARCH, "handler": {"http": http}}],
        )
    )
    return living.regenerate().stderr


def test_a_stub_becomes_a_handler_when_the_spec_says_what_it_calls(living: Living) -> None:
    assert "unread-settings" not in add_api(living)
    assert "connected(settings) as api" in living.read("src/blog/lifespan.py")
    assert 'query={"query": arguments.query}' in living.read("src/blog/tools/search.py")
