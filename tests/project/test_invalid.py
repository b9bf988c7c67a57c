"""The arguments that the tests of a project send, which its server must refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from scaffold.schema.invalid import invalid_arguments

from scaffold.schema.index import Index

CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("invalid.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_arguments_that_a_server_must_refuse_break_a_format_if_they_can(case: str) -> None:
    schema, invalid = CASES[case]
    assert invalid_arguments(Index.of({"type": "object", **schema})) == invalid
