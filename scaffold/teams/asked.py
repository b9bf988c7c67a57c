"""Answers to the questions of a pack, from the command line and from before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.diagnostics import ScaffoldError
from scaffold.yaml.source import read


class Asked(Struct, frozen=True):
    """How to answer the questions of a pack.

    `given` are new answers by name, as text or as JSON values; `answers` are earlier ones. With
    `defaults`, the other questions get the pack's defaults; otherwise the user is asked, if there
    is a terminal. `trust` allows the pack to run programs.
    """

    given: Mapping[str, Any]
    answers: Mapping[str, Any]
    defaults: bool = False
    trust: bool = False


def answers_in(file: Path) -> Mapping[str, Any]:
    """Read answers from a YAML or JSON file. Raises ScaffoldError unless it maps names to them."""
    root = read(file).root.value
    if isinstance(root, dict):
        return root
    message, hint = "the answers are not a mapping", "write a line `NAME: ANSWER` for each question"
    raise ScaffoldError.of("pack-answer", message, file, hint)
