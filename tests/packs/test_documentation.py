"""What is written for those who make packs is what the code does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, StructMeta

from scaffold.base import text
from scaffold.base.text import Text
from scaffold.languages.python.handlers import Code, Existing
from scaffold.languages.python.http import HttpRequest
from scaffold.languages.python.text import FILTERS
from scaffold.packs import builtin_packs, sandbox
from scaffold.packs.pack import block_texts
from scaffold.packs.table import CONTRACT
from scaffold.project import model

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
    assert named_under("### Free text") == {*FILTERS, *text.FILTERS}
    assert named_under("### Filters of Jinja") == sandbox.JINJA_FILTERS


def test_the_contract_lists_the_blocks_of_every_template_and_no_other() -> None:
    folder = builtin_packs() / "python"
    found = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.j2")}
    section = CONTRACT_PAGE.partition("\n## Blocks\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\S+\.j2)` \| (.+) \|$", section, re.MULTILINE)
    listed = {template: re.findall(r"`(\w+)`", names) for template, names in rows}
    assert listed == {
        path: names for path, text in found.items() if (names := [*block_texts(text)])
    }
    told = set(
        re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`\w+`.*?) \|", section, re.MULTILINE)))
    )
    assert told == {name for names in listed.values() for name in names}


def test_the_contract_lists_what_templates_see_and_no_more() -> None:
    """Each attribute of the model with its type, under the name of its class."""
    _, _, section = CONTRACT_PAGE.partition("<!-- attributes: begin -->")
    section, _, _ = section.partition("<!-- attributes: end -->")
    rows = re.findall(r"^\| `(\w+)\.(\w+)` \| `(.+?)` \| \S", section, re.MULTILINE)
    listed: dict[str, dict[str, str]] = {}
    for owner, name, kind in rows:
        listed.setdefault(owner, {})[name] = kind.replace("\\|", "|")
    assert listed == dict(visible_to_templates())


def visible_to_templates() -> Iterator[tuple[str, dict[str, str]]]:
    for kind in (HttpRequest, Existing, *vars(model).values()):
        if not isinstance(kind, StructMeta) or kind in (Struct, Text, Code):
            continue
        above = [base for base in kind.__mro__[1:] if kind is not model.Handler or base is not Code]
        inherited = {name for base in above for name in getattr(base, "__annotations__", ())}
        types = {**Code.__annotations__, **kind.__annotations__}
        own = {
            name: str(types[name])
            for name in kind.__struct_fields__
            if name not in inherited and name[0] != "_"
        }
        properties = {
            name: str(getter.__annotations__["return"])
            for name, value in vars(kind).items()
            if (getter := getattr(value, "fget", None) or getattr(value, "func", None))
        }
        yield kind.__name__, own | properties
