"""The models of a spec are what one would write: each case is a page with a spec and its models.

Between them may be values: tools and their arguments. `python -m tests.python.test_cases` writes
the models of all cases again.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from scaffold.languages.language import Code
from scaffold.languages.python.code import ProjectCode, code
from scaffold.yaml.source import parse
from tests.checked import check
from tests.python.packs import PYTHON, assert_clean, in_style
from tests.python.test_types import cache

__all__ = ["cache"]


class Case(NamedTuple):
    """A case: its spec as code, values, and the module of its models."""

    name: str
    code: Code
    values: list[tuple[str, Any]]
    models: str

    @classmethod
    def read(cls, path: Path) -> Case:
        blocks = re.findall(r"^```\w+\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL)
        spec, *values, models = blocks
        lines: Any = [line for text in values for line in parse(text).value]  # type: ignore[union-attr]
        made = code(check(parse(spec)))
        return cls(path.stem, made, [item for line in lines for item in line.items()], models)

    def written(self) -> str:
        """The module of its models as they are made now."""
        assert isinstance(self.code.project, ProjectCode)
        sources = self.code.project.definitions
        return in_style({"models": "\n\n\n".join([PYTHON.head, *sources, ""])})["models"]


PAGES = sorted((Path(__file__).parent / "cases").glob("*.md"))
CASES = [Case.read(path) for path in PAGES]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_models_look_hand_written(case: Case) -> None:
    assert case.written() == case.models


VALUES = [
    pytest.param(case, name, value, id=f"{case.name}-{number}-{name}")
    for case in CASES
    for number, (name, value) in enumerate(case.values)
]


@pytest.mark.parametrize(("case", "tool", "value"), VALUES)
def test_valid_values_survive_a_round_trip_through_their_model(
    case: Case, tool: str, value: Any
) -> None:
    (handler,) = (one for one in case.code.handlers if one.entry.name == tool)
    assert handler.entry.arguments_schema is not None
    assert handler.entry.arguments_schema.validator.is_valid(value)
    module = sys.modules["models_of_case"] = ModuleType("models_of_case")
    exec(case.models, module.__dict__)
    model = getattr(module, handler.arguments_type).of_client(value)
    dumped = model.model_dump(mode="json", exclude_unset=True)
    assert dumped == value
    assert str(dumped).count("True") == str(value).count("True")  # which is equal to 1


def test_type_checker_and_linter_accept_the_models_of_all_cases(
    tmp_path: Path, cache: Path
) -> None:
    assert_clean(tmp_path, {case.name: case.models for case in CASES}, cache)


if __name__ == "__main__":
    for path, case in zip(PAGES, CASES, strict=True):
        path.write_text(path.read_text().replace(case.models, case.written()))
