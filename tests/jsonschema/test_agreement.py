"""TOOLS.md, the types and the validator say the same of a schema: which arguments, of which type."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scaffold.languages.python.annotations import BY_FORMAT
from scaffold.languages.python.definitions import Alias, Model
from scaffold.languages.python.expressions import Brackets, Expression, Union
from scaffold.languages.python.types import Types, arguments_of
from scaffold.schema.check import faults
from scaffold.schema.describe import NOTHING, Description, describe
from scaffold.schema.index import Index
from scaffold.schema.types import json_types
from scaffold.yaml.source import parse
from tests.corpus.suite import DIALECTS, cases

ANYTHING = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


def root_of(types: Types) -> Model:
    (root,) = (one for one in types.definitions if one.name == types.name)
    assert isinstance(root, Model)
    return root


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


def admitted_by(annotation: Expression, types: Types) -> frozenset[str]:
    """The JSON types that a Python annotation admits."""
    match annotation:
        case Union(members):
            return frozenset(kind for one in members for kind in admitted_by(one, types))
        case Brackets("Literal", _, items):
            return frozenset(kind for item in items for kind in json_types(eval(str(item))))
        case Brackets("list"):
            return frozenset({"array"})
        case Brackets("dict"):
            return frozenset({"object"})
        case "Any":
            return ANYTHING
        case "Never":
            return frozenset()
    plain = {
        "str": {"string"},
        "int": {"integer"},
        "float": {"integer", "number"},
        "bool": {"boolean"},
        "None": {"null"},
        **{str(kind): {"string"} for kind in BY_FORMAT.values()},
    }
    if kinds := plain.get(str(annotation)):
        return frozenset(kinds)
    (definition,) = (one for one in types.definitions if one.name == str(annotation))
    if isinstance(definition, Alias):
        return admitted_by(definition.annotation, types)
    return frozenset({"object"})


@pytest.mark.parametrize("draft", DIALECTS)
def test_docs_types_and_validator_agree_on_the_test_suite(draft: str, corpus: Path) -> None:
    count = 0
    for case in cases(corpus / "json-schema-test-suite", draft):
        if case.fetches:
            continue
        schema = case.tool["inputSchema"]
        index = Index.of(schema)
        assert not list(faults(index, "", parse(json.dumps(schema)))), case.name
        types = arguments_of(index, "Arguments")
        one, *_ = describe(index)
        (field,) = root_of(types).fields
        for value, valid in case.tests:
            if valid:
                kinds = set(json_types(value))
                assert kinds & said_by(one), (case.name, value, one.type)
                assert kinds & admitted_by(field.annotation, types), (case.name, value)
                count += 1
    assert count > 400
