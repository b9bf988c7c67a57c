"""What a pack copies arrives as it is in its repository: every byte, and the executable bit."""

from __future__ import annotations

from pathlib import Path

from tests.command import run
from tests.repository import Repository
from tests.teams.building import TABLE, Create

ROWS = """
[[files]]
template = "files/run.sh"
path = "run.sh"
owner = "generated"

[[files]]
template = "files/lines.txt"
path = "lines.txt"
owner = "generated"
"""


def is_executable(file: Path) -> bool:
    return bool(file.stat().st_mode & 0o100)


def release(repository: Repository, version: str, lines: bytes, mode: int) -> None:
    """Tag a version of a pack that copies these lines and a script with these permissions."""
    repository.write({"pack.toml": TABLE + ROWS, "files/run.sh": "#!/bin/sh\n"})
    (repository.folder / "files/lines.txt").write_bytes(lines)
    (repository.folder / "files/run.sh").chmod(mode)
    repository.tag(version, {".gitattributes": "files/* -text\n"})


def test_line_endings_of_a_copied_file_are_kept_and_checked(
    repository: Repository, create: Create
) -> None:
    release(repository, "v1", b"a\r\nb\r\n", 0o644)
    project = create(repository.folder)
    copy = project / "lines.txt"
    release(repository, "v2", b"a\nb\n", 0o644)
    assert run("pack", "upgrade", project).code == 0
    assert copy.read_bytes() == b"a\nb\n"
    assert run("regenerate", project, "--check").code == 0
    copy.write_bytes(b"a\r\nb\r\n")
    assert "error[edited]" in run("regenerate", project, "--check").err


def test_a_script_is_executable_if_it_is_in_the_repository(
    repository: Repository, create: Create
) -> None:
    release(repository, "v1", b"", 0o644)
    project = create(repository.folder)
    assert not is_executable(project / "run.sh")
    for version, mode in (("v2", 0o755), ("v3", 0o644)):
        release(repository, version, b"", mode)
        assert run("pack", "upgrade", project, "--check").code == 1
        assert run("pack", "upgrade", project).code == 0
        assert is_executable(project / "run.sh") is (mode == 0o755)
        assert run("regenerate", project, "--check").code == 0


def test_a_missing_executable_bit_is_out_of_date(repository: Repository, create: Create) -> None:
    release(repository, "v1", b"", 0o755)
    project = create(repository.folder)
    assert is_executable(project / "run.sh")
    (project / "run.sh").chmod(0o644)
    assert "run.sh" in run("regenerate", project, "--check").err
    assert run("regenerate", project).code == 0
    assert is_executable(project / "run.sh")


def test_golden_outputs_compare_line_endings_of_copies(repository: Repository) -> None:
    release(repository, "v1", b"a\r\n", 0o644)
    assert run("pack", "check", repository.folder, "--no-run", "--update").code == 0
    (repository.folder / "files/lines.txt").write_bytes(b"a\n")
    assert run("pack", "check", repository.folder, "--no-run", "--compare").code == 1
