"""Fixtures of the tests of regeneration."""

from __future__ import annotations

import shutil
from copy import deepcopy
from pathlib import Path

import pytest

from tests.regenerate.living import NUMBER, TEXT, Living, spec, tool


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Living:
    """A server of two tools, to be copied: that takes less than to generate it."""
    tools = tool("search", "query", query=TEXT, top_k=NUMBER), tool("read", "source", source=TEXT)
    return Living.born(tmp_path_factory.mktemp("fresh") / "blog", spec(*tools))


@pytest.fixture
def blog(fresh: Living, tmp_path: Path) -> Living:
    """A server of two tools, fresh."""
    shutil.copytree(fresh.root.parent, tmp_path, dirs_exist_ok=True)
    return Living(tmp_path / "blog", deepcopy(fresh.spec))
