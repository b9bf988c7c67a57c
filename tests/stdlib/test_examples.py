"""The handlers of the examples do in either pack what their specs say."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.generated import REPOSITORY, Generated, for_stdlib, generate, moved
from tests.project_tools import failed

EXAMPLES = ("blog-search", "calculator", "conformance", "everything", "service-status")
"""Those whose stories need no other server."""


def with_handlers(name: str, folder: Path) -> Generated:
    """An example as a project of python-stdlib, with all that its authors have written."""
    example = REPOSITORY / "examples" / name
    spec: Any = REPOSITORY / "specs" / f"{name}.yaml"
    spec = for_stdlib(spec) if name in ("blog-search", "conformance") else spec
    project = generate(spec, folder, pack="python-stdlib")
    ours = ("_generated", "__pycache__", "__main__.py", "api.py")
    package = f"src/{project.package}"
    shutil.copytree(
        example / package,
        folder / package,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns(*ours),
    )
    for path in project.source.rglob("*.py"):
        if "_generated" not in path.parts:
            path.write_text(moved(path.read_text(), project.package))
    return project


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_handlers_of_an_example_pass_the_tests_of_its_spec(name: str, tmp_path: Path) -> None:
    project = with_handlers(name, tmp_path / name)
    assert failed(project.folder, "pytest", "-q", "-p", "no:cacheprovider") == ""
