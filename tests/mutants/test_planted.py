"""The planted faults fit the sources that they are planted in."""

from __future__ import annotations

from collections import Counter

from tests.mutants.catalog import REPOSITORY, read_faults

FAULTS = tuple(read_faults())


def test_each_fault_matches_its_file_once_and_leaves_it_valid() -> None:
    stale = []
    for fault in FAULTS:
        try:
            fault.planted(REPOSITORY)
        except (OSError, ValueError) as error:
            stale.append(str(error))
    assert stale == []


def test_each_fault_has_a_unique_name_and_existing_tests() -> None:
    assert [name for name, count in Counter(f.name for f in FAULTS).items() if count > 1] == []
    for fault in FAULTS:
        assert fault.tests, fault.name
        for test in fault.tests:
            assert (REPOSITORY / test.partition("::")[0]).exists(), f"{fault.name}: {test}"
