"""Fixtures for trying many servers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from generated import Generated

from .forked import Forked, nursery

Server: TypeAlias = Callable[[Path], Generated]
"""Gives the project in a folder, whose servers can be started."""


@pytest.fixture(scope="session")
def long() -> bool:
    """Whether to take much longer: MCP_SCAFFOLD_HOSTILE is set."""
    return "MCP_SCAFFOLD_HOSTILE" in os.environ


@pytest.fixture(scope="session")
def server(long: bool) -> Iterator[Server]:
    """Servers, quickly; each from nothing in the long run."""
    with nursery() as copied:

        def project(folder: Path) -> Generated:
            [package] = (folder / "src").iterdir()
            if long:
                return Generated(folder, package.name)
            return Forked(folder, package.name, nursery=copied)

        yield project
