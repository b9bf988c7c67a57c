"""Answers to the questions of a pack, from the command line and from before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """How to answer the questions of a pack.

    `given` are answers by name, as text; `answers` are earlier ones. With `defaults`, the other
    questions get the pack's defaults; otherwise the user is asked, if there is a terminal. `trust`
    allows the pack to run programs.
    """

    given: Mapping[str, str]
    answers: Mapping[str, Any]
    defaults: bool = False
    trust: bool = False
