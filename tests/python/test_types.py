"""A schema's types are what its author meant, and a type checker and a linter accept them."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import jsonschema_rs
import pydantic
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.jsonschema import defaults
from scaffold.jsonschema.index import Index
from scaffold.python import types as python_types
from scaffold.python.definitions import TYPING, Alias, TypedDict, source
from scaffold.python.format import formatted
from scaffold.python.names import identifiers
from scaffold.python.types import Types

Schema = dict[str, Any]


def defaults_of(schema: Schema | bool) -> dict[str, Any]:
    return defaults.defaults_of(Index.of(schema))


def arguments_of(schema: Schema | bool, name: str, taken: Collection[str] = ()) -> Types:
    index = Index.of(schema)
    given = {} if index.problem() else defaults.defaults_of(index)  # some refer to nothing
    return python_types.arguments_of(index, name, given, taken)


def result_of(schema: Schema | bool, name: str, taken: Collection[str] = ()) -> Types:
    return python_types.result_of(Index.of(schema), name, taken)


def module(*all_types: Types) -> str:
    """A Python module that defines these types."""
    start = f"from __future__ import annotations\nfrom typing import {', '.join(sorted(TYPING))}"
    blocks = [source(definition) for one in all_types for definition in one.definitions]
    return "\n".join([start, *blocks, ""])


def field(schema: object, **others: object) -> str:
    """The annotation of a required property `v` of this schema."""
    root = {"type": "object", "properties": {"v": schema}, "required": ["v"], **others}
    typed_dict = arguments_of(root, "EchoArguments").definitions[0]
    assert isinstance(typed_dict, TypedDict)
    return str(typed_dict.fields[0].annotation)


def definitions(schema: Schema) -> str:
    """The definitions as the formatter leaves them."""
    printed = {d.name: source(d) for d in arguments_of(schema, "EchoArguments").definitions}
    styled = in_style(printed)
    return "".join(styled[name] for name in printed).strip()


def in_style(modules: Mapping[str, str]) -> dict[str, str]:
    """Format modules as those of a project."""
    paths = {RelPath(f"{name}.py"): text for name, text in modules.items()}
    files = RenderedFiles({p: RenderedFile(p, Owner.OWNED, paths[p], p) for p in paths})
    return {path.removesuffix(".py"): file.text for path, file in formatted(files).items()}


def object_of(**properties: object) -> Schema:
    return {"type": "object", "properties": properties}


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
        (False, "Never"),
        ({"description": "no type at all"}, "Any"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": ["null", "integer", "string"]}, "int | str | None"),
        ({"type": ["integer", "number"]}, "float"),
        ({"type": "array", "items": {"type": "string"}}, "list[str]"),
        ({"type": "array", "items": True}, "list[Any]"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "list[str | int]",
        ),
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
        ({"enum": []}, "Never"),
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


def test_arguments_are_a_typed_dict_with_required_and_described_keys() -> None:
    schema = {
        "type": "object",
        "properties": {
            "source": {"type": "string", "description": "Markdown file path."},
            "chunk_index": {"type": "integer", "minimum": 0},
            "format": {"enum": ["md", "html"], "description": "What\nto return."},
        },
        "required": ["source", "chunk_index"],
    }
    types = arguments_of(schema, "ReadChunkArguments")
    assert [source(definition) for definition in types.definitions] == [
        '''class ReadChunkArguments(TypedDict):
    source: str
    """Markdown file path."""
    chunk_index: int
    format: NotRequired[Literal["md", "html"]]
    """What
    to return.
    """'''
    ]


def test_arguments_are_a_typed_dict_even_if_there_are_none() -> None:
    assert source(arguments_of({"type": "object"}, "PingArguments").definitions[0]) == (
        "class PingArguments(TypedDict):\n    pass"
    )


def test_a_result_is_an_alias_where_it_is_no_object_of_known_keys() -> None:
    schema = {"type": "array", "items": object_of(title={"type": "string"})}
    types = result_of(schema, "ListPostsResult")
    assert [source(definition) for definition in types.definitions] == [
        "class ListPostsResultItem(TypedDict):\n    title: NotRequired[str]",
        "ListPostsResult: TypeAlias = list[ListPostsResultItem]",
    ]


def test_nested_objects_are_named_by_their_path() -> None:
    schema = object_of(
        filter=object_of(tags={"type": "array", "items": object_of(name={"type": "string"})}),
        by_name={"type": "object", "additionalProperties": object_of(x={"type": "integer"})},
    )
    names = [one.name for one in arguments_of(schema, "SearchArguments").definitions]
    assert names == [
        "SearchArguments",
        "SearchArgumentsFilter",
        "SearchArgumentsFilterTagsItem",
        "SearchArgumentsByNameValue",
    ]


def test_alternatives_are_named_by_their_title_or_by_the_constant_that_tells_them_apart() -> None:
    schema = object_of(
        shape={
            "oneOf": [
                object_of(kind={"const": "circle"}, radius={"type": "number"}),
                {"title": "A box", **object_of(kind={"const": "box"})},
                object_of(points={"type": "array"}),
            ]
        }
    )
    assert [one.name for one in arguments_of(schema, "DrawArguments").definitions][1:] == [
        "DrawArgumentsShapeCircle",
        "DrawArgumentsShapeABox",
        "DrawArgumentsShape3",
    ]


def test_references_share_one_definition() -> None:
    schema = {
        **object_of(
            a={"$ref": "#/$defs/thing"},
            b={"anyOf": [{"$ref": "#t"}, {"type": "null"}]},
            c={"allOf": [{"$ref": "urn:example:inner#/$defs/z"}], "default": 1},
            d={"type": "array", "items": {"$ref": "#/$defs/a~1b%25"}},
            e={"$ref": "#/$defs/status"},
        ),
        "$defs": {
            "thing": {"$anchor": "t", **object_of(x={"type": "integer"})},
            "inner": {"$id": "urn:example:inner", "$defs": {"z": {"type": "integer"}}},
            "a/b%": {"type": "boolean"},
            "status": {"enum": ["on", "off"], "description": "On or off."},
        },
    }
    assert (
        definitions(schema)
        == '''class EchoArguments(TypedDict):
    a: NotRequired[EchoArgumentsThing]
    b: NotRequired[EchoArgumentsThing | None]
    c: int
    d: NotRequired[list[bool]]
    e: NotRequired[EchoArgumentsStatus]
class EchoArgumentsThing(TypedDict):
    x: NotRequired[int]
EchoArgumentsStatus: TypeAlias = Literal["on", "off"]
"""On or off."""'''
    )


def test_an_empty_reference_is_to_the_whole_schema() -> None:
    schema = object_of(inner={"$ref": ""})
    assert "inner: NotRequired[EchoArguments]" in definitions(schema)


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
    tuple_of = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}
    assert field(tuple_of, **{"$schema": draft_7}) == "list[str | int]"


def test_objects_that_all_hold_are_one_object() -> None:
    schema = {
        "allOf": [
            {"$ref": "#/$defs/base"},
            {**object_of(name={}, size={"type": "integer"}), "required": ["size"]},
        ],
        "$defs": {"base": {**object_of(name={"type": "string"}), "required": ["name"]}},
    }
    assert definitions(schema) == ("class EchoArguments(TypedDict):\n    name: str\n    size: int")


def test_what_branches_of_an_object_add_may_be_absent() -> None:
    schema = {
        **object_of(mode={"enum": ["a", "b"]}),
        "required": ["mode"],
        "oneOf": [object_of(x={"type": "integer"}), object_of(x={"type": "string"})],
        "if": object_of(mode={"const": "a"}),
        "then": object_of(y={"type": "string"}),
    }
    assert (
        definitions(schema)
        == """class EchoArguments(TypedDict):
    mode: Literal["a", "b"]
    x: NotRequired[int | str]
    y: NotRequired[str]"""
    )


def test_recursion_goes_through_names() -> None:
    tree = {
        **object_of(next={"$ref": "#"}, json={"$ref": "#/$defs/json"}),
        "$defs": {
            "json": {
                "anyOf": [
                    {"type": ["string", "null"]},
                    {"type": "array", "items": {"$ref": "#/$defs/json"}},
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/json"}},
                ]
            }
        },
    }
    assert (
        definitions(tree)
        == """class EchoArguments(TypedDict):
    next: NotRequired[EchoArguments]
    json: NotRequired[EchoArgumentsJson]
EchoArgumentsJson: TypeAlias = (
    str | list["EchoArgumentsJson"] | dict[str, "EchoArgumentsJson"] | None
)"""
    )


def test_a_name_that_comes_too_early_is_quoted_so_that_the_module_runs() -> None:
    maybe = {"anyOf": [{"$ref": "#"}, {"type": "null"}]}
    schema = {**object_of(**{"next-node": {"$ref": "#/$defs/maybe"}}), "$defs": {"maybe": maybe}}
    types = arguments_of(schema, "Node")
    assert [source(definition) for definition in types.definitions] == [
        'NodeMaybe: TypeAlias = "Node | None"',
        'Node = TypedDict("Node", {\n"next-node": NotRequired[NodeMaybe]\n})',
    ]
    exec(module(types), {})


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
        assert len(arguments_of(schema, "EchoArguments").definitions) < 50


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
    assert len(arguments_of(schema, "EchoArguments").definitions) > 1


def test_nothing_is_read_from_values_that_look_like_schemas() -> None:
    schema = {
        "enum": [{"$ref": "#/nope"}, {"$id": "urn:x", "properties": 5}],
        "default": {"$ref": "file:///etc/passwd"},
        "examples": [{"properties": 5}],
    }
    assert field(schema) == "dict[str, Any]"


def test_keys_that_cannot_be_attributes_stay_what_they_are() -> None:
    for key in ("class", "a-b", "__private", "", "1st", "ﬁx", "x y", "None", "e\u0301"):
        types = arguments_of({**object_of(**{key: {}}), "required": [key]}, "EchoArguments")
        scope: dict[str, Any] = {}
        exec(module(types), scope)
        assert scope["EchoArguments"].__required_keys__ == {key}
        assert "class " not in source(types.definitions[0]).splitlines()[0]
    assert "class EchoArguments" in definitions(object_of(имя={}, _meta={}, match={}, café={}))


def test_descriptions_of_keys_that_cannot_be_attributes_are_comments() -> None:
    described = {"type": "integer", "description": "How many\nto return."}
    assert (
        definitions(object_of(**{"max-results": described, "a": {}}))
        == """EchoArguments = TypedDict(
    "EchoArguments",
    {
        # How many to return.
        "max-results": NotRequired[int],
        "a": NotRequired[Any],
    },
)"""
    )


def test_a_key_never_hides_a_type_used_beside_it() -> None:
    assert (
        definitions(object_of(list={"type": "array"}, str={}))
        == """EchoArguments = TypedDict(
    "EchoArguments", {"list": NotRequired[list[Any]], "str": NotRequired[Any]}
)"""
    )


def test_a_description_that_a_field_gives_is_not_given_twice() -> None:
    nested = {**object_of(x={"type": "string"}), "description": "What to keep."}
    assert definitions(object_of(filter=nested)).count("What to keep.") == 1


def test_definitions_of_one_name_stay_apart() -> None:
    keys = ["str", "List", "Any", "dict", "None", "class", "Item", "item", "ITEM", "TypedDict"]
    defs = {key: object_of(x={"type": "integer"}) for key in keys}
    schema = {**object_of(**{key: {"$ref": f"#/$defs/{key}"} for key in keys}), "$defs": defs}
    names = [one.name for one in arguments_of(schema, "A", taken={"AItem", "AAny"}).definitions]
    assert len({*names, "AItem", "AAny"}) == len(keys) + 3


def test_the_same_schema_gives_equal_types() -> None:
    schema = object_of(a=object_of(b={"enum": ["x", 1, None]}))
    assert arguments_of(schema, "A") == arguments_of(json.loads(json.dumps(schema)), "A")
    assert arguments_of(schema, "A") != arguments_of(object_of(a={}), "A")
    assert hash(arguments_of(schema, "A")) == hash(arguments_of(schema, "A"))


def test_defaults_are_filled_in_where_they_are_valid_or_null() -> None:
    schema = {
        **object_of(
            top_k={"type": "integer", "default": 5, "maximum": 20},
            too_many={"type": "integer", "default": 50, "maximum": 20},
            wrong={"type": "string", "default": 5},
            nothing={"type": "string", "default": None},
            required={"type": "string", "default": "hi"},
            referred={"$ref": "#/$defs/unit", "default": "m"},
            misreferred={"$ref": "#/$defs/unit", "default": "kg"},
            **{"odd/~%key": {"enum": ["x"], "default": "x"}},
            always=True,
        ),
        "required": ["required"],
        "$defs": {"unit": {"enum": ["m", "km"]}},
    }
    defaults = defaults_of(schema)
    assert defaults == {"top_k": 5, "nothing": None, "referred": "m", "odd/~%key": "x"}
    (_, typed_dict) = arguments_of(schema, "EchoArguments").definitions
    assert isinstance(typed_dict, TypedDict)
    fields = {one.key: one for one in typed_dict.fields}
    assert {key for key, one in fields.items() if one.required} == {*defaults, "required"}
    assert str(fields["nothing"].annotation) == "str | None"
    assert defaults_of(True) == {}


def test_a_default_is_checked_without_a_look_outside() -> None:
    schema = object_of(v={"$ref": "http://127.0.0.1:9/schema.json", "default": 1})
    with pytest.raises(ValueError, match=r"127\.0\.0\.1:9"):
        defaults_of(schema)


# What follows runs the real tools, on many modules at once.

keys = st.sampled_from(
    ["a", "b", "type", "class", "a-b", "str", "list", "__x", "", "имя", "ﬁx", "$ref", "x" * 70]
) | st.text(max_size=6)
scalars = st.sampled_from(["string", "integer", "number", "boolean", "null"])
values = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.text(max_size=30)
references = st.sampled_from(
    ["#", "#/$defs/a", "#/$defs/b", "#c", "#/properties/a", "#/$defs/nope"]
)


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


def assert_clean(folder: Path, modules: Mapping[str, str], cache: Path) -> None:
    """Write modules as they come from the formatter, and have ruff and mypy find nothing in them."""
    for name, text in in_style(modules).items():
        (folder / f"{name}.py").write_text(text)
    run(folder, "ruff", "format", "--isolated", "--diff", ".")
    run(folder, "ruff", "check", "--isolated", ".")
    run(folder, "mypy", "--strict", "--python-version=3.11", f"--cache-dir={cache}", ".")


def run(folder: Path, *command: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mypy")


def test_the_types_of_any_schema_satisfy_formatter_linter_and_type_checker(
    tmp_path: Path, cache: Path
) -> None:
    modules: dict[str, str] = {}

    @settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(roots)
    def collect(schema: Schema) -> None:
        types = (
            arguments_of(schema, "EchoArguments", {"EchoResult"}),
            result_of(schema, "EchoResult", {"EchoArguments"}),
        )
        modules[f"types_{len(modules)}"] = module(*types)

    collect()
    assert_clean(tmp_path, modules, cache)


def tools(corpus: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for path in sorted((corpus / "tools").glob("*.json")):
        listed = {tool["name"]: tool for tool in json.loads(path.read_text())["tools"]}
        yield path.stem.replace("-", "_"), list(listed.values())


def types_of(listed: Sequence[Mapping[str, Any]]) -> Iterator[Types]:
    names = identifiers((tool["name"] for tool in listed), "tool")
    ends = ("Arguments", "Result")
    taken = {name.type_name + end for name in names.values() for end in ends}
    for tool in listed:
        name = names[tool["name"]].type_name
        schemas = (arguments_of, tool["inputSchema"]), (result_of, tool.get("outputSchema"))
        for (read, schema), end in zip(schemas, ends, strict=True):
            if schema is not None:
                types = read(schema, name + end, taken)
                taken |= {definition.name for definition in types.definitions}
                yield types


def test_the_types_of_real_tools_satisfy_formatter_linter_and_type_checker(
    corpus: Path, tmp_path: Path, cache: Path
) -> None:
    modules = {name: module(*types_of(listed)) for name, listed in tools(corpus)}
    assert len(modules) == 40
    assert_clean(tmp_path, modules, cache)


def admits(types: Types, value: object) -> bool:
    """Whether a value is of the type, as pydantic reads the definitions."""
    home = ModuleType("home")
    home.__dict__["Never"] = Literal["which pydantic does not know"]
    source = module(types).replace("from typing import", "from typing_extensions import")
    exec(source.replace(" Never,", "", 1), home.__dict__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, home.__name__, home)
        adapter = pydantic.TypeAdapter[Any](home.__dict__[types.name])
    try:
        adapter.validate_python(value, strict=True)
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


@pytest.mark.parametrize("draft", ["draft2020-12", "draft7"])
def test_types_admit_every_instance_that_the_test_suite_calls_valid(
    corpus: Path, draft: str
) -> None:
    admitted = 0
    for path in sorted((corpus / "json-schema-test-suite" / draft / "required").glob("*.json")):
        for case in json.loads(path.read_text()):
            taken_as_meant = re.search(
                r'"(prefixItems|items": \[|depend)', json.dumps(case["schema"])
            )
            for value in [test["data"] for test in case["tests"] if test["valid"]]:
                if taken_as_meant or (isinstance(value, float) and value.is_integer()):
                    continue  # JSON Schema calls 1.0 an integer, Python does not
                schema = case["schema"]
                if isinstance(schema, dict):
                    schema = {"type": JSON_TYPES[type(value)], **schema}
                    if draft == "draft7":
                        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
                    with contextlib.suppress(ValueError):  # refers to what is not in the schema
                        if not jsonschema_rs.is_valid(schema, value, offline=True):
                            continue  # the type just added reaches values inside, by "#"
                types = result_of(schema, "Result")
                assert admits(types, value), (path.name, case["description"], value)
                admitted += types.definitions != (Alias("Result", "Any"),)
    assert admitted > {"draft2020-12": 400, "draft7": 200}[draft]
