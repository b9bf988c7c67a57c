"""A schema's types are what its author meant; a type checker and a linter accept them."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pydantic
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from scaffold.languages.python import types as python_types
from scaffold.languages.python.definitions import Alias, Model, source
from scaffold.languages.python.names import identifiers
from scaffold.languages.python.naming import NamedTypes, with_names
from scaffold.languages.python.reserved import MODEL
from scaffold.languages.python.types import Types
from scaffold.schema.engine import validator
from scaffold.schema.index import Index
from tests.corpus.fitting import FORMATS
from tests.corpus.fitting import values as values_of
from tests.corpus.recording import as_text, whole
from tests.python.models import Model as BaseOfModels
from tests.python.packs import (
    PACKS,
    PYTHON,
    STDLIB,
    Pack,
    Schema,
    arguments_of,
    assert_clean,
    object_of,
    result_of,
)


def sources(*all_types: NamedTypes) -> list[str]:
    return [source(definition) for one in all_types for definition in one.definitions]


def field(schema: object, **others: object) -> str:
    """The type of a required property `v` of this schema."""
    root = {"type": "object", "properties": {"v": schema}, "required": ["v"], **others}
    model = {one.name: one for one in arguments_of(root).definitions}["EchoArguments"]
    assert isinstance(model, Model)
    return str(model.fields[0].annotation)


@pytest.mark.parametrize(
    ("schema", "annotation"),
    [
        ({"type": "string"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "float"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "None"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "array"}, "list[Any]"),
        ({}, "Any"),
        (True, "Any"),
        (False, "Any"),
        ({"type": "string", "format": "date"}, "dt.date"),
        ({"type": "string", "format": "date-time"}, "dt.datetime"),
        ({"type": "string", "format": "time"}, "dt.time"),
        ({"type": "string", "format": "uuid"}, "UUID"),
        ({"type": "string", "format": "email"}, "str"),
        ({"format": "date"}, "Any"),
        ({"type": ["string", "null"], "format": "date"}, "dt.date | None"),
        ({"type": "string", "format": "date", "enum": ["2026-01-01"]}, 'Literal["2026-01-01"]'),
        ({"anyOf": [{"type": "string", "format": "date"}, {"type": "string"}]}, "str"),
        (
            {"type": "string", "anyOf": [{"type": "string", "format": "date"}, {"enum": ["now"]}]},
            'Literal["now"] | dt.date',
        ),
        (
            {"oneOf": [{"type": "string", "format": one} for one in ("date", "date-time")]},
            "str",
        ),
        ({"description": "no type at all"}, "Any"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": ["null", "integer", "string"]}, "int | str | None"),
        ({"type": ["integer", "number"]}, "float"),
        ({"type": "array", "items": {"type": "string"}}, "list[str]"),
        ({"type": "array", "items": True}, "list[Any]"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "list[Any]",
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}], "maxItems": 1},
            "list[str]",
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
            "list[str | int]",
        ),
        (
            {
                "type": "array",
                "prefixItems": [{"type": "string"}, {"type": "integer"}],
                "items": False,
            },
            "list[str | int]",
        ),
        ({"type": "array", "items": False}, "list[Any]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]"),
        ({"type": "object", "additionalProperties": False}, "dict[str, Any]"),
        (
            {"patternProperties": {"^x": {"type": "integer"}}, "type": "object"},
            "dict[str, Any]",
        ),
        (
            {
                "type": "object",
                "patternProperties": {"^x": {"type": "integer"}},
                "additionalProperties": False,
            },
            "dict[str, int]",
        ),
        ({"enum": ["a", "b", "a"]}, 'Literal["a", "b"]'),
        ({"enum": ["a", None, 1]}, 'Literal["a", 1] | None'),
        ({"enum": [True, False]}, "bool"),
        ({"enum": [1, 1.5]}, "float"),
        ({"enum": ["x", {"k": 1}, [1]]}, 'Literal["x"] | dict[str, Any] | list[Any]'),
        ({"type": "string", "enum": ["a", 1]}, 'Literal["a"]'),
        ({"type": "number", "enum": [1, 2]}, "Literal[1, 2]"),
        ({"const": "a"}, 'Literal["a"]'),
        ({"const": None}, "None"),
        ({"enum": []}, "Any"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "str | None"),
        ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, 'Literal["a", "b"]'),
        ({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]}, 'Literal["a", "b"]'),
        ({"anyOf": [{"type": "string"}, {"enum": ["a"]}]}, "str"),
        ({"anyOf": [{"type": "string"}, {}]}, "Any"),
        ({"type": "string", "anyOf": [{"format": "date"}, {"format": "time"}]}, "str"),
        ({"anyOf": [False, {"type": "string"}]}, "str"),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "str"),
        ({"allOf": [{}, {"enum": ["a", "b"]}], "type": "string"}, 'Literal["a", "b"]'),
        ({"not": {"type": "string"}}, "Any"),
        ({"if": {"type": "string"}, "then": {"minLength": 1}}, "Any"),
        ({"$ref": "https://example.org/elsewhere"}, "Any"),
    ],
)
def test_a_schema_is_the_type_that_one_would_write(schema: object, annotation: str) -> None:
    assert field(schema) == annotation


def test_a_result_says_which_of_its_properties_are_left_out_when_they_are_none() -> None:
    schema = {
        **object_of(
            a={"type": "string"},
            b={"type": ["string", "null"]},
            c={"$ref": "#/$defs/maybe"},
            d={},
            e={"$ref": "#/$defs/list"},
            f={"type": "integer", "default": 3},
        ),
        "$defs": {
            "maybe": {"enum": ["long enough", "for a name of its own", "by far", None]},
            "list": {"type": "array", "items": {"$ref": "#/$defs/list"}},
        },
    }
    *_, model = sources(result_of(schema))
    left_out = [line.split(":")[0].strip() for line in model.splitlines() if "ABSENT" in line]
    assert left_out == ["a", "e"]
    assert "ABSENT" not in "".join(sources(arguments_of(schema)))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_draft_7_is_known_by_both_of_its_addresses(scheme: str) -> None:
    schema = {"type": "array", "items": [{"type": "string"}], "additionalItems": False}
    dialect = f"{scheme}://json-schema.org/draft-07/schema#"
    assert field({"$ref": "#/definitions/a", **schema}, definitions={"a": True}) != "Any"
    assert (
        field(
            {"$ref": "#/definitions/a", **schema}, definitions={"a": True}, **{"$schema": dialect}
        )
        == "Any"
    )


def test_draft_7_ignores_what_stands_beside_a_reference() -> None:
    ref = {"$ref": "#/definitions/n", "type": "string", "enum": ["a"]}
    definitions = {"n": {"type": "integer"}}
    draft_7 = "http://json-schema.org/draft-07/schema#"
    assert field(ref, definitions=definitions, **{"$schema": draft_7}) == "int"
    assert field(ref, definitions={"n": {"type": "string"}}) == 'Literal["a"]'
    both = {"allOf": [{"$ref": "#/definitions/n", "type": "string"}, {"minimum": 1}]}
    assert field(both, definitions=definitions, **{"$schema": draft_7}) == "int"
    tuple_of = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "maxItems": 2}
    assert field(tuple_of, **{"$schema": draft_7}) == "list[str | int]"


def test_a_schema_that_is_only_itself_is_anything() -> None:
    defs = {
        "a": {"$ref": "#/$defs/b"},
        "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]},
        "c": {"allOf": [{"$ref": "#/$defs/c"}]},
    }
    assert field({"$ref": "#/$defs/a"}, **{"$defs": defs}) == "Any"
    assert field({"$ref": "#/$defs/c"}, **{"$defs": defs}) == "Any"


def test_references_that_fan_out_cost_no_more_than_they_are_long() -> None:
    for keyword in ("allOf", "anyOf"):
        defs: Schema = {f"a{n}": {keyword: [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(40)}
        defs["a40"] = object_of(x={"type": "integer"})
        schema = {**object_of(v={"$ref": "#/$defs/a0"}), "$defs": defs}
        assert len(arguments_of(schema, "Echo").definitions) < 50


def test_depth_has_an_end_in_any() -> None:
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


def test_nothing_is_read_from_values_that_look_like_schemas() -> None:
    schema = {
        "enum": [{"$ref": "#/nope"}, {"$id": "urn:x", "properties": 5}],
        "default": {"$ref": "file:///etc/passwd"},
        "examples": [{"properties": 5}],
    }
    assert field(schema) == "dict[str, Any]"


PROTECTED = ("model_dump", "model_validate")


def test_the_list_of_what_models_have_is_complete() -> None:
    assert {name for name in dir(BaseOfModels) if not name.startswith("_")} == MODEL


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
        *((name, f"{name}_") for name in sorted(MODEL) if not name.startswith(PROTECTED)),
    ],
)
def test_a_property_is_an_attribute_under_its_own_name_or_one_near_it(key: str, name: str) -> None:
    types = arguments_of({**object_of(**{key: {"type": "integer"}}), "required": [key]})
    (definition,) = types.definitions
    assert isinstance(definition, Model)
    assert definition.attributes == (name,)
    model = PYTHON.loaded(types).EchoArguments
    for value in (PYTHON.read(model, {key: 5}), model(**{name: 5})):
        assert getattr(value, name) == 5
        assert value.model_dump(mode="json", exclude_unset=True) == {key: 5}


def test_attributes_of_like_properties_stay_apart() -> None:
    keys = ["a b", "a-b", "a_b", "a_b_", "json", "json_", "_x", "x", "$x", "", "!"]
    (definition,) = arguments_of(object_of(**{key: {} for key in keys})).definitions
    assert isinstance(definition, Model)
    assert len({*definition.attributes}) == len(keys)
    names = dict(zip(keys, definition.attributes, strict=True))
    assert {key: names[key] for key in ("a_b", "a_b_", "json_", "x")} == {
        key: key for key in ("a_b", "a_b_", "json_", "x")
    }


def test_defaults_are_filled_in_where_they_are_valid_or_null() -> None:
    schema = {
        **object_of(
            top_k={"type": "integer", "default": 5, "maximum": 20},
            whole={"type": "integer", "default": 7.0},
            too_many={"type": "integer", "default": 50, "maximum": 20},
            wrong={"type": "string", "default": 5},
            nothing={"type": "string", "default": None},
            required={"type": "string", "default": "hi"},
            referred={"$ref": "#/$defs/unit", "default": "m"},
            misreferred={"$ref": "#/$defs/unit", "default": "kg"},
            **{"odd/~%key": {"enum": ["x"], "default": "x"}},
            since={"type": "string", "format": "date", "default": "2026-01-31"},
            at={"type": "string", "format": "date-time", "default": "2026-01-31t12:00:00z"},
            leap={"type": "string", "format": "time", "default": "23:59:60Z"},
            id={
                "type": "string",
                "format": "uuid",
                "default": "12345678-1234-1234-1234-123456789ABC",
            },
            tags={"type": "array", "items": {"type": "string"}, "default": ["a"]},
            anything={"default": {"a": [1, None]}},
            number={"type": "number", "default": 1},
            always=True,
        ),
        "required": ["required"],
        "$defs": {"unit": {"enum": ["m", "km"]}},
    }
    model = PYTHON.loaded(arguments_of(schema)).EchoArguments
    first, second = (PYTHON.read(model, {"required": "x"}) for _ in range(2))
    assert dict(first) == {
        "top_k": 5,
        "whole": 7,
        "too_many": None,
        "wrong": None,
        "nothing": None,
        "required": "x",
        "referred": "m",
        "misreferred": None,
        "odd_key": "x",
        "since": dt.date(2026, 1, 31),
        "at": dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC),
        "leap": None,
        "id": first.id,
        "tags": ["a"],
        "anything": {"a": [1, None]},
        "number": 1,
        "always": None,
    }
    assert str(first.id) == "12345678-1234-1234-1234-123456789abc"
    assert first.tags is not second.tags
    assert first.anything["a"] is not second.anything["a"]
    assert first.model_fields_set == {"required"}
    with pytest.raises(pydantic.ValidationError, match="required"):
        PYTHON.read(model, {})
    assert first.model_dump(exclude_unset=True) == {"required": "x"}


def test_a_default_that_would_never_end_is_left_out() -> None:
    schema = object_of(next={"$ref": "#", "default": {}}, n={"default": 1})
    found = PYTHON.read(PYTHON.loaded(arguments_of(schema)).EchoArguments, {})
    assert (found.next, found.n) == (None, 1)


def test_a_default_is_checked_without_a_look_outside() -> None:
    schema = object_of(v={"$ref": "http://127.0.0.1:9/schema.json", "default": 1})
    with pytest.raises(ValueError, match=r"127\.0\.0\.1:9"):
        arguments_of(schema)


def test_absent_is_told_from_null_and_unknown_properties_are_kept() -> None:
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


def test_an_unknown_property_of_an_attributes_name_stays_unknown() -> None:
    model = PYTHON.loaded(arguments_of(object_of(**{"top-k": {"type": "integer"}}))).EchoArguments
    found = PYTHON.read(model, {"top-k": 1, "top_k": "what"})
    assert found.top_k == 1
    assert found.model_dump(mode="json", exclude_unset=True) == {"top-k": 1, "top_k": "what"}


# What follows runs the real tools, on many modules at once.

keys = st.sampled_from(
    ["a", "b", "type", "class", "a-b", "str", "list", "__x", "", "имя", "ﬁx", "$ref", "x" * 70]
) | st.text(max_size=6)
scalars = st.sampled_from(["string", "integer", "number", "boolean", "null"])
values = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.text(max_size=30)
references = st.sampled_from(
    ["#", "#/$defs/a", "#/$defs/b", "#c", "#/properties/a", "#/$defs/nope"]
)


RESERVED = {
    "ABSENT",
    "EchoArguments",
    "EchoResult",
    "Any",
    "BaseModel",
    "Field",
    "Literal",
    "Model",
    "UUID",
}

orders = st.sampled_from(["fmt: off", "noqa", "type: ignore", '"""', "coding: latin-1", "\\"])
descriptions = st.lists(orders | st.text(max_size=40), max_size=20).map(" # ".join)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(keys, inner, max_size=4)},
        optional={
            "required": st.lists(keys, max_size=3, unique=True),
            "additionalProperties": inner,
            "description": descriptions,
            "oneOf": st.lists(inner, min_size=1, max_size=3),
        },
    )


schemas = st.recursive(
    st.booleans()
    | st.fixed_dictionaries(
        {"type": scalars},
        optional={"default": values, "title": keys, "description": descriptions},
    )
    | st.fixed_dictionaries({"type": st.just("string"), "format": st.sampled_from(list(FORMATS))})
    | st.fixed_dictionaries({"enum": st.lists(values, min_size=1, max_size=6)})
    | st.fixed_dictionaries({"const": values})
    | st.fixed_dictionaries({"$ref": references}),
    lambda inner: (
        objects(inner)
        | st.fixed_dictionaries({"type": st.lists(scalars, min_size=1, max_size=3, unique=True)})
        | st.fixed_dictionaries({"type": st.just("array"), "items": inner})
        | st.fixed_dictionaries({"prefixItems": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"type": st.just("object"), "additionalProperties": inner})
        | st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=3)})
    ),
    max_leaves=10,
)
roots = st.builds(
    lambda root, a, b, c: {
        **root,
        "$defs": {"a": a, "b": b, "c": {"$anchor": "c", **(c if isinstance(c, dict) else {})}},
    },
    objects(schemas),
    schemas,
    schemas,
    schemas,
)


@pytest.fixture(scope="session")
def cache(starts_programs: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mypy")


@pytest.mark.usefixtures("starts_programs")
def test_the_types_of_any_schema_satisfy_formatter_linter_and_type_checker(
    tmp_path: Path, cache: Path
) -> None:
    modules = dict(STDLIB.beside)

    @settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(roots)
    def collect(schema: Schema) -> None:
        assume(Index.of(schema).problem() is None)
        every = (
            python_types.arguments_of(Index.of(schema), "Echo"),
            python_types.result_of(Index.of(schema), "Echo"),
        )
        for pack in PACKS:
            name = f"types_{len(modules)}"
            modules[name] = pack.module(*with_names(every, RESERVED))

    collect()
    assert_clean(tmp_path, modules, cache)


def tools(corpus: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for path in sorted((corpus / "tools").glob("*.json")):
        listed = {tool["name"]: tool for tool in json.loads(path.read_text())["tools"]}
        yield path.stem.replace("-", "_"), list(listed.values())


def types_of(listed: Sequence[Mapping[str, Any]]) -> tuple[NamedTypes, ...]:
    names = identifiers((tool["name"] for tool in listed), "tool")
    every: list[Types] = []
    for tool in listed:
        name = names[tool["name"]].type_name
        every.append(python_types.arguments_of(Index.of(tool["inputSchema"]), name))
        if "outputSchema" in tool:
            every.append(python_types.result_of(Index.of(tool["outputSchema"]), name))
    return with_names(every, RESERVED | {types.name for types in every})


def test_the_types_of_real_tools_satisfy_formatter_linter_and_type_checker(
    corpus: Path, tmp_path: Path, cache: Path
) -> None:
    types = {name: types_of(listed) for name, listed in tools(corpus)}
    assert (
        max(len(d.name) for group in types.values() for one in group for d in one.definitions) < 60
    )
    assert len(types) == 40
    modules = dict(STDLIB.beside)
    for number, pack in enumerate(PACKS):
        modules |= {f"{name}_{number}": pack.module(*group) for name, group in types.items()}
    assert_clean(tmp_path, modules, cache)


def admits(types: NamedTypes, value: object) -> bool:
    """Whether a value is of the type, as the generated server converts it."""
    adapter = pydantic.TypeAdapter[Any](PYTHON.loaded(types).__dict__[types.name])
    try:
        adapter.validate_json(to_json(value), strict=True, by_alias=True, by_name=False)
    except pydantic.ValidationError as error:
        print(error)
        return False
    return True


JSON_TYPES = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


LEAP_SECOND = re.compile(r".*:60(\.\d+)?([zZ]|[+-].*)")


@pytest.mark.parametrize("draft", ["draft2020-12", "draft7"])
def test_types_admit_every_instance_that_the_test_suite_calls_valid(
    corpus: Path, draft: str
) -> None:
    admitted = 0
    suite = corpus / "json-schema-test-suite" / draft
    for path in sorted([*suite.glob("required/*.json"), *suite.glob("optional-format/*.json")]):
        for case in json.loads(path.read_text()):
            for value in [test["data"] for test in case["tests"] if test["valid"]]:
                value = whole(value)
                schema = case["schema"]
                if isinstance(schema, dict):
                    schema = {"type": JSON_TYPES[type(value)], **schema}
                    if draft == "draft7":
                        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
                    with contextlib.suppress(ValueError):  # refers to what is not in the schema
                        if not validator(schema).is_valid(value):
                            continue  # the type just added reaches values inside, by "#"
                types = result_of(schema, "Result")
                is_beyond = "time" in path.name and LEAP_SECOND.fullmatch(str(value))
                name = path.name, case["description"], value
                assert admits(types, value) is not bool(is_beyond), name
                admitted += types.definitions != (Alias("Result", "Any"),)
    assert admitted > {"draft2020-12": 700, "draft7": 500}[draft]


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), roots)
def test_whatever_a_schema_allows_becomes_a_model_and_comes_back_the_same(
    pack: Pack, data: st.DataObject, schema: Schema
) -> None:
    assume(Index.of(schema).problem() is None)
    try:
        value = data.draw(values_of(schema, schema))
    except (KeyError, RecursionError):  # a reference that the strategy does not follow
        value = data.draw(st.dictionaries(keys, values, max_size=3))
    assume(validator(schema).is_valid(value))
    assert as_text(pack.sent_back(schema, value)) == as_text(value)


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
def test_a_format_comes_back_in_its_usual_form(pack: Pack, kind: str, text: str, same: str) -> None:
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
def test_what_python_cannot_hold_is_valid_and_has_no_model(
    pack: Pack, kind: str, value: object
) -> None:
    schema = object_of(v={"type": "string", "format": kind})
    assert validator(schema).is_valid({"v": value})
    with pytest.raises(
        ValueError, match=r"year 0|second must be|out of range|second value is outside|year 0000"
    ):
        pack.sent_back(schema, {"v": value})


def test_a_number_that_is_too_large_for_python_has_no_model() -> None:
    schema = object_of(v={"type": "number"})
    assert validator(schema).is_valid({"v": 10**400})
    with pytest.raises(pydantic.ValidationError):
        PYTHON.sent_back(schema, {"v": 10**400})


def test_a_client_sets_a_property_by_its_own_name_alone() -> None:
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
    found = model.of_client(
        {**wrong, "inner": wrong, "many": [wrong], "by_name": {"a": wrong}, "either": wrong}
    )
    every = (found, found.inner, found.many[0], found.by_name["a"], found.either)
    assert [one.class_ for one in every] == [None] * 5


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_number_that_is_not_finite_fits_no_number(number: float) -> None:
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
