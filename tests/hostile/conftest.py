"""Fixtures for trying many servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from generated import Generated

from . import LONG
from .forked import Forked, nursery

Server: TypeAlias = Callable[[Path], Generated]
"""Gives the project in a folder, whose servers can be started."""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Servers, quickly; each from nothing in the long run."""
    with nursery() as copied:

        def project(folder: Path) -> Generated:
            [package] = (folder / "src").iterdir()
            if LONG:
                return Generated(folder, package.name)
            return Forked(folder, package.name, nursery=copied)

        yield project
