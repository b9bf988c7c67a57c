"""The languages that packs can choose, by name: the only module that imports them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scaffold.languages.files import CodeFiles
    from scaffold.languages.language import Language

NAMES = ("python", "plain")
"""The values of `language` in `pack.toml`."""

DEFAULT = NAMES[0]
"""The language of a project whose packs name none, and the built-in pack of one without a pack."""


def code_files(name: str) -> CodeFiles:
    """Return the part of a language that every run needs, which imports nothing slow."""
    if name == "python":
        from scaffold.languages.python import modules

        return modules
    return language(name)


@cache
def language(name: str) -> Language:
    """Return the language of a name."""
    match name:
        case "python":
            from scaffold.languages.python.language import Python

            return Python()
        case "plain":
            from scaffold.languages.plain.language import Plain

            return Plain()
    raise KeyError(name)


def is_taken(name: str) -> bool:
    """Return whether an error of a spec cannot have a name, whatever language its server has."""
    return any(language(each).is_taken(name) for each in NAMES)
