"""Several specs at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import command
from tests.command import Ended

RIGHT = 'name: a\nversion: "1.0"\ntools: [{name: find, inputSchema: {type: object}}]\n'


def test_the_errors_of_all_files_are_told_with_the_warnings_about_the_others(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(RIGHT + "colour: red\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("name: [", encoding="utf-8")
    assert found(tmp_path, "a.yaml") == (0, [("a.yaml", "no-description")])
    assert found(tmp_path, "c.yaml", "b.yaml", "a.yaml") == (
        2,
        [("a.yaml", "no-description"), ("b.yaml", "unknown-key"), ("c.yaml", "yaml-syntax")],
    )


def test_a_file_that_a_resource_names_must_be_there(tmp_path: Path) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_text(RIGHT + "resources: [{uri: 'a://b', name: b, file: b.md}]\n", encoding="utf-8")
    missing = [("spec.yaml", "no-description"), ("spec.yaml", "unreadable-file")]
    assert found(tmp_path, "spec.yaml") == (2, missing)
    (tmp_path / "b.md").write_text("# B\n", encoding="utf-8")
    assert found(tmp_path, "spec.yaml") == (0, missing[:1])


def found(folder: Path, *specs: str) -> tuple[int, list[tuple[str, str]]]:
    """The exit code of `validate`, and where it finds what."""
    ended = run("validate", "--format=json", *specs, folder=folder)
    diagnostics = json.loads(ended.out)["diagnostics"]
    return ended.code, [(one["path"], one["id"]) for one in diagnostics]


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["validate", "--help"], ["new", "--help"]]
)
def test_what_reads_no_spec_imports_nothing_that_checks_one(words: list[str]) -> None:
    code = (
        "import sys; from scaffold.cli.main import main\n"
        "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    program = [sys.executable, "-c", code, *words]
    run = subprocess.run(program, capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert "click" in loaded
    assert not loaded & {"pydantic", "pydantic_core", "yaml", "jsonschema_rs", "scaffold.spec"}


@pytest.mark.usefixtures("starts_programs")
def test_checking_a_spec_imports_nothing_that_only_generating_needs() -> None:
    code = "import sys, scaffold.cli.people, scaffold.commands.validate; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"jinja2", "copier", "scaffold.project.generate", "importlib.resources"}


def run(*words: str, folder: Path) -> Ended:
    return command.run(*words, cwd=folder)


@pytest.fixture
def blog(tmp_path: Path) -> Path:
    """A project, in a folder that is none."""
    (tmp_path / "spec.yaml").write_text(
        RIGHT.replace("find,", "find, description: Return the posts that hold a word.,")
    )
    made = run("new", "spec.yaml", "blog", folder=tmp_path)
    assert made.code == 0, made.err
    return tmp_path / "blog"


def test_success_is_said_in_a_line(blog: Path) -> None:
    (blog / "b.yaml").write_bytes((blog / "mcp.yaml").read_bytes())
    assert run("validate", "mcp.yaml", folder=blog).err == "mcp.yaml: no problems\n"
    assert run("validate", "mcp.yaml", "b.yaml", folder=blog).err == "2 specs: no problems\n"


def test_the_project_is_found_from_any_folder_in_it(blog: Path) -> None:
    inside = blog / "src/a/tools"
    assert run("validate", folder=inside).err == "../../../mcp.yaml: no problems\n"
    assert run("regenerate", "--check", folder=inside).err == "already up to date\n"
    (blog / "mcp.yaml").write_text(
        RIGHT.replace("find,", "find, description: Return the posts with a word.,")
    )
    ran = run("regenerate", "--check", folder=inside)
    assert (ran.code, "src/a/_generated/catalog.json" in ran.err + ran.out) == (1, True)
    assert run("regenerate", folder=inside).code == 0
    assert run("regenerate", "blog/mcp.yaml", folder=blog.parent).err == "already up to date\n"


def test_outside_of_a_project_a_spec_must_be_named(tmp_path: Path) -> None:
    ran = run("validate", folder=tmp_path)
    assert ran.code == 2
    assert "give a SPEC, or run this in a project" in ran.err


def test_after_new_the_next_commands_can_be_typed_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(RIGHT)
    ran = run("new", "spec.yaml", "my blog", folder=tmp_path)
    next_ = ran.err[ran.err.index("next:\n") :]
    assert next_ == "next:\n  cd 'my blog'\n  uv run python client.py\n"


def test_without_uv_the_next_commands_do_not_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "spec.yaml").write_text(RIGHT)
    ran = run("new", "spec.yaml", "blog", folder=tmp_path)
    assert ran.err[ran.err.index("next:\n") :].splitlines()[1:] == [
        "  cd blog",
        "  python3 -m venv .venv",
        "  .venv/bin/pip install -e .",
        "  .venv/bin/python client.py",
    ]


def test_the_packs_of_a_project_are_listed_for_programs_as_json_alone(blog: Path) -> None:
    ran = run("pack", "list", "--format", "json", folder=blog / "src")
    packs = json.loads(ran.out)["packs"]
    assert [(one["name"], one["used"]) for one in packs] == [
        ("python", True),
        ("python-stdlib", False),
    ]
    assert ran.err == ""


def test_warnings_fail_where_they_are_asked_to(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(f"{RIGHT}budget: {{tokens: 1}}\n", encoding="utf-8")
    for asked, code in (
        ((), 0),
        (("--fail-on", "error"), 0),
        (("--fail-on", "over-budget"), 1),
        (("--fail-on", "long-name"), 0),
        (("--fail-on", "long-name", "--fail-on", "warning"), 1),
    ):
        assert run("validate", *asked, "b.yaml", folder=tmp_path).code == code
    ended = run(
        "validate", "--fail-on=over-budget", "--format=json", "a.yaml", "b.yaml", folder=tmp_path
    )
    data = json.loads(ended.out)
    assert ended.code == 1
    assert [one["exit"] for one in data["specs"]] == [0, 1]
    [found] = [one for one in data["diagnostics"] if one["id"] == "over-budget"]
    assert found["notes"] == [{"label": "largest", "text": "`find` 11"}]
    ended = run("validate", "--fail-on", "over-budgets", "b.yaml", folder=tmp_path)
    assert ended.code == 2
    assert "`over-budgets` is no level and no warning, did you mean `over-budget`?" in ended.err
