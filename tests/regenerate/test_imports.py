"""What handlers import and an edit of the spec takes away is told, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.regenerate.living import TEXT, Living, Spec, listed, spec, tool
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
    project.write("src/blog/lifespan.py", project.read("src/blog/lifespan.py") + "# mine\n")
    return project


def test_a_type_that_goes_is_told_to_the_handler_that_imports_it(living: Living) -> None:
    living.edit(lambda spec: spec["tools"][0].pop("outputSchema"))
    said = living.regenerate().stderr
    assert "search: - result\n" in said
    assert (
        "src/blog/tools/search.py:1: warning[gone-name] `src/blog/tools/search.py` imports "
        "`SearchHit`, which `_generated/contract.py` no longer has\n"
        "hint: edit it: otherwise the server cannot start\n"
    ) in said
    assert living.regenerate().stderr == "already up to date\n"


def test_without_variables_settings_stay_while_they_are_imported(living: Living) -> None:
    living.edit(lambda spec: spec.pop("env"))
    said = living.regenerate().stderr
    assert "variable BLOG_KEY: gone\n" in said
    assert (
        "warning[kept-settings] `src/blog/_generated/settings.py` no longer has variables" in said
    )
    assert "BLOG_KEY" not in living.read("src/blog/_generated/settings.py")
    assert listed(living) == ["search", "read"]
    assert living.regenerate("--check").exit_code == 0
    living.write("src/blog/lifespan.py", UNSET)
    assert living.run("--check").exit_code == 1
    living.regenerate()
    assert not (living.root / "src/blog/_generated/settings.py").exists()
    assert listed(living) == ["search", "read"]


UNSET = """from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Shared: ...


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    yield Shared()
"""


@pytest.mark.usefixtures("starts_programs")
def test_settings_stay_while_a_file_in_conflict_imports_them(living: Living) -> None:
    living.write("src/blog/lifespan.py", UNSET)
    main = living.read("src/blog/__main__.py")
    living.write("src/blog/__main__.py", f"import blog._generated.settings\n{main}")
    (living.root / ".scaffold/bases.bin").unlink()
    living.edit(lambda spec: (spec.pop("env"), spec.update(name="posts")))
    said = living.run().stderr
    assert "[conflict]" in said
    assert "kept-settings" in said


def test_an_error_that_goes_is_told_to_those_who_import_it(living: Living) -> None:
    def drop(spec: Spec) -> None:
        spec.pop("errors")

    living.edit(lambda spec: spec.update(errors=[{"name": "NotFound", "message": "No."}]))
    living.regenerate()
    living.write("src/blog/index.py", "\nfrom ._generated.contract import NotFound\n")
    living.edit(drop)
    said = living.regenerate().stderr
    assert "src/blog/index.py:2: warning[gone-name]" in said
    assert "hint: edit it: otherwise the server cannot start" in said
