"""Servers that start quickly, for tests that start a great many of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import pytest

from tests.generated import Generated


class Server(Protocol):
    """Gives the project in a folder, whose servers can be started with these variables set."""

    def __call__(
        self, folder: Path, env: Mapping[str, str] = MappingProxyType({})
    ) -> Generated: ...


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """Most tests here start servers."""


@pytest.fixture(scope="session")
def server() -> Server:
    """Servers, quickly."""

    def project(folder: Path, env: Mapping[str, str] = MappingProxyType({})) -> Generated:
        [package] = (folder / "src").iterdir()
        return Generated(folder, package.name, env)

    return project
