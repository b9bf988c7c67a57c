"""That nothing has changed is told from hashes, by a process that imports little."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scaffold.project.inputs import is_up_to_date
from tests.regenerate.living import Living

SLOW = {"yaml", "jinja2", "pydantic", "rich", "copier", "jsonschema_rs", "filelock", "watchfiles"}
LIST = """
import sys
from scaffold.cli.main import main
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize("options", [[], ["--check"], ["--check", "--format=json"]])
def test_an_unchanged_project_imports_no_slow_module(blog: Living, options: list[str]) -> None:
    command = [sys.executable, "-c", LIST, "regenerate", *options, str(blog.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    modules = {name.partition(".")[0] for name in done.stderr.splitlines()[-1].split()}
    assert "click" in modules
    assert modules.isdisjoint(SLOW)
    ours = {name for name in done.stderr.split() if name.startswith("scaffold.")}
    assert not {"scaffold.project.generate", "scaffold.disk.plan", "scaffold.yaml.source"} & ours


@pytest.mark.parametrize(
    "path",
    [
        "mcp.yaml",
        "TOOLS.md",
        ".scaffold/bases.bin",
        "templates/TOOLS.md.j2",
    ],
)
def test_any_other_difference_triggers_a_full_run(blog: Living, path: str) -> None:
    """Once it has been, and what there was to do is done, that is remembered."""
    assert is_up_to_date(blog.root)
    if path == "mcp.yaml":
        blog.edit(lambda spec: spec["tools"].pop())
    elif path.startswith("templates"):
        blog.write(path, "# Ours\n")
    else:
        (blog.root / path).unlink()
    assert not is_up_to_date(blog.root)
    blog.regenerate()
    assert is_up_to_date(blog.root)


@pytest.mark.usefixtures("starts_programs")
def test_the_merge_bases_are_never_reformatted(blog: Living) -> None:
    command = ["ruff", "format", "-q", "--isolated", "--config", "indent-width=2", ".scaffold"]
    subprocess.run([sys.executable, "-m", *command], cwd=blog.root, check=True)
    assert is_up_to_date(blog.root)
    records = {path.name for path in (blog.root / ".scaffold").iterdir()}
    assert records == {"lock.json", "mcp.yaml", "bases.bin"}
