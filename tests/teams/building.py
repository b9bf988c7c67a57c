"""The command in a process of its own, and git repositories with tags."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

from scaffold.disk.records import PACK, SOURCE
from scaffold.packs.parts import read_parts
from scaffold.project.pack_record import Record, fingerprint
from tests import command
from tests.command import Ended

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(not GIT, reason="git is not installed")

REPOSITORY = Path(__file__).resolve().parents[2]

SPEC = """\
name: {name}
version: "1.0.0"
tools:
  - name: greet
    description: Greets a person by name.
    inputSchema:
      type: object
      properties: {{name: {{type: string, description: Whom to greet}}}}
      required: [name]
"""

QUESTIONS = """\
_templates_suffix: .copier
_envops:
  block_start_string: "<%"
  block_end_string: "%>"
  variable_start_string: "<<"
  variable_end_string: ">>"
  comment_start_string: "<#"
  comment_end_string: "#>"
  keep_trailing_newline: true
  undefined: jinja2.StrictUndefined
"""

TABLE = 'name = "acme"\ncontract = 3\nextends = "python"\n'

OWNERS = '[[files]]\ntemplate = "OWNERS.j2"\nowner = "merged"\n'


def run(
    *arguments: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
) -> Ended:
    """Run `mcp-scaffold` in a process of its own, with nobody there to answer.

    With a PYTHONPATH in `env`, it is the one of another version of this repository.
    """
    whole = {**os.environ, "PYTHONPATH": str(REPOSITORY), **(env or {})}
    start = command.run_anew if "PYTHONPATH" in (env or {}) else command.run
    ended = start(*arguments, cwd=cwd, env=whole, timeout=timeout)
    assert "Traceback" not in ended.err, ended.err
    return ended


def record_pack(project: Path) -> None:
    """Record the pack that a test has written to a project, if there is one, as it is now."""
    if parts := read_parts(project / PACK):
        record = Record(".", None, None, fingerprint(parts), {}, {})
        (project / SOURCE).write_text(record.text())


class Create(Protocol):
    """Creates a project with a pack; see `conftest.py`."""

    def __call__(
        self, pack: object, *options: str, name: str = "p", **environment: str
    ) -> Path: ...


class Repository:
    """A git repository of its own."""

    def __init__(self, folder: Path) -> None:
        if not GIT:
            pytest.skip("git is not installed")
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, input: str = "") -> str:
        nobody = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
        return subprocess.run(
            ["git", *nobody, *arguments],
            cwd=self.folder,
            input=input,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write these texts; None takes a file away."""
        for path, text in files.items():
            file = self.folder / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")

    def tag(self, version: str, files: Mapping[str, str | None]) -> None:
        """Commit these changes, and give the commit a tag."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", version)
        self.git("tag", version)


def contents(root: Path) -> dict[Path, bytes]:
    """The files of a project, by path; none if there is no project."""
    return {
        path: path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".scaffold/run/" not in path.as_posix()
    }
