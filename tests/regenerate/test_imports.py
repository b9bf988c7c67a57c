"""What an edit of the spec gives to code of people's, or takes away from it, is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.regenerate.living import TEXT, Living, spec, tool
from tests.server.test_project_checks import clean_environment

LIFESPAN = "src/blog/lifespan.py"
HIT = {"type": "object", "properties": {"title": TEXT}}
HITS = {"type": "object", "properties": {"hits": {"type": "array", "items": HIT}}}


@pytest.fixture
def living(tmp_path: Path) -> Living:
    one = {"name": "one", "arguments": {"query": "a"}}
    search = {**tool("search", "query", query=TEXT), "outputSchema": HITS, "examples": [one]}
    return Living.born(tmp_path / "blog", spec(search))


@pytest.mark.usefixtures("starts_programs")
def test_the_tests_of_a_project_go_on_when_a_variable_is_required(living: Living) -> None:
    living.edit(lambda spec: spec.update(env=[{"name": "BLOG_KEY", "type": "integer"}]))
    assert "unread-settings" not in living.regenerate().stderr
    assert "Settings.from_environment()" in living.read(LIFESPAN)
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
