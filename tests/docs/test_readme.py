"""The commands of the README, in their order, in a copy of the checkout."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.docs.pages import environment
from tests.generated import REPOSITORY
from tests.release.sources import copy_checkout
from tests.shell import bash

pytestmark = pytest.mark.usefixtures("starts_programs")

PAGE = (REPOSITORY / "README.md").read_text("utf-8")

DEV = """
mcp-scaffold() {
    if [ "$1" != dev ]; then command mcp-scaffold "$@"; return; fi
    command mcp-scaffold dev > dev.log 2>&1 &
    until grep -q '^planner: ' dev.log; do kill -0 $!; sleep 0.1; done
    kill $! && wait $!
}
"""
"""A person: starts `dev`, sees where the server is, and stops it."""


def test_the_instructions_of_the_readme_work(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    copy_checkout(checkout)
    (checkout / ".ci/test").write_text("#!/bin/sh\necho tested\n")  # It runs this test.
    (checkout / ".venv").mkdir()
    env = environment(checkout / ".venv/bin")
    (checkout / ".venv/bin/python").symlink_to(sys.executable)
    (checkout / ".venv/complete").touch()
    start, own, bare = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    script = f"{start}\n{DEV}\n{own}\ncd '{checkout}'\n{bare}"
    done = bash(script, checkout, env | {"TMPDIR": str(tmp_path)})
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed
    assert "FAIL" not in printed
    assert "VIRTUAL_ENV" not in printed
    for line in (
        "ok   search_blog, a question",
        "tested",
        "planner: created in ../planner",
        "create    src/planner/tools/list_holidays.py",
        "warning[placeholder-description] `list_holidays`",
        "todo  src/planner/tools/list_holidays.py:14 raises NotWritten\n6 checks passed",
        "calculator: created in calculator",
    ):
        assert line in printed, printed
