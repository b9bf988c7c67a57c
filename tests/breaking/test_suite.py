"""The JSON-Schema-Test-Suite: what one of its values shows to be refused is never called allowed."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from pathlib import Path

import pytest

from scaffold.breaking.differences import Difference, Sort, differences
from scaffold.schema.index import Index
from scaffold.schema.references import reference_faults
from tests.corpus.suite import DIALECTS, PROPERTY, Case, cases


@pytest.mark.slow
@pytest.mark.parametrize("draft", DIALECTS)
def test_no_value_of_the_suite_is_refused_by_what_is_called_wider(corpus: Path, draft: str) -> None:
    by_file = defaultdict[str, list[Case]](list)
    for case in cases(corpus / "json-schema-test-suite", draft):
        if not case.fetches and not list(reference_faults(schema_of(case), "")):
            by_file[case.name.split(":")[0]].append(case)
    shown, found = 0, 0
    for group in by_file.values():
        values = [{PROPERTY: value} for case in group for value, _ in case.tests]
        for old, new in permutations(group[:24], 2):
            first, second = schema_of(old).validator, schema_of(new).validator
            broken = [v for v in values if first.is_valid(v) and not second.is_valid(v)]
            told = found_from(old, new)
            proofs = [one for one in told if one.refusal is not None]
            for one in proofs:
                assert first.is_valid(one.witness)
                assert not second.is_valid(one.witness)
            if broken:
                assert told, (old.name, new.name, broken[0])
                shown += 1
                found += bool(proofs)
    assert found > 0.9 * shown, (found, shown)


def found_from(old: Case, new: Case) -> list[Difference]:
    """What breaks, or perhaps does, from one schema to another."""
    refused = differences(schema_of(old), schema_of(new), is_lenient=False)
    return [one for one in refused if one.refusal is not None or one.sort is not Sort.UNKNOWN]


def schema_of(case: Case) -> Index:
    return Index(case.tool["inputSchema"])


def test_a_schema_of_the_suite_is_never_narrower_than_itself(corpus: Path) -> None:
    for draft in DIALECTS:
        for case in cases(corpus / "json-schema-test-suite", draft):
            if not case.fetches and not list(reference_faults(schema_of(case), "")):
                assert all(one.refusal is None for one in found_from(case, case))
