"""The language of generated projects: the only module that knows which one it is.

Each part is imported when it is needed, since most runs need few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from scaffold.language import Language

if TYPE_CHECKING:  # slow to import
    from scaffold.project.view import View
    from scaffold.spec.format import Spec
    from scaffold.spec.rules import Rule
    from scaffold.yaml.finding import Finding


def language() -> Language:
    """Return the language as updating a project needs it."""
    from scaffold.python import language

    return language


def rule(packs: Iterable[str] = ()) -> Rule:
    """Return the rule that a spec must keep: that of the language, and of these packs."""
    from scaffold.python.rules import faults

    if "python-stdlib" in packs:
        from scaffold.python.unsupported import unsupported

        return lambda draft: chain(faults(draft), unsupported(draft))
    return faults


def served(spec: Spec, packs: Iterable[str]) -> tuple[Spec, tuple[Finding, ...]]:
    """Return what these packs serve of a spec, and findings about what they leave out."""
    if "python-stdlib" in packs:
        from scaffold.python import unsupported

        return unsupported.served(spec), tuple(unsupported.left_out(spec))
    return spec, ()


def is_one_file(packs: Iterable[str]) -> bool:
    """Return whether servers of these packs are started as one file, without uv."""
    return "python-stdlib" in packs


def view() -> View:
    """Return the language as building a project and following renames need it."""
    from scaffold.python import view

    return view


def complaints() -> Callable[[Path, Iterable[str], Path | None, Path], Iterator[tuple[str, str]]]:
    """Return the function that runs the checks of a project; see `python.trial.complaints`."""
    from scaffold.python.trial import complaints

    return complaints


def is_taken(name: str) -> bool:
    """Return whether a name already means something in the language."""
    from scaffold.python.rules import is_taken

    return is_taken(name)
