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
def test_a_schema_that_is_proved_wider_accepts_every_value_of_the_suite(
    corpus: Path, draft: str
) -> None:
    by_file = defaultdict[str, list[Case]](list)
    for case in cases(corpus / "json-schema-test-suite", draft):
        if not case.fetches and not list(reference_faults(schema_of(case), "")):
            by_file[case.name.split(":")[0]].append(case)
    shown, proved = 0, 0
    for group in by_file.values():
        values = [{PROPERTY: value} for case in group for value, _ in case.tests]
        for old, new in permutations(group[:24], 2):
            first, second = schema_of(old).validator, schema_of(new).validator
            broken = [v for v in values if first.is_valid(v) and not second.is_valid(v)]
            changes = differences_between(old, new)
            proofs = [proof for proof in changes if proof.refusal is not None]
            for proof in proofs:
                assert first.is_valid(proof.witness)
                assert not second.is_valid(proof.witness)
            if broken:
                assert changes, (old.name, new.name, broken[0])
                shown += 1
                proved += bool(proofs)
    assert proved > 0.9 * shown, (proved, shown)


def differences_between(old: Case, new: Case) -> list[Difference]:
    """What breaks, or perhaps does, from one schema to another."""
    refused = differences(schema_of(old), schema_of(new), is_lenient=False)
    return [
        difference
        for difference in refused
        if difference.refusal is not None or difference.sort is not Sort.UNKNOWN
    ]


def schema_of(case: Case) -> Index:
    return Index(case.tool["inputSchema"])


def test_a_schema_of_the_suite_is_never_narrower_than_itself(corpus: Path) -> None:
    for draft in DIALECTS:
        for case in cases(corpus / "json-schema-test-suite", draft):
            if not case.fetches and not list(reference_faults(schema_of(case), "")):
                assert all(
                    difference.refusal is None for difference in differences_between(case, case)
                )
