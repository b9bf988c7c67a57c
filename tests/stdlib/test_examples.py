"""The handlers of the examples pass their tests in either pack."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated import REPOSITORY, Generated, generate

EXAMPLES = (
    *("blog-search", "calculator", "conformance", "everything", "expenses"),
    *("library", "service-status", "weather"),
)
"""All but `reading-list`, whose spec has an upstream."""

THROUGH_THE_SDK = '''"""Servers for the client of the SDK."""

import os
import sys

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client


def create_server():
    arguments = ["-m", "{package}", {options}]
    command = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    return stdio_client(command)
'''


def with_handlers(name: str, folder: Path) -> Generated:
    """An example as a project of python-stdlib, with all that its authors have written.

    Where its tests start a server for the client of the SDK, they start the one of this project.
    """
    example = REPOSITORY / "examples" / name
    project = generate(REPOSITORY / "specs" / f"{name}.yaml", folder, pack="python-stdlib")
    ignored = shutil.ignore_patterns("_generated", "__pycache__", "fake_context.py")
    for part in (f"src/{project.package}", "tests"):
        shutil.copytree(example / part, folder / part, dirs_exist_ok=True, ignore=ignored)
    shutil.copy(example / "client.py", folder / "tests" / "sdk_client.py")
    (folder / "tests" / "test_examples.py").unlink()  # The same as in `test_tools.py`.
    listens = (project.source / "_generated" / "http.py").exists()
    options = '"--transport", "stdio"' if listens else ""
    server = THROUGH_THE_SDK.format(package=project.package, options=options)
    (folder / "tests" / "sdk_server.py").write_text(server)
    for path in (folder / "tests").glob("test_*.py"):
        text = path.read_text()
        if f"{project.package}._generated.server" in text:
            text = text.replace(f"{project.package}._generated.server", "sdk_server")
            path.write_text(text.replace("from client import", "from sdk_client import"))
    return project


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_handlers_of_an_example_pass_its_tests(name: str, tmp_path: Path) -> None:
    project = with_handlers(name, tmp_path / name)
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout


def test_what_no_other_pack_can_do_is_named_in_the_documentation() -> None:
    examples = {path.parent.name for path in REPOSITORY.glob("examples/*/mcp.yaml")}
    page = (REPOSITORY / "docs" / "stdlib.md").read_text()
    assert all(f"`{name}`" in page for name in examples - {*EXAMPLES})
