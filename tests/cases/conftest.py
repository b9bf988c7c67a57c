"""Each session of a page (see `session.py`) is a test: `pytest tests/cases/validate/validate.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.cases.session import Page, Shell, played

collect_ignore_glob = ["*/*.py"]  # what sessions work with

PROGRAMS = re.compile(r"^    [$>] .*\b(?:git|python|mcp-scaffold (?:pack )?check)\b", re.MULTILINE)
"""Commands that start programs."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return PageFile.from_parent(parent, path=file_path) if file_path.suffix == ".md" else None


class PageFile(pytest.File):
    """A page; it begins once for all of its sessions."""

    def collect(self) -> Iterator[pytest.Item]:
        self.page = Page.read(self.path)
        assert self.page.sessions, "a page needs a heading `## ` for each test"
        for title, text in self.page.sessions.items():
            session = Session.from_parent(self, name=title)
            if PROGRAMS.search(self.page.begin + text):
                session.add_marker("starts_programs")
            yield session

    @cached_property
    def begun(self) -> tuple[Shell, str]:
        self.folder = TemporaryDirectory()
        return self.page.begun(Path(self.folder.name, "home"))


class Session(pytest.Item):
    """What a user types and reads."""

    def runtest(self) -> None:
        assert isinstance(self.parent, PageFile)
        page, (shell, begun) = self.parent.page, self.parent.begun
        with TemporaryDirectory() as folder:
            ended = played(page.sessions[self.name], page.again(shell, Path(folder, "home")))
        written, now = page.begin + page.sessions[self.name], begun + ended
        lines = written.splitlines(), now.splitlines()
        if diff := [*unified_diff(*lines, "written", "printed", lineterm="")]:
            advice = f"if it is right, run `python -m tests.cases {page.name}`"
            pytest.fail("\n".join([*diff, advice]), pytrace=False)
