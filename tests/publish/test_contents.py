"""What is published can be unpacked on every system, and holds what git knows."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError, Severity
from scaffold.publish import bundle
from scaffold.publish.check import findings
from scaffold.publish.subject import subject
from tests.repository import git

HANDLER = "src/library/tools/find_book.py"


def problems(root: Path) -> list[str]:
    """What is wrong with the files of a bundle."""
    every = findings(subject(root))
    is_error = Severity.ERROR
    return [
        finding.message
        for finding in every
        if (finding.id, finding.severity) == ("bundle-file", is_error)
    ]


def test_a_bundle_has_a_maximum_size(sound: Path) -> None:
    with (sound / "src/library/data.bin").open("wb") as file:
        file.truncate(3_000_000_000)
    [message] = problems(sound)
    assert "more than 200 MB" in message


@pytest.mark.skipif(os.name == "nt", reason="these names do not exist there")
def test_a_file_that_some_systems_cannot_unpack_is_an_error(sound: Path) -> None:
    folder = os.fsencode(sound / "src/library")
    for name in (b"\xff.txt", b"a\\b.txt", b"aux.txt", b"end.", b"Data.txt", b"data.txt"):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(b"x")
    (sound / "src/library/data.json").symlink_to(sound / "server.json")
    messages = problems(sound)
    for text, count in {
        "some systems cannot unpack a file of this name": 4,
        "some systems take it for `src/library/Data.txt`": 1,
        "`src/library/data.json` is a symlink, and would not be published": 1,
    }.items():
        assert sum(text in message for message in messages) == count, messages


def test_the_bundle_is_not_written_if_git_fails(sound: Path) -> None:
    (sound / ".git/index").write_bytes(b"x")
    with pytest.raises(ScaffoldError, match="git does not tell which files it ignores"):
        subject(sound)


def test_ignored_files_are_left_out_even_without_a_repository(sound: Path) -> None:
    shutil.rmtree(sound / ".git")
    (sound / "src/library/notes.txt").write_text("private", encoding="utf-8")
    with (sound / ".gitignore").open("a", encoding="utf-8") as file:
        file.write("notes.txt\n")
    assert "src/library/notes.txt" not in bundle.files(subject(sound))


def test_a_file_that_git_does_not_know_is_a_warning(sound: Path) -> None:
    (sound / "src/library/new.py").write_text("", encoding="utf-8")
    warnings = [
        finding for finding in findings(subject(sound)) if finding.severity is Severity.WARNING
    ]
    assert [finding.id for finding in warnings] == ["bundle-file"]
    git(sound, "add", "--all")
    assert not [
        finding for finding in findings(subject(sound)) if finding.severity is Severity.WARNING
    ]


def test_a_checkout_with_other_line_ends_has_the_same_bundle(sound: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    git(tmp_path, "-c", "core.autocrlf=true", "clone", "--quiet", str(sound), str(there))
    git(there, "config", "core.autocrlf", "true")
    assert b"\r\n" in (there / HANDLER).read_bytes()
    assert bundle.files(subject(there)) == bundle.files(subject(sound))
