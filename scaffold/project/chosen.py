"""What depends on the packs of a project: the rule for its spec, and how it is started.

Each part is imported when it is needed, since most runs need few of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # slow to import
    from scaffold.spec.format import Spec
    from scaffold.spec.rules import Rule
    from scaffold.yaml.finding import Finding


def rule(packs: Iterable[str] = ()) -> Rule:
    """Return the rule that a spec must keep: that of the language, and of these packs."""
    from scaffold.languages.python.errors import faults

    if "python-stdlib" in packs:
        from scaffold.languages.python.unsupported import unsupported

        return lambda draft: chain(faults(draft), unsupported(draft))
    return faults


def served(spec: Spec, packs: Iterable[str]) -> tuple[Spec, tuple[Finding, ...]]:
    """Return what these packs serve of a spec, and findings about what they leave out."""
    if "python-stdlib" in packs:
        from scaffold.languages.python import unsupported

        return unsupported.served(spec), tuple(unsupported.left_out(spec))
    return spec, ()


def is_one_file(packs: Iterable[str]) -> bool:
    """Return whether servers of these packs are started as one file, without uv."""
    return "python-stdlib" in packs
