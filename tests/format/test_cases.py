"""Each folder of cases/ is a spec and exactly what is said about it.

After a change of a message, look at what `WRITE_CASES=1 pytest tests/format/test_cases.py` makes of
the files.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.cli.people import draw
from scaffold.format.lint import lint
from scaffold.yaml.source import read
from tests.checked import check

CASES = sorted((Path(__file__).parent / "cases").iterdir())


def diagnostics_of(path: Path) -> tuple[Diagnostic, ...]:
    """The errors of a spec, or the warnings about it."""
    try:
        document = read(path, path.name)
        return lint(check(document), document)
    except ScaffoldError as error:
        return error.diagnostics


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_error_has_its_place_and_a_hint(case: Path) -> None:
    [spec] = case.glob("spec.*")
    expected = case / "stderr.txt"
    text = draw(diagnostics_of(spec))
    if "WRITE_CASES" in os.environ:
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")
