"""A repository of servers, and the recipes of docs/many-servers.md that CI runs in it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.teams.building import REPOSITORY, Repository

PAGE = (REPOSITORY / "docs/many-servers.md").read_text("utf-8")


def recipe(language: str, holding: str) -> Any:
    """The block of the page in this language that holds a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    [block] = [block for block in blocks if holding in block]
    return json.loads(block) if language == "json" else yaml.safe_load(block)


class Fleet:
    """A repository of servers in which people work, its bare origin, and clones of that as in CI."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pack = Repository(folder / "acme-pack")
        self.work = Repository(folder / "work")
        self.servers = self.work.folder / "servers"
        self.origin = folder / "origin.git"
        self.work.git("init", "--quiet", "--bare", "--initial-branch=main", str(self.origin))
        self.work.git("remote", "add", "origin", str(self.origin))

    def publish(self, message: str) -> None:
        """Commit all and push it to the origin."""
        self.work.git("add", "--all")
        self.work.git("commit", "--quiet", "--allow-empty", "--message", message)
        self.work.git("push", "--quiet", "origin", "main")

    def run(
        self, script: str, timeout: float = 600, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a script in a fresh clone, as a CI does: bash, that stops at the first error."""
        clone = self.folder / "clone"
        shutil.rmtree(clone, ignore_errors=True)
        self.work.git("clone", "--quiet", str(self.origin), str(clone))
        path = os.pathsep.join([str(self.folder / "bin"), str(Path(sys.executable).parent)])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=clone,
            env={**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}", **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def at(self, branch: str, path: str) -> str:
        """A file on a branch of the origin."""
        return self.work.git("--git-dir", str(self.origin), "show", f"{branch}:servers/{path}")

    @property
    def branches(self) -> set[str]:
        options = ("for-each-ref", "--format=%(refname:short)", "refs/heads")
        return {*self.work.git("--git-dir", str(self.origin), *options).split()}
