"""What is written for users is what the code does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from scaffold.format.schema import json_schema
from scaffold.yaml.source import parse
from tests.checked import check
from tests.generated import REPOSITORY

PAGE = (REPOSITORY / "docs" / "spec.md").read_text("utf-8")
PAGES = [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((REPOSITORY / "docs").glob("*.md"))


def keys(schema: Any) -> Iterator[str]:
    """Every key that a spec may have, at any depth."""
    if isinstance(schema, dict):
        if isinstance(properties := schema.get("properties"), dict):
            yield from properties
        for part in schema.values():
            yield from keys(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from keys(part)


@pytest.mark.parametrize("key", sorted(set(keys(json_schema()))))
def test_every_key_of_the_format_is_on_its_page(key: str) -> None:
    assert re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", PAGE)


def test_the_examples_on_the_page_are_valid_specs(tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    whole: dict[str, Any] = {}
    for block in blocks:
        part = yaml.safe_load(block) or {}
        if block.startswith("# another server\n"):
            check(parse(json.dumps({"name": "another", "version": "1", **part})))
        else:
            whole |= part
    assert len(whole) > 15
    check(parse(json.dumps(whole)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_resolve(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / link).exists(), link


def test_the_pages_are_short() -> None:
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")]
    text = "".join(page.read_text("utf-8") for page in pages)
    prose = re.sub(r"^ *```.*?^ *```\n", "", text, flags=re.DOTALL | re.MULTILINE)
    assert len(prose.splitlines()) <= 2_000


def test_the_readme_shows_what_the_tutorial_builds() -> None:
    """The tutorial is followed by a test of its own."""
    readme, tutorial = PAGES[0].read_text("utf-8"), (REPOSITORY / "docs/tutorial.md").read_text()
    [spec] = re.findall(r"```yaml\n# part of weather\.yaml\n(.*?)```", readme, re.DOTALL)
    [(path, handler)] = re.findall(r"```python\n# (\S+\.py): [^\n]*\n(.+?)```", readme, re.DOTALL)
    assert spec in tutorial
    assert f"# {path}\n" in tutorial
    assert handler in tutorial
    assert len(readme.splitlines()) <= 120
