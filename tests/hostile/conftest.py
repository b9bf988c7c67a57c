"""Fixtures for trying many servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import pytest

from tests.generated import Generated
from tests.hostile.forked import IMPORTED, Forked
from tests.nursery import nursery


class Server(Protocol):
    """Gives the project in a folder, whose servers can be started with these variables set."""

    def __call__(
        self, folder: Path, env: Mapping[str, str] = MappingProxyType({})
    ) -> Generated: ...


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Servers, quickly."""
    with nursery(*IMPORTED) as copied:

        def project(folder: Path, env: Mapping[str, str] = MappingProxyType({})) -> Generated:
            [package] = (folder / "src").iterdir()
            return Forked(folder, package.name, env, nursery=copied)

        yield project
