"""Packs: the sets of templates that projects are rendered from."""

from pathlib import Path


def builtin_packs() -> Path:
    """Return the directory of the built-in packs, in the wheel or beside the package."""
    package = Path(__file__).parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"
