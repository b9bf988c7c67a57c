"""What is written for those who make packs is what the code does."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any, get_args

import pytest
from msgspec import StructMeta

from scaffold.base import data
from scaffold.languages.names import case_filters
from scaffold.languages.python import code, handlers, http
from scaffold.languages.python.stdlib import models
from scaffold.languages.python.text import FILTERS
from scaffold.packs import builtin_packs, sandbox
from scaffold.packs.pack import block_texts, read_layers
from scaffold.packs.table import CONTRACT
from scaffold.project import model
from scaffold.project.view import FACTS
from scaffold.schema import describe
from tests.built import sources

CONTRACT_PAGE = (builtin_packs() / "README.md").read_text("utf-8")


def named_under(heading: str) -> set[str]:
    """The names that head a cell of the tables under a heading."""
    _, _, section = CONTRACT_PAGE.partition(f"\n{heading}\n")
    section = re.split(r"\n#", section)[0]
    return set(re.findall(r"\| `(\w+)(?:\([^`]*\))?` (?=\|)", section, re.MULTILINE))


def test_the_contract_has_the_version_number_of_the_code() -> None:
    assert f"contract **{CONTRACT}**" in CONTRACT_PAGE
    assert f"contract = {CONTRACT}\n" in CONTRACT_PAGE


def test_the_contract_lists_exactly_the_filters_that_exist() -> None:
    assert named_under("### Free text") == {*FILTERS, *data.FILTERS, *case_filters()}
    assert named_under("### Filters of Jinja") == sandbox.JINJA_FILTERS


def test_the_contract_lists_exactly_the_blocks_of_every_template() -> None:
    templates = sources(read_layers(builtin_packs() / "python"))
    section = CONTRACT_PAGE.partition("\n## Blocks\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\S+\.j2)` \| (.+) \|$", section, re.MULTILINE)
    listed = {template: re.findall(r"`(\w+)`", names) for template, names in rows}
    assert listed == {
        path: names for path, text in templates.items() if (names := [*block_texts(text)])
    }
    documented = set(
        re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`\w+`.*?) \|", section, re.MULTILINE)))
    )
    assert documented == {name for names in listed.values() for name in names}


@pytest.mark.parametrize(
    ("section", "modules"),
    [("attributes", [model, describe]), ("python", [code, handlers, http, models])],
)
def test_the_contract_lists_exactly_the_data_that_templates_see(
    section: str, modules: Sequence[ModuleType]
) -> None:
    """Each attribute of the model with its type, under the name of its class."""
    _, _, page = CONTRACT_PAGE.partition(f"<!-- {section}: begin -->")
    page, _, _ = page.partition(f"<!-- {section}: end -->")
    rows = re.findall(r"^\| `(\w+)\.(\w+)` \| `(.+?)` \| \S", page, re.MULTILINE)
    listed: dict[str, dict[str, str]] = {}
    for owner, name, kind in rows:
        listed.setdefault(owner, {})[name] = kind.replace("\\|", "|")
    assert listed == dict(visible_to_templates(modules))


def visible_to_templates(modules: Sequence[ModuleType]) -> Iterator[tuple[str, dict[str, str]]]:
    defined = [kind for module in modules for kind in vars(module).values()]
    for kind in dict.fromkeys(struct for struct in defined if isinstance(struct, StructMeta)):
        is_part = kind.__name__ == "Snippet" or kind.__module__ in {m.__name__ for m in modules}
        if not is_part:
            continue
        inherited = {
            name for base in kind.__mro__[1:] for name in getattr(base, "__annotations__", ())
        }
        own = {
            name: str(kind.__annotations__[name])
            for name in kind.__struct_fields__
            if name not in inherited and name[0] != "_"
        }
        if kind is describe.Description:  # which templates see through `View`
            own = {name: annotation.replace("str", "Text") for name, annotation in own.items()}
        facts = {
            name: returned(vars(part)[name]).replace("tuple[str", "tuple[Text")
            for base in vars(kind).get("__orig_bases__", ())
            for part in get_args(base)
            for name in FACTS.get(part, ())
        }
        properties = {
            name: returned(value)
            for name, value in vars(kind).items()
            if name[0] != "_" and isinstance(value, property | cached_property)
        }
        yield kind.__name__, own | facts | properties


def returned(getter: property | cached_property[Any]) -> str:
    """The type of a property."""
    function = getter.fget if isinstance(getter, property) else getter.func
    annotation = function.__annotations__["return"]
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
