"""The next version that a change asks for: semantic versioning, where below 1.0 the minor counts."""

from __future__ import annotations

from collections.abc import Collection

from packaging.version import Version

from scaffold.breaking.change import Level


def next_version(old: str, levels: Collection[Level]) -> str:
    """Return the lowest version that changes of these levels ask for after `old`.

    Errors ask for a major version, other changes for a minor one; below 1.0, for a minor version and
    a patch. A prerelease may break anything: what comes next is its release.
    """
    version = Version(old)
    if not levels:
        return old
    if version.is_prerelease:
        return _joined(version.release)
    part = _part(version) if Level.ERROR in levels else _part(version) + 1
    padded = (*version.release, *[0] * (part + 1 - len(version.release)))
    return _joined((*padded[:part], padded[part] + 1, *[0] * (len(padded) - part - 1)))


def is_raised(old: str, new: str) -> bool:
    """Return whether `new` is a version for changes that break what `old` promised."""
    before, after = Version(old), Version(new)
    if before.is_prerelease:
        return after > before
    part = _part(before)
    return _release(after)[: part + 1] > _release(before)[: part + 1]


def _part(version: Version) -> int:
    """Return the index of the number that a breaking change raises."""
    return 0 if version.major else 1


def _release(version: Version) -> tuple[int, ...]:
    return (*version.release, 0, 0)


def _joined(numbers: Collection[int]) -> str:
    return ".".join(map(str, numbers))
