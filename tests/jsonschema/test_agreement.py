"""TOOLS.md, the types and the validator say the same of a schema: which arguments, of which type."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.jsonschema.check import faults
from scaffold.jsonschema.describe import NOTHING, Description, describe
from scaffold.jsonschema.index import Index, Property
from scaffold.jsonschema.types import json_types
from scaffold.python.annotations import BY_FORMAT
from scaffold.python.definitions import Alias, Model
from scaffold.python.expressions import Brackets, Expression, Union
from scaffold.python.types import Types, arguments_of
from scaffold.yaml.source import parse
from tests.corpus.suite import DIALECTS, cases

Schema = dict[str, Any]

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
POOL: tuple[Any, ...] = (None, True, False, 0, 7, 1.5, "a", "b", [], ["a"], [7], {}, {"k": "a"})
"""Values of every type."""

ANYTHING = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


def assert_agreement(schema: Schema, arguments: Mapping[str, Any]) -> None:
    """Hold what is said of a schema against what its validator says of these arguments and more."""
    index = Index.of(schema)
    every = {one.name: one for one in describe(index)}
    described = {member.name: every[member.name] for member in index.members}
    types = arguments_of(index, "Arguments")
    root = root_of(types)
    assert [field.key for field in root.fields] == list(described)
    assert {field.key for field in root.fields if field.default is None} == {
        name for name, one in described.items() if one.required
    }
    annotations = {field.key: field.annotation for field in root.fields}
    for member in index.members:
        name, one = member.name, described[member.name]
        if not any(fits(index, member, value) for value in POOL):
            continue  # where keywords contradict each other, each has chosen one
        admitted = admitted_by(annotations[name], types)
        if not one.required:
            admitted -= {"null"} - said_by(one)  # which stands for absent
        assert admitted <= said_by(one), (one, annotations[name])
        assert said_by(one) < ANYTHING or admitted == ANYTHING, (one, annotations[name])
    if not index.validator.is_valid(arguments):
        return
    for name in arguments:
        fewer = {key: value for key, value in arguments.items() if key != name}
        if name in described and described[name].required:
            assert not index.validator.is_valid(fewer), f"`{name}` is not required"
    for name, one in described.items():
        if one.required:
            assert name in arguments, f"`{name}` is missing, and allowed to be"
        for value in POOL:
            if index.validator.is_valid({**arguments, name: value}):
                kinds = set(json_types(value))
                assert kinds & admitted_by(annotations[name], types), (name, value)
                assert kinds & said_by(one), (name, value, one)


def root_of(types: Types) -> Model:
    (root,) = (one for one in types.definitions if one.name == types.name)
    assert isinstance(root, Model)
    return root


def fits(index: Index, member: Property, value: object) -> bool:
    return all(index.accepts(part, value) for part in member.schemas)


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


NAMES = st.sampled_from(["a", "b", "c"])
PLAINS: list[Any] = [
    *({"type": one} for one in sorted(ANYTHING)),
    {"type": ["string", "null"]},
    {"type": ["integer", "array"]},
    {"enum": ["a", "b"]},
    {"enum": ["a", 7, None]},
    {"type": "string", "enum": ["a", 7]},
    {"type": "string", "format": "date"},
    {"const": 7},
    {"type": "array", "items": {"type": "string"}},
    {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]},
    {"minimum": 3},
    {},
    True,
    False,
]
PLAIN = st.sampled_from(PLAINS)


@st.composite
def documents(draw: st.DrawFn) -> Schema:
    """Schemas of arguments whose parts stand anywhere, and refer to each other in every way."""
    is_draft_07 = draw(st.booleans())
    holder = "definitions" if is_draft_07 else "$defs"
    defs: dict[str, Any] = {name: draw(PLAIN) for name in ("x", "y", "z")}
    ways = [f"#/{holder}/x", f"#/{holder}/y", f"#/{holder}/z", "#/x-more/w"]
    if isinstance(defs["x"], dict):
        identifier = {"$id": "#here"} if is_draft_07 else {"$anchor": "here"}
        defs["x"] = {**defs["x"], **identifier}
        ways.append("#here")
    if isinstance(defs["y"], dict):
        defs["y"] = {"$id": "http://example.com/y", **defs["y"]}
        ways += ["http://example.com/y", "http://example.com/y#"]
    if not is_draft_07 and isinstance(defs["z"], dict):
        defs["z"] = {"$dynamicAnchor": "there", **defs["z"]}
        ways.append("#there")

    def refer() -> st.SearchStrategy[Schema]:
        beside: st.SearchStrategy[Schema] = st.just({}) | PLAIN.filter(
            lambda one: isinstance(one, dict)
        )
        if is_draft_07:  # where nothing beside `$ref` counts
            beside |= st.just({"$id": "http://example.com/elsewhere"})
        return st.builds(lambda more, way: {**more, "$ref": way}, beside, st.sampled_from(ways))

    values = st.recursive(
        PLAIN | refer(),
        lambda inner: (
            st.builds(
                lambda keyword, parts: {keyword: parts},
                st.sampled_from(["allOf", "anyOf", "oneOf"]),
                st.lists(inner, min_size=1, max_size=2),
            )
            | st.builds(lambda items: {"type": "array", "items": items}, inner)
        ),
        max_leaves=4,
    )
    objects: st.SearchStrategy[Schema] = st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, values, max_size=3),
            "required": st.lists(NAMES, max_size=2, unique=True),
            "description": st.just("Some."),
        },
    )
    defs |= {"one": draw(objects), "two": draw(objects)}
    root = {"type": "object", **draw(objects)}
    shape = draw(st.sampled_from(["plain", "$ref", "allOf", "both"]))
    if shape in ("$ref", "both"):
        root["$ref"] = f"#/{holder}/one"
    if shape in ("allOf", "both"):
        root["allOf"] = [{"$ref": f"#/{holder}/two"}, draw(objects)]
    if draw(st.booleans()) and not (is_draft_07 and "$ref" in root):
        root["anyOf"] = [{"properties": draw(st.dictionaries(NAMES, values, max_size=2))}]
    dialect = {"$schema": DRAFT_07} if is_draft_07 else {}
    return {**dialect, **root, holder: defs, "x-more": {"w": draw(PLAIN)}}


@pytest.mark.slow
@settings(
    max_examples=1000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(documents(), st.dictionaries(NAMES, st.sampled_from(POOL), max_size=3))
def test_docs_types_and_validator_agree_on_any_schema(
    schema: Schema, arguments: dict[str, Any]
) -> None:
    index = Index.of(schema)
    assert list(faults(index, "", parse(json.dumps(schema)))) == []
    assert_agreement(schema, arguments)
    assert_agreement(schema, completed(index, arguments))


def completed(index: Index, arguments: dict[str, Any]) -> dict[str, Any]:
    """These arguments with values, where some fit, for all that is required."""
    for one in index.members:
        if one.required and one.name not in arguments:
            fitting = (value for value in POOL if fits(index, one, value))
            arguments = {**arguments, one.name: next(fitting, None)}
    return arguments


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
