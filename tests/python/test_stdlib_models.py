"""Models of the pack python-stdlib are those of the pack python, as frozen dataclasses."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from scaffold.languages.python.stdlib import models
from scaffold.languages.python.types.definitions import Alias
from scaffold.languages.python.types.expressions import Brackets, Quoted, Union
from tests.python.packs import STDLIB, Schema, arguments_of, object_of


def model_of(schema: Schema) -> Any:
    return STDLIB.loaded(arguments_of(schema)).EchoArguments


def test_arguments_of_json_types_are_a_class_with_only_annotations() -> None:
    schema = {
        **object_of(query={"type": "string"}, top_k={"type": "integer", "default": 5}),
        "required": ["query"],
    }
    assert [*models.sources(arguments_of(schema).definitions)] == [
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
    assert [*models.sources(arguments_of(schema).definitions)] == [
        (
            "class EchoArguments(Model):\n"
            "    since: dt.date | None = None\n"
            '    max_score: float | None = Field(key="max-score", default=None)\n'
            "    tags: list[str] = Field(default_factory=list)"
        )
    ]


def test_a_forward_alias_has_no_pydantic_metadata() -> None:
    tagged = Brackets("Annotated", "[", (Union(("A", "B")), 'Field(discriminator="kind")'))
    assert [*models.sources([Alias("P", Quoted(tagged))])] == ['P: TypeAlias = "A | B"']


def test_objects_are_distinguished_by_a_constant_property() -> None:
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
    first, same = model(query="x"), model.model_validate({"query": "x"})
    assert repr(first) == "EchoArguments(query='x', top_k=5, tags=['a'])"
    assert first == same
    assert first != model(query="x", top_k=6)
    assert first == pickle.loads(pickle.dumps(first)) == copy.deepcopy(first)
    first.tags.append("b")
    assert (first.tags, same.tags) == (["a", "b"], ["a"])
    assert first.model_fields_set == {"query"}
    given = {"query": "x", "top-k": 7, "more": 1}
    assert model.model_validate(given).model_dump() == given
    assert model(query="x", top_k=7).model_dump() == {"query": "x", "top-k": 7}
    with pytest.raises(FrozenInstanceError):
        first.query = "y"
    with pytest.raises(TypeError, match="query"):
        model()


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
    first, (two, inner) = top.columns
    assert [type(number) for number in (first, two, *inner.columns)] == [float] * 3
