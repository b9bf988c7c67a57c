"""An entry whose command leads into another project is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scaffold.trial.surroundings import other_project


@pytest.fixture
def blog(tmp_path: Path) -> Path:
    """A project, and a home beside it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/mcp.yaml").touch()
    return tmp_path / "blog"


@pytest.mark.parametrize(
    ("path", "is_found"),
    [
        ("<copy>/src/../", True),
        ("A=<copy>/src", True),
        ("../copy/src", True),
        ("<blog>/.venv", False),
        ("link/src", False),
        ("/tmp", False),
        ("http://x/y", False),
    ],
)
def test_only_a_path_into_a_copy_of_the_project_is_reported(
    blog: Path, path: str, is_found: bool
) -> None:
    home, copy = blog.parent / "home", blog.parent / "copy"
    shutil.copytree(blog, copy)
    (home / "link").symlink_to(blog)
    word = path.replace("<copy>", str(copy)).replace("<blog>", str(blog))
    assert other_project(["python", word], home, blog) == (str(copy) if is_found else None)
