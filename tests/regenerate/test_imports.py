"""What handlers import and an edit of the spec takes away is told, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.regenerate.living import TEXT, Living, spec, tool
from tests.regenerate.test_renames import NESTED

HANDLER = """from blog._generated.contract import Context, SearchArguments, SearchHit, SearchResult


async def search(arguments: SearchArguments, context: Context) -> SearchResult:
    hits: list[SearchHit] = [SearchHit(title="x")]
    return SearchResult(hits=hits)
"""


@pytest.fixture
def living(tmp_path: Path) -> Living:
    """A server whose handlers use all that they may."""
    project = Living.born(
        tmp_path / "blog",
        spec(
            {**tool("search", "query", query=TEXT), "outputSchema": NESTED},
            tool("read", "source", source=TEXT),
            env=[{"name": "BLOG_KEY", "description": "A key.", "required": False}],
        ),
    )
    project.write("src/blog/tools/search.py", HANDLER)
    return project


def test_a_type_that_goes_is_told_to_the_handler_that_imports_it(living: Living) -> None:
    living.edit(lambda spec: spec["tools"][0].pop("outputSchema"))
    said = living.regenerate().stderr
    assert "search: - result\n" in said
    assert (
        "src/blog/tools/search.py:1: warning[gone-name] `src/blog/tools/search.py` imports "
        "`SearchHit`, which `src/blog/_generated/contract.py` no longer has\n"
        "hint: edit it: otherwise the server cannot start\n"
    ) in said
    assert living.regenerate().stderr == "already up to date\n"


def test_settings_that_go_are_told_to_a_lifespan_that_was_edited(living: Living) -> None:
    living.write("src/blog/lifespan.py", living.read("src/blog/lifespan.py") + "# mine\n")
    living.edit(lambda spec: spec.pop("env"))
    said = living.regenerate().stderr
    assert "variable BLOG_KEY: gone\n" in said
    assert (
        "warning[gone-name] `src/blog/lifespan.py` imports `src/blog/_generated/settings.py`,"
        " which is gone\nhint: edit it: otherwise the server cannot start\n"
    ) in said
    assert not (living.root / "src/blog/_generated/settings.py").exists()
