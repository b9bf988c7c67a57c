"""Comparisons of versions of mcp-scaffold, as PEP 440 orders them."""

from __future__ import annotations

from scaffold import __version__


def is_newer(version: str) -> bool:
    """Return whether a version is valid and newer than this mcp-scaffold."""
    if version == __version__:
        return False
    from packaging.version import InvalidVersion, Version  # rarely needed

    try:
        return Version(version) > Version(__version__)
    except InvalidVersion:
        return False


def is_requirement(text: object) -> bool:
    """Return whether a value is a version requirement, such as `>=0.3` or `>=0.3,<2`."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return isinstance(text, str) and len(SpecifierSet(text)) > 0
    except InvalidSpecifier:
        return False


def meets(requirement: str) -> bool:
    """Return whether this mcp-scaffold, prerelease or not, meets a valid requirement."""
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(requirement).contains(__version__, prereleases=True)
