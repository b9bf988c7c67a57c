"""Several specs at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scaffold.diagnostics import ScaffoldError, Severity
from scaffold.validate import validate

RIGHT = 'name: a\nversion: "1.0"\ntools: [{name: find, inputSchema: {type: object}}]\n'


def test_the_errors_of_all_files_are_told_with_the_warnings_about_the_others(
    tmp_path: Path,
) -> None:
    right, wrong, torn = (tmp_path / name for name in ("a.yaml", "b.yaml", "c.yaml"))
    right.write_text(RIGHT, encoding="utf-8")
    wrong.write_text(RIGHT + "colour: red\n", encoding="utf-8")
    torn.write_text("name: [", encoding="utf-8")
    [warning] = validate([right])
    assert (warning.id, warning.severity) == ("no-description", Severity.WARNING)
    with pytest.raises(ScaffoldError) as caught:
        validate([torn, wrong, right])
    found = [(Path(d.place.path).name, d.id) for d in caught.value.diagnostics if d.place]
    assert found == [
        ("a.yaml", "no-description"),
        ("b.yaml", "unknown-key"),
        ("c.yaml", "yaml-syntax"),
    ]


def test_a_file_that_a_resource_names_must_be_there(tmp_path: Path) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_text(RIGHT + "resources: [{uri: 'a://b', name: b, file: b.md}]\n", encoding="utf-8")
    with pytest.raises(ScaffoldError) as caught:
        validate([spec])
    assert [d.id for d in caught.value.diagnostics] == ["no-description", "unreadable-file"]
    (tmp_path / "b.md").write_text("# B\n", encoding="utf-8")
    assert [d.id for d in validate([spec])] == ["no-description"]


@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["validate", "--help"], ["new", "--help"]]
)
def test_what_reads_no_spec_imports_nothing_that_checks_one(words: list[str]) -> None:
    code = (
        "import sys; from scaffold.cli.main import main\n"
        "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *words]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert "click" in loaded
    assert not loaded & {"pydantic", "pydantic_core", "yaml", "jsonschema_rs", "scaffold.spec"}


def test_checking_a_spec_imports_nothing_that_only_generating_needs() -> None:
    code = "import sys, scaffold.cli.report, scaffold.validate; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"jinja2", "copier", "scaffold.generate", "importlib.resources"}


@pytest.mark.parametrize("command", ["validate", "new"])
def test_a_spec_with_a_key_much_like_a_missing_one_is_refused(tmp_path: Path, command: str) -> None:
    (tmp_path / "spec.yaml").write_text(f"x-{RIGHT}", encoding="utf-8")
    ran = mcp_scaffold(tmp_path, command, "spec.yaml")
    assert ran.returncode == 2
    assert "error[missing-key] missing key `name` in the spec" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("root", ["$ref: '#/$defs/place'", "allOf: [{$ref: '#/$defs/place'}]"])
def test_docs_and_types_have_the_arguments_that_a_reference_at_the_root_leads_to(
    tmp_path: Path, root: str
) -> None:
    place = "{properties: {city: {type: string}}, required: [city]}"
    schema = f"{{type: object, {root}, $defs: {{place: {place}}}}}"
    spec = RIGHT.replace("{type: object}", schema).replace("find", "find_city")
    (tmp_path / "spec.yaml").write_text(spec, encoding="utf-8")
    assert mcp_scaffold(tmp_path, "new", "spec.yaml", "out").returncode == 0
    assert "| `city` | string | required |" in (tmp_path / "out/TOOLS.md").read_text("utf-8")
    sources = "".join(p.read_text("utf-8") for p in (tmp_path / "out/src").rglob("*.py"))
    assert "    city: str\n" in sources


def mcp_scaffold(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = str(Path(sys.executable).with_name("mcp-scaffold"))
    return subprocess.run(
        [command, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
