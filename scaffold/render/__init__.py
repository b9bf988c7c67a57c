"""Rendering: a project and a pack into the files that we want on disk."""

from pathlib import Path


def builtin_packs() -> Path:
    """The folder of the packs that come with mcp-scaffold: in the wheel, or beside the package."""
    package = Path(__file__).parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"
