"""The languages that packs can choose, by name: the only module that knows which there are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # slow to import, and most runs only ask for its files
    from scaffold.languages.language import Language

NAMES = ("python",)
"""What `language` can be in `pack.toml`."""


@cache
def language(name: str) -> Language:
    """Return the language of a name."""
    assert name in NAMES
    from scaffold.languages.python.language import Python

    return Python()


def is_taken(name: str) -> bool:
    """Return whether an error of a spec cannot have a name, whatever language its server has."""
    return any(language(one).is_taken(name) for one in NAMES)
