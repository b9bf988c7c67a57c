"""Models of the pack python-stdlib are those of the pack python, as frozen dataclasses."""

from __future__ import annotations

import copy
import pickle
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scaffold.jsonschema.engine import validator
from scaffold.jsonschema.index import Index
from scaffold.python import plain
from scaffold.python import types as python_types
from scaffold.python.naming import NamedTypes, with_names
from tests.corpus.fitting import values as values_of
from tests.corpus.recording import as_text
from tests.python import test_types
from tests.python.test_types import (
    RESERVED,
    Schema,
    arguments_of,
    assert_clean,
    object_of,
    roots,
    tools,
    types_of,
)
from tests.stdlib.runtime import FOLDER, runtime

HEAD = """
from __future__ import annotations

import datetime as dt
from typing import Any, Literal, Never, TypeAlias
from uuid import UUID

from base_of_models import ABSENT, Field, Model
"""
"""The beginning of the module of the models."""

BASE = (FOLDER / "model.py").read_text("utf-8")
"""What models have in common."""


def module(*all_types: NamedTypes) -> str:
    definitions = [definition for one in all_types for definition in one.definitions]
    return "\n\n\n".join([HEAD, *plain.sources(definitions), ""])


def loaded(types: NamedTypes) -> ModuleType:
    sys.modules["base_of_models"] = runtime("model")
    home = ModuleType("plain_home")
    sys.modules[home.__name__] = home
    exec(module(types), home.__dict__)
    return home


def model_of(schema: Schema) -> Any:
    return loaded(arguments_of(schema)).EchoArguments


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), roots)
def test_whatever_a_schema_allows_comes_back_the_same(data: st.DataObject, schema: Schema) -> None:
    assume(Index.of(schema).problem() is None)
    try:
        value = data.draw(values_of(schema, schema))
    except (KeyError, RecursionError):  # a reference that the strategy does not follow
        value = data.draw(st.dictionaries(test_types.keys, test_types.values, max_size=3))
    assume(validator(schema).is_valid(value))
    ours = loaded(arguments_of(schema)).EchoArguments.model_validate(value)
    assert as_text(ours.model_dump()) == as_text(value)


@pytest.mark.usefixtures("starts_programs")
def test_the_models_of_any_schema_satisfy_formatter_linter_and_type_checker(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    modules: dict[str, str] = {"base_of_models": BASE}

    @settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(roots)
    def collect(schema: Schema) -> None:
        assume(Index.of(schema).problem() is None)
        every = (
            python_types.arguments_of(Index.of(schema), "Echo"),
            python_types.result_of(Index.of(schema), "Echo"),
        )
        modules[f"types_{len(modules)}"] = module(*with_names(every, RESERVED))

    collect()
    assert_clean(tmp_path, modules, tmp_path_factory.mktemp("mypy"))


def test_the_models_of_real_tools_satisfy_formatter_linter_and_type_checker(
    corpus: Path, starts_programs: None, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    modules = {name: module(*types_of(listed)) for name, listed in tools(corpus)}
    assert_clean(tmp_path, modules | {"base_of_models": BASE}, tmp_path_factory.mktemp("mypy"))


def test_arguments_that_json_has_are_a_class_of_annotations_and_no_more() -> None:
    schema = {
        **object_of(query={"type": "string"}, top_k={"type": "integer", "default": 5}),
        "required": ["query"],
    }
    assert [*plain.sources(arguments_of(schema).definitions)] == [
        "class EchoArguments(Model):\n    query: str\n    top_k: int = 5"
    ]


def test_other_names_and_defaults_that_can_be_changed_are_fields() -> None:
    schema = object_of(
        **{
            "since": {"type": "string", "format": "date"},
            "max-score": {"type": "number"},
            "tags": {"type": "array", "items": {"type": "string"}, "default": []},
        }
    )
    assert [*plain.sources(arguments_of(schema).definitions)] == [
        (
            "class EchoArguments(Model):\n"
            "    since: dt.date | None = None\n"
            '    max_score: float | None = Field(key="max-score", default=None)\n'
            "    tags: list[str] = Field(default_factory=list)"
        )
    ]


def test_objects_are_told_apart_by_the_text_that_one_property_must_have() -> None:
    def shape(kind: str, **properties: object) -> Schema:
        tagged = object_of(kind={"const": kind}, **properties)
        return {**tagged, "required": ["kind"]}

    number = {"type": "number"}
    schema = object_of(shape={"oneOf": [shape("circle", size=number), shape("box", size=number)]})
    model = model_of(schema)
    assert (
        type(model.model_validate({"shape": {"kind": "circle"}}).shape).__name__
        == "EchoShapeCircle"
    )
    box = model.model_validate({"shape": {"kind": "box", "size": 1}}).shape
    assert (type(box).__name__, repr(box.size)) == ("EchoShapeBox", "1.0")


def test_objects_with_the_same_text_are_told_apart_by_their_other_properties() -> None:
    shapes = [
        {
            **object_of(kind={"const": "round"}, **{name: {"type": "integer"}}),
            "required": ["kind", name],
        }
        for name in ("radius", "size")
    ]
    model = model_of(object_of(shape={"anyOf": shapes}))
    for name in ("radius", "size"):
        assert getattr(model.model_validate({"shape": {"kind": "round", name: 1}}).shape, name) == 1


def test_a_model_is_like_a_frozen_dataclass() -> None:
    schema = {
        **object_of(
            **{
                "query": {"type": "string"},
                "top-k": {"type": "integer", "default": 5},
                "tags": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
            }
        ),
        "required": ["query"],
    }
    model = model_of(schema)
    one, same = model(query="x"), model.model_validate({"query": "x"})
    assert repr(one) == "EchoArguments(query='x', top_k=5, tags=['a'])"
    assert one == same
    assert one != model(query="x", top_k=6)
    assert one == pickle.loads(pickle.dumps(one)) == copy.deepcopy(one)
    one.tags.append("b")
    assert (one.tags, same.tags) == (["a", "b"], ["a"])
    assert one.model_fields_set == {"query"}
    given = {"query": "x", "top-k": 7, "more": 1}
    assert model.model_validate(given).model_dump() == given
    assert model(query="x", top_k=7).model_dump() == {"query": "x", "top-k": 7}
    with pytest.raises(FrozenInstanceError):
        one.query = "y"
    with pytest.raises(TypeError, match="query"):
        model()


def test_of_a_result_what_was_set_is_sent_but_no_none_that_cannot_be_null() -> None:
    schema = object_of(a={"type": "string"}, b={"type": ["string", "null"]}, c={"type": "string"})
    result = loaded(test_types.result_of(schema)).EchoResult
    assert result(a=None, b=None).model_dump() == {"b": None}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "0000-01-01"),
        ("date-time", "0000-01-01T00:00:00Z"),
        ("date-time", "2016-12-31T23:59:60Z"),
        ("time", "23:59:60Z"),
    ],
)
def test_what_python_cannot_hold_is_an_error_of_its_value(kind: str, value: str) -> None:
    model = model_of(object_of(v={"type": "string", "format": kind}))
    with pytest.raises(ValueError, match=r"year 0|second must be|out of range"):
        model.model_validate({"v": value})


@pytest.mark.parametrize(
    ("kind", "text", "same"),
    [
        ("date", "2026-02-28", "2026-02-28"),
        ("date-time", "2026-02-28t12:00:00.5z", "2026-02-28T12:00:00.500000Z"),
        ("date-time", "2026-02-28T12:00:00.123456789+05:30", "2026-02-28T12:00:00.123456+05:30"),
        ("time", "12:00:00-00:00", "12:00:00Z"),
        ("uuid", "ABCDEF01-2345-6789-ABCD-EF0123456789", "abcdef01-2345-6789-abcd-ef0123456789"),
    ],
)
def test_a_format_comes_back_in_its_usual_form(kind: str, text: str, same: str) -> None:
    model = model_of(object_of(v={"type": "string", "format": kind}))
    assert model.model_validate({"v": text}).model_dump() == {"v": same}


def test_types_that_contain_each_other_are_read_at_every_depth() -> None:
    block = {
        "anyOf": [
            {
                **object_of(columns={"type": "array", "items": {"$ref": "#/$defs/block"}}),
                "required": ["columns"],
            },
            {"type": "array", "items": {"$ref": "#/$defs/block"}},
            {"type": "number"},
        ]
    }
    model = model_of({**object_of(top={"$ref": "#/$defs/block"}), "$defs": {"block": block}})
    top = model.model_validate({"top": {"columns": [1, [2, {"columns": [3]}]]}}).top
    one, (two, inner) = top.columns
    assert [type(number) for number in (one, two, *inner.columns)] == [float] * 3
