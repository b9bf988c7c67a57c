"""Data files that are packaged with mcp-scaffold."""

from __future__ import annotations

from pathlib import Path


def shipped(name: str) -> Path:
    """Return a folder that is in the package in a wheel, and beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
