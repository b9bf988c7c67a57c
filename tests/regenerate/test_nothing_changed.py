"""That nothing has changed is told from hashes, by a process that imports little."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from scaffold.packs.table import CONTRACT
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
def test_it_imports_nothing_that_takes_time(blog: Living, options: list[str]) -> None:
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
def test_whatever_else_is_different_is_looked_into(blog: Living, path: str) -> None:
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


@pytest.mark.parametrize("path", ["mcp.yaml", "templates/pack.toml"])
def test_an_edit_that_changes_no_file_is_recorded_and_then_the_run_is_quick(
    blog: Living, path: str
) -> None:
    """Else all later runs would plan in full, to find the same again."""
    comment = "\n# A comment.\n"
    if path == "mcp.yaml":
        blog.write(path, blog.read(path).replace("{", f"{{{comment}", 1))
    else:
        blog.write(path, f"contract = {CONTRACT}\n{comment}")
    files, stamps = blog.files(), blog.stamps()
    checked = blog.run("--check")
    assert (checked.exit_code, blog.stamps()) == (1, stamps)
    assert "`.scaffold/lock.json` out of date: run" in checked.stderr
    assert re.fullmatch(r"updated .*`\.scaffold/lock\.json`\n", blog.regenerate().stderr)
    assert blog.files() == files
    assert is_up_to_date(blog.root)


def test_the_line_ends_of_a_file_that_the_spec_names_count(blog: Living) -> None:
    """They are served as they are; those of the spec itself say nothing."""
    blog.write("about.md", "One.\nTwo.\n")
    about = {"uri": "blog://about", "name": "about", "file": "about.md"}
    blog.edit(lambda spec: spec.update(resources=[about]))
    blog.regenerate()
    for path in ("mcp.yaml", ".scaffold/mcp.yaml", ".scaffold/lock.json", "TOOLS.md"):
        blog.write(path, blog.read(path).replace("\n", "\r\n"))
    assert is_up_to_date(blog.root)
    (blog.root / "about.md").write_bytes(b"One.\r\nTwo.\r\n")
    assert blog.run("--check").exit_code == 1
    blog.regenerate()
    assert r"One.\r\nTwo.\r\n" in blog.read("src/blog/_generated/catalog.json")
    assert is_up_to_date(blog.root)


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize("path", [".scaffold/bases.bin", ".scaffold/mcp.yaml"])
def test_a_record_that_is_edited_is_told_of_and_written_again(blog: Living, path: str) -> None:
    data = (blog.root / path).read_bytes()
    (blog.root / path).write_bytes(data + b" ")
    checked = blog.run("--check")
    assert (checked.exit_code, checked.stderr) == (
        1,
        f"`{path}` out of date: run `mcp-scaffold regenerate`\n",
    )
    assert blog.regenerate().stderr == f"updated `{path}`\n"
    assert (blog.root / path).read_bytes() == data
    assert blog.regenerate("--check").stderr == "already up to date\n"


def test_without_the_last_spec_a_run_stops_and_says_how_to_go_on(blog: Living) -> None:
    (blog.root / ".scaffold/mcp.yaml").unlink()
    for option in ("--check", "--format=human"):
        said = blog.run(option)
        assert said.exit_code == 2
        assert "error[no-project] `.scaffold/mcp.yaml` is missing" in said.stderr
    blog.write(".scaffold/mcp.yaml", blog.read("mcp.yaml"))
    assert blog.regenerate("--check").stderr == "already up to date\n"


@pytest.mark.usefixtures("starts_programs")
def test_no_formatter_touches_what_merges_start_from(blog: Living) -> None:
    command = ["ruff", "format", "-q", "--isolated", "--config", "indent-width=2", ".scaffold"]
    subprocess.run([sys.executable, "-m", *command], cwd=blog.root, check=True)
    assert is_up_to_date(blog.root)
    records = {path.name for path in (blog.root / ".scaffold").iterdir()}
    assert records == {"lock.json", "mcp.yaml", "bases.bin"}
