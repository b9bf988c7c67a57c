"""The notes of an upgrade are the sections of the changelog that lie between two versions."""

from __future__ import annotations

import pytest

from scaffold.teams.notes import changelog, notes

CHANGES = """\
# Changelog

What is new in the pack.

## Unreleased

- Not for anybody yet.

## [2.0.0] - 2026-11-22

### Changed

- Python 3.14.

## v1.1.0

- A support page.

## Version 1.0.0 (first)

- All of it.
"""

PARTS = {
    "2.0.0": "## [2.0.0] - 2026-11-22\n\n### Changed\n\n- Python 3.14.",
    "1.1.0": "## v1.1.0\n\n- A support page.",
}


@pytest.mark.parametrize(
    ("before", "now", "versions"),
    [
        ("v1.0.0", "v2.0.0", ["2.0.0", "1.1.0"]),
        ("v1.0.0", "v1.1.0", ["1.1.0"]),
        ("1.1.0", "v2.0.0rc1", []),
        ("v1.1.0", "v2.0.0", ["2.0.0"]),
        ("v2.0.0", "v1.0.0", []),
        ("v2.0.0", "v2.0.0", []),
        (None, "v2.0.0", []),
        ("main", "v2.0.0", []),
        ("v1.0.0", None, []),
    ],
)
def test_the_sections_after_one_version_up_to_another(
    before: str | None, now: str | None, versions: list[str]
) -> None:
    assert notes(CHANGES, before, now) == "\n\n".join(PARTS[version] for version in versions)


def test_a_changelog_without_versions_says_nothing() -> None:
    assert notes("", "v1", "v2") == ""
    assert notes("# Changes\n\nnone\n", "v1", "v2") == ""


def test_the_changelog_is_read_whatever_its_bytes() -> None:
    assert changelog({"CHANGELOG.md": b"## 2.0\r\n\xff"}) == "## 2.0\n\ufffd"
    assert changelog({}) == ""
