"""The version that a change asks for, and until when a spec accepts it."""

from __future__ import annotations

from datetime import date

import pytest

from scaffold.breaking.accepted import Found, accepted
from scaffold.breaking.change import Level, change_of
from scaffold.breaking.judging import is_raised, next_version
from scaffold.format.settings import Acceptance


@pytest.mark.parametrize(
    ("old", "breaks", "differs"),
    [
        ("1.4.2", "2.0.0", "1.5.0"),
        ("1.4", "2.0", "1.5"),
        ("0.3.1", "0.4.0", "0.3.2"),
        ("0.3", "0.4", "0.3.1"),
        ("10.0.0.7", "11.0.0.0", "10.1.0.0"),
        ("2.0rc1.post1.dev3", "2.0", "2.0"),
        ("1.2.3.post4", "2.0.0", "1.3.0"),
        ("1!2.3", "1!3.0", "1!2.4"),
        ("1.2.3+local", "2.0.0", "1.3.0"),
    ],
)
def test_the_next_version_depends_on_the_level_of_the_changes(
    old: str, breaks: str, differs: str
) -> None:
    assert next_version(old, {Level.ERROR, Level.INFO}) == breaks
    assert next_version(old, {Level.WARNING}) == next_version(old, {Level.INFO}) == differs
    assert next_version(old, set()) == old
    assert is_raised(old, breaks)


@pytest.mark.parametrize(
    ("old", "new", "raised"),
    [
        ("1.4.2", "2.0.0rc1", True),
        ("1.4.2", "1.5.0", False),
        ("1.4.2", "1.4.2.post1", False),
        ("1.4.2", "1.4.2+build.5", False),
        ("1.3.0rc1", "1.3.0rc2", True),
        ("1.3.0rc2", "1.3.0rc1", False),
        ("1.3.0rc1", "1.3.0rc1.post1", False),
        ("2026.11", "1!1.0", True),
        ("1!1.0", "2.0", False),
        ("0.3.1", "0.3.2", False),
        ("0.9.9", "0.10", True),
    ],
)
def test_a_version_is_compared_with_the_previous_one(old: str, new: str, raised: bool) -> None:
    assert is_raised(old, new) is raised


@pytest.mark.parametrize(
    ("until", "holds"), [("2026-11-22", True), ("2026-11-21", False), ("2027-01-01", True)]
)
def test_an_accepted_finding_is_accepted_until_its_last_day(until: str, holds: bool) -> None:
    where = "/tools/fetch"
    finding = Found(change_of("tool-removed", "tool", "fetch", "/tools/0", "it is gone"), where)
    entry = Acceptance(id="tool-removed", where=where, reason="Agreed.", until=until)
    first, *others = accepted([finding], [entry], date(2026, 11, 22))
    assert (first.accepted is not None) is holds
    wanted = [] if holds else ["acceptance-expired"]
    assert [other.change.id for other in others] == wanted
