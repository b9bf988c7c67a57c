"""What an edit of the spec gives to code of people's, or takes away from it, is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.regenerate.living import TEXT, Living, spec, tool
from tests.server.test_project_checks import clean_environment

LIFESPAN, SEARCH = "src/blog/lifespan.py", "src/blog/tools/search.py"
URL = {"name": "BLOG_URL", "type": "url", "default": "https://blog.example"}
HIT = {"type": "object", "properties": {"title": TEXT}}
HITS = {"type": "object", "properties": {"hits": {"type": "array", "items": HIT}}}


@pytest.fixture
def living(tmp_path: Path) -> Living:
    one = {"name": "one", "arguments": {"query": "a"}}
    search = {**tool("search", "query", query=TEXT), "outputSchema": HITS, "examples": [one]}
    return Living.born(tmp_path / "blog", spec(search))


def edited(living: Living, path: str, **keys: Any) -> str:
    """What a run says if a person has edited a file, and these keys of the spec are new."""
    living.write(path, living.read(path) + "\n# mine\n")
    living.edit(lambda spec: spec.update(keys))
    return living.regenerate().stderr


def test_a_type_that_goes_is_told_to_the_handler_that_imports_it(living: Living) -> None:
    contract = "src/blog/_generated/contract.py"
    text = f"from blog._generated.contract import SearchHit\n{living.read(SEARCH)}"
    living.write(SEARCH, text)
    living.edit(lambda spec: spec["tools"][0].pop("outputSchema"))
    said = living.regenerate().stderr
    assert "search: - result\n" in said
    assert (
        f"{SEARCH}:1: warning[gone-name] `{SEARCH}` imports `SearchHit`, which `{contract}` no"
        " longer has\nhint: edit it: otherwise the server cannot start\n"
    ) in said
    assert living.regenerate().stderr == "already up to date\n"


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


def test_a_lifespan_that_was_edited_is_told_to_read_the_settings_and_when_they_go(
    living: Living,
) -> None:
    said = edited(living, LIFESPAN, env=[URL])
    assert (
        f"{LIFESPAN}: warning[unread-settings] `{LIFESPAN}` was edited, and does not read" in said
    )
    assert "Settings.from_environment()" in said
    assert "unread-settings" not in living.regenerate().stderr
    reads = "from blog._generated.settings import Settings\n"
    living.write(LIFESPAN, reads + living.read(LIFESPAN))
    living.edit(lambda spec: spec.pop("env"))
    gone = f"`{LIFESPAN}` imports `src/blog/_generated/settings.py`, which is gone"
    assert f"warning[gone-name] {gone}" in living.regenerate().stderr


def test_a_stub_becomes_a_handler_when_the_spec_says_what_it_calls(living: Living) -> None:
    http = {"method": "GET", "path": "/search", "parameters": [{"name": "query", "in": "query"}]}
    living.edit(lambda spec: spec["tools"][0].update(handler={"http": http}))
    said = edited(living, LIFESPAN, env=[URL], api={"url": {"env": "BLOG_URL"}})
    assert f"`{LIFESPAN}` was edited, and does not open the API yet" in said
    assert 'query={"query": arguments.query}' in living.read(SEARCH)
