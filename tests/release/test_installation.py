"""Pages say how to install the tool: from a checkout, or from the index once it is there.

`on-index` in pyproject.toml decides. After a change, `WRITE_CASES=1 pytest tests/release` writes the
pages.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from tests.generated import REPOSITORY

FOLDER = Path(__file__).with_name("installation")
SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["release"]
CHOSEN, OTHER = ("index", "checkout") if SETTINGS["on-index"] else ("checkout", "index")


@pytest.mark.parametrize("page", ["README.md", "docs/init.md"])
def test_the_pages_name_the_source_of_the_tool(page: str) -> None:
    path = REPOSITORY / page
    wanted, unwanted = ((FOLDER / kind / path.name).read_text("utf-8") for kind in (CHOSEN, OTHER))
    text = path.read_text("utf-8")
    if "WRITE_CASES" in os.environ and wanted not in text:
        text = text.replace(unwanted, wanted)
        path.write_text(text, "utf-8")
    assert text.count(wanted) == 1
    assert unwanted not in text
