"""Every command on a page is run, in the order of the page, or `commands.toml` says why it is not."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import environment
from tests.generated import REPOSITORY
from tests.shell import bash

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
REASONS: dict[str, str] = TABLE["not-run"]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
BLOCK = re.compile(r"^ *```(sh|console)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
FAILURE = re.compile(r"^\S*error\b|: error\[|out of date:", re.MULTILINE)


def commands(page: Path) -> Iterator[tuple[str, bool]]:
    """Yield each command of a page with its line end, and whether the page shows that it fails."""
    for kind, body in BLOCK.findall(page.read_text("utf-8")):
        if kind == "sh":
            yield from ((f"{line}\n", False) for line in body.splitlines() if line.strip())
        else:
            for command, output in re.findall(r"^\$ (.*\n)((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
                yield command, bool(FAILURE.search(output))


USED = {str(page.relative_to(REPOSITORY)): page for page in PAGES if any(commands(page))}
RUN = sorted(USED.keys() - TABLE["followed"].keys())


def test_each_page_with_commands_is_run_and_each_reason_is_used() -> None:
    assert sorted(TABLE.keys() - {"followed", "not-run"}) == RUN
    assert TABLE["followed"].keys() <= USED.keys()
    for file in TABLE["followed"].values():
        assert Path(__file__).with_name(file).exists()
    every = [command for page in RUN for command, _ in commands(USED[page])]
    for start in REASONS:
        assert any(command.startswith(start) for command in every), start
    for page in RUN:
        for start in TABLE[page].get("at", ()):
            assert any(command.startswith(start) for command, _ in commands(USED[page])), start


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_work_in_their_order(page: str, tmp_path: Path) -> None:
    lines = ["set -ux", TABLE[page].get("before", "")]
    for command, fails in commands(USED[page]):
        if any(command.startswith(start) for start in REASONS):
            continue
        happens = TABLE[page].get("at", {})
        lines += [happens[start] for start in happens if command.startswith(start)]
        lines.append(f"if {command}then exit 9; fi" if fails else command)
    env = environment(tmp_path / "bin")
    (tmp_path / "bin/python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "bin/python").chmod(0o755)
    more = {"CHECKOUT": str(REPOSITORY), "HOME": str(tmp_path)}
    done = bash("\n".join(lines), tmp_path, env | more)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
