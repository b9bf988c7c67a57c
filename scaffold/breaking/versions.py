"""The next version that a change asks for: PEP 440, with the promises of semantic versioning.

Below 1.0, the minor version counts as the major one does later.
"""

from __future__ import annotations

from collections.abc import Collection

from packaging.version import Version

from scaffold.breaking.change import Level


def next_version(old: str, levels: Collection[Level]) -> str:
    """Return the lowest release that changes of these levels ask for after `old`.

    Errors ask for a major version, other changes for a minor one; below 1.0, for a minor version and
    a patch. A prerelease may break anything, so that its own release will do.
    """
    version = _for_users(old)
    if not levels:
        return old
    if version.is_prerelease:
        return version.base_version
    part = _part(version) if Level.ERROR in levels else _part(version) + 1
    padded = (*version.release, *[0] * (part + 1 - len(version.release)))
    numbers = (*padded[:part], padded[part] + 1, *[0] * (len(padded) - part - 1))
    return (f"{version.epoch}!" if version.epoch else "") + ".".join(map(str, numbers))


def is_raised(old: str, new: str) -> bool:
    """Return whether `new` is a version for changes that break what `old` promised."""
    before, after = _for_users(old), _for_users(new)
    if before.is_prerelease:
        return after > before
    part = _part(before)
    return _promise(after, part) > _promise(before, part)


def _for_users(version: str) -> Version:
    """Return a version without build metadata and post-releases, in which nothing changes for users."""
    return Version(Version(version).public.partition(".post")[0])


def _part(version: Version) -> int:
    """Return the index of the number that a breaking change raises."""
    return 0 if version.major else 1


def _promise(version: Version, part: int) -> tuple[int, ...]:
    """Return the numbers that stay the same as long as nothing breaks."""
    return (version.epoch, *(*version.release, 0, 0)[: part + 1])
