"""What a registry would refuse is found before anything is public, with the place and a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.publish.bundle import files
from scaffold.publish.check import findings
from scaffold.publish.subject import subject
from tests.publish.conftest import updated
from tests.repository import git

DATA = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text("utf-8"))
FAULTS = DATA["faults"]


def problems_in(root: Path) -> tuple[Diagnostic, ...]:
    return findings(subject(root))


def test_a_valid_project_has_no_findings(whole: Path) -> None:
    assert problems_in(whole) == ()


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_is_found_at_its_place(sound: Path, fault: dict[str, str]) -> None:
    file = sound / fault["file"]
    text = file.read_text(encoding="utf-8")
    assert fault["text"] in text
    file.write_text(text.replace(fault["text"], fault["instead"], 1), encoding="utf-8")
    if fault["file"] == ".gitignore":
        git(sound, "rm", "--cached", "--quiet", "src/library/__main__.py")
    problems = problems_in(sound)
    if fault["file"] == "mcp.yaml":  # what names the server everywhere else is wrong then too
        problems = tuple(
            finding
            for finding in problems
            if finding.place and finding.place.path.endswith(".yaml")
        )
    assert {finding.id for finding in problems} == {fault["id"]}, problems
    assert all(finding.hint and finding.place for finding in problems)
    for finding in problems if "line" in fault else ():
        assert finding.place
        lines = Path(finding.place.path).read_text("utf-8").splitlines()
        assert fault["line"] in lines[(finding.place.line or 1) - 1]


def patched(root: Path, patch: str) -> None:
    """Add a merge patch to the spec, and generate what it says."""
    spec = root / "mcp.yaml"
    spec.write_text(spec.read_text("utf-8").replace("  license: MIT\n", f"  license: MIT\n{patch}"))
    updated(root)


@pytest.mark.parametrize("patch", DATA["patches"], ids=lambda patch: str(patch["text"])[:40])
def test_patched_documents_are_checked_by_the_official_schemas(
    sound: Path, patch: dict[str, str]
) -> None:
    patched(sound, f"  {patch['text']}\n")
    errors = [finding for finding in problems_in(sound) if finding.severity is Severity.ERROR]
    assert errors
    assert {finding.id for finding in errors} == {patch.get("id", errors[0].id)}, errors
    assert any(patch.get("hint", "") in (finding.hint or "") for finding in errors)


def with_values(root: Path, values: str) -> None:
    """Give a project templates of its own, whose table has these values."""
    (root / "templates").mkdir()
    (root / "templates/pack.toml").write_text(f"contract = 4\n{values}\n")
    updated(root)


def test_packs_say_which_file_describes_the_package(sound: Path) -> None:
    with_values(sound, 'project_file = { path = "package.json", table = "" }')
    (sound / "package.json").write_text('{"name": "library", "version": "0.0.1"}')
    [version] = (finding for finding in problems_in(sound) if finding.id == "publish-version")
    assert version.place
    assert (Path(version.place.path).name, version.hint) == (
        "package.json",
        f"set `version` to `{subject(sound).version}`",
    )


def test_packs_say_which_files_are_in_a_bundle(sound: Path) -> None:
    (sound / "data").mkdir()
    (sound / "data/books.csv").write_text("title\n")
    with_values(sound, 'bundles = ["src", "data", "client.py"]')
    git(sound, "add", "--all")
    git(sound, "commit", "--quiet", "--message", "data")
    assert {"data/books.csv", "client.py"} <= files(subject(sound)).keys()
    assert "pyproject.toml" not in files(subject(sound))
