"""TOOLS.md and the validator say the same of a schema: which arguments, of which type."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scaffold.schema.check import faults
from scaffold.schema.describe import NOTHING, Description, describe
from scaffold.schema.index import Index
from scaffold.schema.types import json_types
from scaffold.yaml.source import parse
from tests.corpus.suite import DIALECTS, cases

ANYTHING = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


def said_by(described: Description) -> frozenset[str]:
    """The JSON types that the words in TOOLS.md admit."""
    words = re.sub(r"\(.*\)", "", described.type).split(" or ")
    return frozenset(kind for word in words for kind in _kinds(word))


def _kinds(word: str) -> frozenset[str]:
    if word == NOTHING:
        return frozenset()
    if word.startswith("array of"):
        return frozenset({"array"})
    if word == "any":
        return ANYTHING
    if word in ANYTHING:
        return frozenset({word, "integer"} if word == "number" else {word})
    return frozenset(json_types(json.loads(word)))


@pytest.mark.parametrize("draft", DIALECTS)
def test_docs_and_validator_agree_on_the_test_suite(draft: str, corpus: Path) -> None:
    count = 0
    for case in cases(corpus / "json-schema-test-suite", draft):
        if case.fetches:
            continue
        schema = case.tool["inputSchema"]
        index = Index(schema)
        assert not list(faults(index, "", parse(json.dumps(schema)))), case.name
        row, *_ = describe(index)
        for value, valid in case.tests:
            if valid:
                kinds = set(json_types(value))
                assert kinds & said_by(row), (case.name, value, row.type)
                count += 1
    assert count > 400
