"""What a pack's authors say about its versions: the sections of its changelog."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from packaging.version import InvalidVersion, Version

_HEADING = re.compile(r"(#{1,4}) +(?:version +)?\[?v?(\d[\w.+-]*)", re.IGNORECASE)
_ANY_HEADING = re.compile(r"(#{1,4}) ")


def changelog(files: Mapping[str, bytes]) -> str:
    """Return the text of `CHANGELOG.md` at the top of a pack's repository; empty without one."""
    return files.get("CHANGELOG.md", b"").decode(errors="replace").replace("\r\n", "\n")


def notes(text: str, before: str | None, now: str | None) -> str:
    """Return the sections of a changelog that follow version `before`, up to `now`.

    A section begins with a heading such as `## v1.2.0` or `## [1.2.0] - 2026-11-22`. Empty if a
    version is unknown, or on the way back to an older one.
    """
    older, newer = _version(before), _version(now)
    if older is None or newer is None:
        return ""
    return "".join(part for version, part in _sections(text) if older < version <= newer).strip()


def _sections(text: str) -> Iterator[tuple[Version, str]]:
    """Yield each version that has a heading, with its section."""
    version, level, part = None, 0, ""
    for line in [*text.splitlines(keepends=True), "# "]:
        heading = _ANY_HEADING.match(line)
        if heading and (len(heading[1]) <= level or not version):
            if version:
                yield version, part
            named = _HEADING.match(line)
            version, level, part = _version(named and named[2]), len(heading[1]), ""
        part += line


def _version(text: str | None) -> Version | None:
    try:
        return Version(text) if text else None
    except InvalidVersion:
        return None
