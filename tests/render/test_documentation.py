"""What is written for those who make packs is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from scaffold.explain import sections
from scaffold.project import text
from scaffold.render import builtin_packs, sandbox
from scaffold.render.table import CONTRACT

CONTRACT_PAGE = (builtin_packs() / "README.md").read_text("utf-8")


def named_under(heading: str) -> set[str]:
    """The names that head a cell of the tables under a heading."""
    _, _, section = CONTRACT_PAGE.partition(f"\n{heading}\n")
    section = re.split(r"\n#", section)[0]
    return set(re.findall(r"\| `(\w+)(?:\([^`]*\))?` (?=\|)", section, re.MULTILINE))


def test_the_contract_has_the_number_that_the_code_keeps() -> None:
    assert f"contract **{CONTRACT}**" in CONTRACT_PAGE
    assert f"contract = {CONTRACT}\n" in CONTRACT_PAGE


def test_the_contract_lists_every_filter_and_no_other() -> None:
    assert named_under("### Free text") == set(text.FILTERS)
    assert named_under("### Python of the project") == set(sandbox.LAYOUT_FILTERS)
    assert named_under("### Filters of Jinja") == sandbox.JINJA_FILTERS


def test_every_diagnostic_of_a_pack_or_template_is_explained() -> None:
    folder = Path(sandbox.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    ids = set(re.findall(r'"((?:pack|template|path)-[a-z]+)"', sources))
    assert len(ids) > 10
    assert ids <= set(sections())
