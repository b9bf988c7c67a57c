"""Packs of teams, in folders and in git repositories, and projects that are made with them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.command import run
from tests.repository import Repository
from tests.teams.building import SPEC, Create


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """Most tests here start git, mypy or servers."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """The repository of a pack, with nothing in it."""
    return Repository(tmp_path / "acme-pack")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A spec of one tool."""
    path = tmp_path / "hello.yaml"
    path.write_text(SPEC.format(name="hello"))
    return path


@pytest.fixture
def project(spec: Path, tmp_path: Path) -> Path:
    """A project of one tool, made with the built-in pack."""
    assert run("new", spec, tmp_path / "hello").code == 0
    return tmp_path / "hello"


@pytest.fixture
def create(spec: Path, tmp_path: Path) -> Create:
    """Creates a project of one tool with a pack, and returns its folder."""

    def create(pack: object, *options: str, name: str = "p", **environment: str) -> Path:
        command = ("new", spec, tmp_path / name, "--pack", pack, *options)
        ended = run(*command, env={**os.environ, **environment})
        assert ended.code == 0, ended.err
        return tmp_path / name

    return create
