"""A schema's types are what its author meant; a type checker and a linter accept them."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import Any

import pydantic
import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scaffold.languages.python.reserved import MODEL
from scaffold.languages.python.types import types
from scaffold.languages.python.types.definitions import MODULE_NAMES, Model
from scaffold.languages.python.types.naming import with_names
from scaffold.schema.engine import validator
from scaffold.schema.index import Index
from templates.python.runtime.handlers import Model as RuntimeModel
from tests.corpus.recording import as_text
from tests.python.packs import (
    PACKS,
    PYTHON,
    STDLIB,
    Pack,
    arguments_of,
    assert_clean,
    object_of,
)
from tests.schema.made import Made


def field(schema: object, **others: object) -> str:
    """The type of a required property `v` of this schema."""
    root = {"type": "object", "properties": {"v": schema}, "required": ["v"], **others}
    model = {definition.name: definition for definition in arguments_of(root).definitions}[
        "EchoArguments"
    ]
    assert isinstance(model, Model)
    return str(model.fields[0].annotation)


ANNOTATIONS: list[list[Any]] = yaml.safe_load(
    Path(__file__).with_name("annotations.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("case", ANNOTATIONS, ids=lambda case: case[1])
def test_types_look_hand_written(case: list[Any]) -> None:
    schema, annotation, *others = case
    assert field(schema, **(others[0] if others else {})) == annotation


def test_types_beyond_the_maximum_depth_are_any() -> None:
    deep: object = {"type": "string"}
    for _ in range(200):
        deep = {"type": "array", "items": {"anyOf": [deep, {"type": "null"}]}}
    assert "Any" in field(deep)
    chain = {
        f"a{n}": {"anyOf": [{"$ref": f"#/$defs/a{n + 1}"}, {"type": "null"}]} for n in range(900)
    }
    everything = {f"p{n}": {"$ref": f"#/$defs/a{899 - n}"} for n in range(900)}
    schema = {**object_of(**everything), "$defs": {**chain, "a900": {"type": "string"}}}
    assert len(arguments_of(schema, "Echo").definitions) > 1


def test_the_list_of_inherited_attributes_is_complete() -> None:
    names = {*dir(RuntimeModel)} | RuntimeModel.__class_vars__
    assert {name for name in names if not name.startswith("_")} == MODEL


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("max-results", "max_results"),
        ("maxResults", "maxResults"),
        ("max_Results", "max_Results"),
        ("class", "class_"),
        ("None", "None_"),
        ("_meta", "meta"),
        ("__private", "private"),
        ("", "value"),
        ("1st", "value_1st"),
        ("ﬁx", "fix"),
        ("x y", "x_y"),
        ("e\u0301", "e"),
        ("имя", "имя"),
        ("café", "café"),
        ("match", "match"),
        ("self", "self"),
        ("$ref", "ref"),
        ("model_id", "model_id"),
        ("model_validator", "model_validator"),
        ("model_dump", "value_model_dump"),
        ("model_validate_more", "value_model_validate_more"),
        *(
            (name, f"{name}_")
            for name in sorted(MODEL)
            if not name.startswith(("model_dump", "model_validate"))
        ),
    ],
)
def test_a_property_becomes_an_attribute_of_the_same_or_a_similar_name(key: str, name: str) -> None:
    types = arguments_of({**object_of(**{key: {"type": "integer"}}), "required": [key]})
    (definition,) = types.definitions
    assert isinstance(definition, Model)
    assert definition.attributes == (name,)
    model = PYTHON.loaded(types).EchoArguments
    for value in (PYTHON.read(model, {key: 5}), model(**{name: 5})):
        assert getattr(value, name) == 5
        assert value.model_dump(mode="json", exclude_unset=True) == {key: 5}


def test_attributes_of_similar_properties_are_distinct() -> None:
    keys = ["a b", "a-b", "a_b", "a_b_", "json", "json_", "_x", "x", "$x", "", "!"]
    (definition,) = arguments_of(object_of(**{key: {} for key in keys})).definitions
    assert isinstance(definition, Model)
    assert len({*definition.attributes}) == len(keys)
    names = dict(zip(keys, definition.attributes, strict=True))
    assert {key: names[key] for key in ("a_b", "a_b_", "json_", "x")} == {
        key: key for key in ("a_b", "a_b_", "json_", "x")
    }


def test_each_call_gets_its_own_default_and_defaults_are_not_sent_back() -> None:
    tags = {"type": "array", "items": {"type": "string"}, "default": ["a"]}
    model = PYTHON.loaded(arguments_of(object_of(tags=tags))).EchoArguments
    first, second = (PYTHON.read(model, {}) for _ in range(2))
    assert first.tags == second.tags == ["a"]
    assert first.tags is not second.tags
    assert first.model_dump(exclude_unset=True) == {}


def test_absent_and_null_are_distinguished_and_unknown_properties_are_kept() -> None:
    schema = object_of(size={"type": ["string", "null"]}, note={"type": "string"})
    model = PYTHON.loaded(arguments_of(schema)).EchoArguments
    absent, null = PYTHON.read(model, {}), PYTHON.read(model, {"size": None, "extra": [1]})
    assert absent.size is null.size is None
    assert "size" not in absent.model_fields_set
    assert "size" in null.model_fields_set
    assert null.model_extra == {"extra": [1]}
    assert null.model_dump(mode="json", exclude_unset=True) == {"size": None, "extra": [1]}
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        null.size = "x"


# What follows runs the real tools, on many modules at once.


def random_schema(seed: int) -> Made:
    """A random schema of an object, and what makes values for it."""
    random_schema = Made(Random(seed))
    random_schema.schema["type"] = "object"
    assume(Index(random_schema.schema).problem() is None)
    return random_schema


@pytest.fixture(scope="session")
def cache(starts_programs: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mypy")


@pytest.mark.usefixtures("starts_programs")
def test_the_types_of_any_schema_satisfy_formatter_linter_and_type_checker(
    tmp_path: Path, cache: Path
) -> None:
    modules = dict(STDLIB.beside)

    @settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 2**64))
    def collect(seed: int) -> None:
        schema = random_schema(seed).schema
        every = (
            types.arguments_of(Index(schema), "Echo"),
            types.result_of(Index(schema), "Echo"),
        )
        for pack in PACKS:
            name = f"types_{len(modules)}"
            modules[name] = pack.module(
                *with_names(every, {"EchoArguments", "EchoResult", *MODULE_NAMES})
            )

    collect()
    assert_clean(tmp_path, modules, cache)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_values_of_any_schema_survive_a_round_trip_through_their_model(
    pack: Pack, seed: int
) -> None:
    of = random_schema(seed)
    value = of.near(of.schema)
    assume(validator(of.schema).is_valid(value))
    assume(str(2**53 + 1) not in as_text(value))  # which no float holds
    assert as_text(pack.sent_back(of.schema, value)) == as_text(value)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
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
def test_a_format_is_serialized_in_its_usual_form(
    pack: Pack, kind: str, text: str, same: str
) -> None:
    schema = object_of(v={"type": "string", "format": kind})
    assert validator(schema).is_valid({"v": text})
    assert pack.sent_back(schema, {"v": text}) == {"v": same}


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "0000-01-01"),
        ("date-time", "0000-01-01T00:00:00Z"),
        ("date-time", "2016-12-31T23:59:60Z"),
        ("time", "23:59:60Z"),
    ],
)
def test_values_that_python_cannot_represent_are_valid_without_a_model(
    pack: Pack, kind: str, value: object
) -> None:
    schema = object_of(v={"type": "string", "format": kind})
    assert validator(schema).is_valid({"v": value})
    with pytest.raises(
        ValueError, match=r"year 0|second must be|out of range|second value is outside|year 0000"
    ):
        pack.sent_back(schema, {"v": value})


def test_a_client_sets_a_property_only_by_its_own_name() -> None:
    inner = object_of(**{"class": {"type": "string"}})
    schema = object_of(
        **{"class": {"type": "string"}},
        inner=inner,
        many={"type": "array", "items": inner},
        by_name={"type": "object", "additionalProperties": inner},
        either={"anyOf": [inner, {"type": "integer"}]},
    )
    model = PYTHON.loaded(arguments_of(schema)).EchoArguments
    wrong = {"class_": "x"}
    values = model.of_client(
        {**wrong, "inner": wrong, "many": [wrong], "by_name": {"a": wrong}, "either": wrong}
    )
    every = (values, values.inner, values.many[0], values.by_name["a"], values.either)
    assert [value.class_ for value in every] == [None] * 5


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_infinity_and_nan_are_not_numbers(number: float) -> None:
    numbers = {"type": "number"}
    schema = object_of(
        plain=numbers,
        either={"type": ["number", "string", "null"]},
        many={"type": "array", "items": numbers},
        by_name={"type": "object", "additionalProperties": numbers},
    )
    model = PYTHON.loaded(arguments_of(schema)).EchoArguments
    for value in (
        {"plain": number},
        {"either": number},
        {"many": [number]},
        {"by_name": {"a": number}},
    ):
        with pytest.raises(pydantic.ValidationError, match="finite"):
            model.of_client(value)
