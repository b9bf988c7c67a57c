"""Fixtures of the tests of regeneration."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.regenerate.living import NUMBER, TEXT, Living, spec, tool


@pytest.fixture
def blog(tmp_path: Path) -> Living:
    """A server of two tools, fresh."""
    tools = tool("search", "query", query=TEXT, top_k=NUMBER), tool("read", "source", source=TEXT)
    return Living.born(tmp_path / "blog", spec(*tools))
