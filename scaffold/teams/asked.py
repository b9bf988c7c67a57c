"""What a person has said on the command line to the questions of a pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """How the questions of a pack are to be answered.

    `given` are answers by name, as text; `answers` those of an earlier time. `defaults` takes what
    the pack proposes for the others; without it a person is asked, if one is there. `trust` allows
    the pack to run programs.
    """

    given: Mapping[str, str]
    answers: Mapping[str, Any]
    defaults: bool = False
    trust: bool = False
