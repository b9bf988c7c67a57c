"""What a registry would refuse is found before anything is public, with the place and a remedy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, Severity
from scaffold.publish.check import findings
from scaffold.publish.subject import subject
from tests.publish.conftest import git, made, updated

DATA = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text("utf-8"))
FAULTS = DATA["faults"]


def found_in(root: Path) -> tuple[Diagnostic, ...]:
    return findings(subject(root))


def test_a_sound_project_has_no_findings(whole: Path) -> None:
    assert found_in(whole) == ()


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_is_found_at_its_place(sound: Path, fault: dict[str, str]) -> None:
    file = sound / fault["file"]
    text = file.read_text(encoding="utf-8")
    assert fault["text"] in text
    file.write_text(text.replace(fault["text"], fault["instead"], 1), encoding="utf-8")
    if fault["file"] == ".gitignore":
        git(sound, "rm", "--cached", "--quiet", "src/library/__main__.py")
    found = found_in(sound)
    if fault["file"] == "mcp.yaml":  # what names the server everywhere else is wrong then too
        found = tuple(one for one in found if one.place and one.place.path.endswith(".yaml"))
    assert {one.id for one in found} == {fault["id"]}, found
    assert all(one.hint and one.place for one in found)
    for one in found if "line" in fault else ():
        assert one.place
        lines = Path(one.place.path).read_text("utf-8").splitlines()
        assert fault["line"] in lines[(one.place.line or 1) - 1]


def patched(root: Path, patch: str) -> None:
    """Add a merge patch to the spec, and generate what it says."""
    spec = root / "mcp.yaml"
    spec.write_text(spec.read_text("utf-8").replace("  license: MIT\n", f"  license: MIT\n{patch}"))
    updated(root)


@pytest.mark.parametrize("patch", DATA["patches"], ids=lambda patch: str(patch["text"])[:40])
def test_what_a_patch_makes_is_held_against_the_official_schemas(
    sound: Path, patch: dict[str, str]
) -> None:
    patched(sound, f"  {patch['text']}\n")
    found = [one for one in found_in(sound) if one.severity is Severity.ERROR]
    assert found
    assert {one.id for one in found} == {patch.get("id", found[0].id)}, found
    assert any(patch.get("hint", "") in (one.hint or "") for one in found)


def test_a_patch_changes_what_is_generated_and_regenerate_knows_it(sound: Path) -> None:
    patched(
        sound,
        "  server: {websiteUrl: null, _meta: {io.modelcontextprotocol.registry/publisher-provided: {by: us}}}\n"
        "  manifest: {keywords: [books], compatibility: {platforms: [linux]}}\n",
    )
    assert found_in(sound) == ()
    server = json.loads((sound / "server.json").read_text("utf-8"))
    manifest = json.loads((sound / "manifest.json").read_text("utf-8"))
    assert "websiteUrl" not in server
    assert [*server["_meta"].values()] == [{"by": "us"}]
    assert manifest["keywords"] == ["books"]
    assert manifest["compatibility"]["platforms"] == ["linux"]
    assert "runtimes" in manifest["compatibility"]


def test_files_that_are_missing_are_errors_and_written_again(sound: Path) -> None:
    paths = ("server.json", "manifest.json", "README.md", "Dockerfile")
    for path in paths:
        (sound / path).unlink()
    missing = [one for one in found_in(sound) if one.id == "publish-file"]
    assert {Path(one.place.path).name for one in missing if one.place} == {*paths}
    updated(sound, *paths)
    git(sound, "add", "--all")
    assert found_in(sound) == ()


def test_a_commit_is_tagged_with_its_version_alone_and_a_version_is_published_once(
    sound: Path,
) -> None:
    git(sound, "tag", "v1.4.0")
    assert found_in(sound) == ()
    git(sound, "tag", "v1.3.0")
    [found] = found_in(sound)
    assert (found.id, "`v1.3.0`" in found.message) == ("publish-tag", True)
    git(sound, "commit", "--quiet", "--allow-empty", "--message", "more")
    [found] = found_in(sound)
    assert (found.id, "this version is published" in found.message) == ("publish-tag", True)


def test_a_spec_without_publish_is_told_what_to_add(tmp_path: Path) -> None:
    root = made(tmp_path)
    spec = root / "mcp.yaml"
    text = spec.read_text("utf-8")
    start, end = text.index("publish:"), text.index("\nenv:") + 1
    spec.write_text(text[:start] + text[end:], "utf-8")
    with pytest.raises(ScaffoldError, match="does not say how the server is published"):
        subject(root)


def test_a_project_below_the_root_of_its_repository_is_a_warning(
    sound: Path, tmp_path: Path
) -> None:
    shutil.rmtree(sound / ".git")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "remote", "add", "origin", "git@github.com:Example/library-mcp.git")
    git(tmp_path, "add", "--all")
    [found] = found_in(sound)
    assert (found.id, found.severity) == ("publish-file", Severity.WARNING)


def test_a_file_that_cannot_be_read_is_named_once(sound: Path) -> None:
    (sound / "pyproject.toml").write_text("[project\n", encoding="utf-8")
    found = [one for one in found_in(sound) if one.id == "publish-file"]
    assert [Path(one.place.path).name for one in found if one.place] == ["pyproject.toml"]
