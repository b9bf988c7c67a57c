"""The installed command ends as a command should, whatever becomes of its output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("mcp-scaffold")
FULL = Path("/dev/full")


def exit_code(*arguments: str, shell: str = "") -> tuple[int, str]:
    script = f'"$@" {shell}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", str(COMMAND), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_the_output_in_a_pipe_is_whole() -> None:
    done = subprocess.run([COMMAND, "schema"], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("}\n")


@pytest.mark.parametrize(("arguments", "code"), [(["--version"], 0), (["nothing"], 2)])
def test_the_exit_code_arrives(arguments: list[str], code: int) -> None:
    assert exit_code(*arguments)[0] == code


def test_a_finding_that_there_is_not_is_an_error_that_names_the_nearest() -> None:
    code, errors = exit_code("validate", "--explain", "bad-renam")
    assert code == 2
    assert "there is no diagnostic `bad-renam`, did you mean `bad-rename`?" in errors


def test_a_reader_that_has_gone_is_no_traceback() -> None:
    code, errors = exit_code("schema", shell="| head -c 1; exit 3")
    assert (code, errors) == (3, "")


def test_closed_standard_output_is_no_traceback() -> None:
    assert exit_code("schema", shell=">&-") == (0, "")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_below_standard_output_is_an_error() -> None:
    assert exit_code("schema", shell=">/dev/full") == (2, "error: No space left on device\n")
