"""Conflict markers that git has left in files of people are told, whatever the run would do."""

from __future__ import annotations

import pytest

from scaffold.project.inputs import is_up_to_date
from tests.regenerate.living import Living

HANDLER = "src/blog/tools/search.py"
MARKED = "<<<<<<< HEAD\n    limit = 1\n=======\n    limit = 2\n>>>>>>> theirs\n"


def marked(blog: Living, path: str = HANDLER, marks: str = MARKED) -> str:
    text = blog.read(HANDLER).replace("    raise", f"{marks}    raise")
    blog.write(path, text)
    return text


def refused(blog: Living, *options: str) -> str:
    """Run a command that is to report the conflict, and to write nothing."""
    assert not is_up_to_date(blog.root)
    before = blog.everything()
    result = blog.run(*options)
    assert result.exit_code == 1, result.stderr
    assert blog.everything() == before
    return result.stderr


@pytest.mark.parametrize("options", [(), ("--check",), ("--dry-run",)])
def test_a_handler_with_markers_is_a_conflict(blog: Living, options: tuple[str, ...]) -> None:
    line = marked(blog).split("\n").index("<<<<<<< HEAD") + 1
    said = refused(blog, *options)
    assert f"search.py:{line}:1: error[conflict] `{HANDLER}` still contains merge markers" in said
    assert "hint: resolve the conflicts, then run again" in said


def test_a_rename_waits_for_the_handler_to_be_resolved(blog: Living) -> None:
    marked(blog)
    blog.edit(lambda spec: spec["tools"][0].update(name="find", renamedFrom="search"))
    refused(blog)
    blog.write(HANDLER, blog.read(HANDLER).replace(MARKED, "    limit = 2\n"))
    blog.regenerate()
    assert "    limit = 2\n" in blog.read("src/blog/tools/find.py")
    assert is_up_to_date(blog.root)


def test_conflicts_can_be_accepted_and_the_handler_stays_as_it_is(blog: Living) -> None:
    text = marked(blog)
    blog.edit(lambda spec: spec.update(version="2.0.0"))
    assert blog.run("--accept-conflicts").exit_code == 1
    assert blog.read(HANDLER) == text
    assert "2.0.0" in (blog.root / "pyproject.toml").read_text()
    assert "error[conflict]" in refused(blog, "--check")
