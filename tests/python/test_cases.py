"""The models of a spec are what one would write: each case is a folder with a spec and its models.

`python -m tests.python.test_cases` writes the models of all cases again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scaffold.languages.python.definitions import source
from scaffold.languages.python.handlers import handlers
from scaffold.spec.format import Spec
from scaffold.yaml.source import parse
from tests.checked import check
from tests.python.packs import PYTHON, assert_clean, in_style
from tests.python.test_types import cache

__all__ = ["cache"]

CASES = sorted((Path(__file__).parent / "cases").iterdir())


def models(case: Path) -> str:
    """The module of the models of a case's tools."""
    every = handlers(spec(case), "case")
    text = "\n\n\n".join(
        [PYTHON.head, *(source(known) for one in every for known in one.definitions), ""]
    )
    return in_style({"models": text})["models"]


def spec(case: Path) -> Spec:
    return check(parse((case / "spec.yaml").read_text()))


def imported(case: Path, text: str = "") -> ModuleType:
    """The module of a case, or another text of it, as it is imported."""
    module = sys.modules["models_of_case"] = ModuleType("models_of_case")
    exec(text or (case / "models.py").read_text(), module.__dict__)
    return module


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_models_are_what_one_would_write(case: Path) -> None:
    assert models(case) == (case / "models.py").read_text()


def values(case: Path) -> Iterator[tuple[str, Any]]:
    """Tools and their arguments."""
    path = case / "values.yaml"
    lines: Any = parse(path.read_text()).value if path.exists() else []
    for line in lines:
        yield from line.items()


VALUES = [
    pytest.param(case, name, value, id=f"{case.name}-{number}-{name}")
    for case in CASES
    for number, (name, value) in enumerate(values(case))
]


@pytest.mark.parametrize("annotations", ["", "from __future__ import annotations\n"])
@pytest.mark.parametrize(("case", "tool", "value"), VALUES)
def test_what_a_schema_allows_becomes_a_model_and_comes_back_the_same(
    case: Path, tool: str, value: Any, annotations: str
) -> None:
    """However the module has its annotations evaluated."""
    (handler,) = (one for one in handlers(spec(case), "case") if one.of.entry.name == tool)
    assert handler.of.arguments is not None
    assert handler.of.arguments.validator.is_valid(value)
    module = imported(case, annotations + (case / "models.py").read_text())
    model = getattr(module, handler.code.arguments_type).of_client(value)
    assert model.model_dump(mode="json", exclude_unset=True) == value


def test_a_type_checker_and_a_linter_find_nothing_in_the_models_of_all_cases(
    tmp_path: Path, cache: Path
) -> None:
    assert_clean(tmp_path, {case.name: models(case) for case in CASES}, cache)


if __name__ == "__main__":
    for case in CASES:
        (case / "models.py").write_text(models(case))
