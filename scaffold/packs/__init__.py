"""Packs: the sets of templates that projects are rendered from."""

from pathlib import Path

from scaffold.base.shipped import shipped


def builtin_packs() -> Path:
    """Return the directory of the built-in packs."""
    return shipped("templates")
