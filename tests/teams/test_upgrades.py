"""`pack upgrade` says first what is new, what would change and whether a project is behind."""

from __future__ import annotations

import pytest

from scaffold.teams.upgrade import notes


@pytest.mark.parametrize(
    ("before", "now", "versions"),
    [
        ("v1.0.0", "v2.0.0", ["2.0.0", "1.1.0"]),
        ("v1.1.0", "v2.0.0", ["2.0.0"]),
        ("1.1.0", "v2.0.0rc1", []),
        ("v2.0.0", "v1.0.0", []),
        (None, "v2.0.0", []),
        ("main", "v2.0.0", []),
    ],
)
def test_notes_are_the_sections_after_one_version_up_to_another(
    before: str | None, now: str | None, versions: list[str]
) -> None:
    parts = {"2.0.0": "## [2.0.0] - 2026-11-22\n\n### Changed\n\n- Python 3.14.\n"}
    parts["1.1.0"] = "## v1.1.0\n\n- A support page.\n"
    changes = f"# Changes\n\n## Unreleased\n\n- Soon.\n\n{parts['2.0.0']}\n{parts['1.1.0']}\n"
    changes += "## Version 1.0.0 (first)\n\n- All of it.\n"
    assert notes(changes, before, now) == "\n".join(parts[one] for one in versions).strip()
