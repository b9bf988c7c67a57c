"""The next version that a change asks for: PEP 440, with the promises of semantic versioning.

Below 1.0, the minor version counts as the major one does later.
"""

from __future__ import annotations

from collections.abc import Collection

from packaging.version import Version

from scaffold.breaking.change import Level


def next_version(old: str, levels: Collection[Level]) -> str:
    """Return the lowest version that changes of these levels ask for after `old`.

    Errors ask for a major version, other changes for a minor one; below 1.0, for a minor version and
    a patch. A prerelease may break anything: what comes next is another one.
    """
    version = Version(old)
    if not levels:
        return old
    if _is_before_release(version):
        return _next_prerelease(version)
    part = _part(version) if Level.ERROR in levels else _part(version) + 1
    padded = (*version.release, *[0] * (part + 1 - len(version.release)))
    return _epoch(version) + _joined(
        (*padded[:part], padded[part] + 1, *[0] * (len(padded) - part - 1))
    )


def is_raised(old: str, new: str) -> bool:
    """Return whether `new` is a version for changes that break what `old` promised.

    Build metadata and post-releases say that nothing changes for users.
    """
    before, after = Version(old), Version(new)
    if _is_before_release(before):
        return _for_users(after) > _for_users(before)
    part = _part(before)
    return _promise(after, part) > _promise(before, part)


def _is_before_release(version: Version) -> bool:
    return version.pre is not None or (version.dev is not None and version.post is None)


def _next_prerelease(version: Version) -> str:
    """Return the next prerelease of the same kind: `rc2` after `rc1`, `dev2` after `dev1`."""
    before = f"{_epoch(version)}{_joined(version.release)}"
    kind, number = version.pre or ("", 0)
    if version.dev is not None and version.post is None:
        return f"{before}{kind}{number if kind else ''}.dev{version.dev + 1}"
    return f"{before}{kind}{number + 1}"


def _for_users(version: Version) -> Version:
    """Return a version without what only maintainers see."""
    kind, number = version.pre or ("", "")
    dev = f".dev{version.dev}" if version.dev is not None and version.post is None else ""
    return Version(f"{_epoch(version)}{_joined(version.release)}{kind}{number}{dev}")


def _part(version: Version) -> int:
    """Return the index of the number that a breaking change raises."""
    return 0 if version.major else 1


def _promise(version: Version, part: int) -> tuple[int, ...]:
    """Return the numbers that stay the same as long as nothing breaks."""
    return (version.epoch, *(*version.release, 0, 0)[: part + 1])


def _epoch(version: Version) -> str:
    return f"{version.epoch}!" if version.epoch else ""


def _joined(numbers: Collection[int]) -> str:
    return ".".join(map(str, numbers))
