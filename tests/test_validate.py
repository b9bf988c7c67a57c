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


def test_checking_a_spec_imports_nothing_that_only_generating_needs() -> None:
    code = "import sys, scaffold.cli.report, scaffold.validate; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"jinja2", "pydantic", "copier", "scaffold.pipeline", "importlib.resources"}
