"""Git, and repositories whose commits have tags."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    """Run git in a folder, and return what it prints; skip the test where there is none."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    return subprocess.run(
        ["git", *AUTHOR, *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        capture_output=True,
        text=True,
        check=check,
    ).stdout


class Repository:
    """A git repository of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        return git(self.folder, *arguments)

    def write(self, files: Mapping[str, str]) -> None:
        """Write these texts."""
        for path, text in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text, "utf-8")

    def commit(self, message: str) -> None:
        """Commit all that is there, even if nothing has changed."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def tag(self, version: str, files: Mapping[str, str]) -> None:
        """Commit these changes, and give the commit a tag."""
        self.write(files)
        self.commit(version)
        self.git("tag", version)
