"""A project that could be published as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scaffold.files import RelPath
from scaffold.new import new
from scaffold.regenerate import regenerate

SPEC = """\
name: library
version: "1.4.0"
title: Library
description: The catalog and the loans of a public library. It knows every book.
websiteUrl: https://library.example
icons: [{src: "https://library.example/icon.png", mimeType: image/png, sizes: [48x48]}]
transports: [stdio, streamable-http]
http: {port: 8100}
auth: {bearer: {env: LIBRARY_TOKEN}}
publish:
  namespace: io.github.Example
  packages: [pypi, mcpb, oci]
  license: MIT
  repository: https://github.com/Example/library-mcp
  image: images.example/example/library
  remotes: [{url: "https://library.example/mcp"}]
env:
  - {name: LIBRARY_TOKEN, description: Bearer token, secret: true, required: false}
  - {name: LIBRARY_KEY, description: Key of a lending station, secret: true}
  - {name: LIBRARY_LIMIT, description: Books for each reader, type: integer, default: "3"}
  - {name: LIBRARY_FILE, description: The catalog, type: path, required: false}
tools:
  - name: find_book
    description: Find the books whose title contains some words.
    inputSchema: {type: object, properties: {words: {type: string, description: Words}}}
  - name: lend_book
    description: Lend a book to a reader, unless somebody has it.
    inputSchema: {type: object, properties: {book: {type: integer, description: Number}}}
"""

LOCK = """\
version = 1

[[package]]
name = "library"
version = "1.4.0"
source = { editable = "." }

[package.metadata]
requires-dist = [
    { name = "jsonschema-rs", specifier = ">=0.60,<0.61" },
    { name = "mcp", specifier = ">=2.3,<2.4" },
]
"""


def git(folder: Path, *arguments: str) -> None:
    """Run git with a configuration of its own."""
    person = {
        f"GIT_{who}_{what}": "a@b.c"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    nothing = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-c", "init.defaultBranch=main", *arguments]
    subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **person, **nothing},
        check=True,
        capture_output=True,
    )


def updated(root: Path, *missing: str) -> None:
    """Regenerate a project, with files that are missing."""
    assert regenerate(root, [*map(RelPath, missing)], accept_conflicts=False).applied


def made(folder: Path, spec: str = SPEC) -> Path:
    """Create a project in a folder, with a remote, and write what publishing needs."""
    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    root = folder / "library"
    new(folder / "spec.yaml", root)
    (root / "uv.lock").write_text(LOCK, encoding="utf-8")
    git(root, "init", "--quiet")
    git(root, "remote", "add", "origin", "git@github.com:Example/library-mcp.git")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "all")
    return root


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here have a project in a git repository."""


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, for tests that do not change it."""
    return made(tmp_path_factory.mktemp("publish"))


@pytest.fixture
def sound(whole: Path, tmp_path: Path) -> Path:
    """A copy of the project, to plant faults in."""
    return shutil.copytree(whole, tmp_path / "library", symlinks=True)
