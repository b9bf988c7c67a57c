"""The name of a type depends on its tool and its place in the tool's schemas, on nothing else."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scaffold.languages.names import MAX_TYPE_LENGTH
from scaffold.languages.python.names import TYPE_SUFFIXES, identifiers
from scaffold.languages.python.types.definitions import Definition, Model
from scaffold.languages.python.types.naming import with_names
from scaffold.languages.python.types.places import Place
from scaffold.languages.python.types.types import arguments_of, result_of
from scaffold.schema.index import Index

Schema = dict[str, Any]
At = tuple[str, Place]
"""The type of arguments or a result, and a place in it."""

KEYS = ["year", "years", "user", "user_year", "User", "result", "get", "x" * 40, "2d"]


def object_of(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties}


leaves = st.sampled_from([{"type": "string"}, {"type": "integer"}])
objects = st.recursive(
    leaves | st.sampled_from(["A", "GetUser"]).map(lambda name: {"$ref": f"#/$defs/{name}"}),
    lambda inner: (
        st.dictionaries(st.sampled_from(KEYS), inner, min_size=1, max_size=3).map(object_of)
        | inner.map(lambda items: {"type": "array", "items": items})
    ),
    max_leaves=8,
)
definitions = st.dictionaries(st.sampled_from(KEYS), leaves, max_size=1).map(object_of)
schemas = st.builds(
    lambda properties, a, b: {**object_of(properties), "$defs": {"A": a, "GetUser": b}},
    st.dictionaries(st.sampled_from(KEYS), objects, max_size=3),
    definitions,
    definitions,
)
tools = st.dictionaries(
    st.sampled_from(["get", "get_user", "get_user_year", "alpha"]),
    st.tuples(schemas, schemas),
    max_size=4,
)

TAKEN = {"GetYear", "A"}
"""Names that something else has."""


def named(every: dict[str, tuple[Schema, Schema]]) -> tuple[dict[At, str], dict[str, Definition]]:
    """The names of all types by where they are, and the definitions by name."""
    stems = {tool: names.type_name for tool, names in identifiers(every, "tool").items()}
    types = [
        item
        for tool, (arguments, result) in every.items()
        for item in (
            arguments_of(Index(arguments), stems[tool]),
            result_of(Index(result), stems[tool]),
        )
    ]
    final = with_names(types, TAKEN)
    names = {(item.name, place): name for item in final for place, name in item.names.items()}
    return names, {item.name: item for group in final for item in group.definitions}


def keys_of(definition: Definition) -> list[str] | None:
    return [field.key for field in definition.fields] if isinstance(definition, Model) else None


@given(tools)
def test_names_are_valid_and_unique(
    every: dict[str, tuple[Schema, Schema]],
) -> None:
    names, types = named(every)
    for (root, _), name in names.items():
        assert name.isidentifier()
        assert len(name) <= MAX_TYPE_LENGTH
        assert name not in TAKEN
        assert name == root or not name.endswith(TYPE_SUFFIXES)
    for tool, (arguments, result) in every.items():
        for schema, kind in ((arguments, arguments_of), (result, result_of)):
            alone = kind(Index(schema), identifiers(every, "tool")[tool].type_name)
            definitions = {definition.name: definition for definition in alone.definitions}
            for place, name in alone.names.items():
                assert keys_of(types[names[alone.name, place]]) == keys_of(definitions[name])


@given(tools, st.randoms())
def test_the_order_of_tools_changes_no_name(
    every: dict[str, tuple[Schema, Schema]], random: Any
) -> None:
    shuffled = random.sample([*every.items()], len(every))
    assert named(dict(shuffled))[0] == named(every)[0]


@given(tools)
def test_a_name_is_never_reused_for_another_type(
    every: dict[str, tuple[Schema, Schema]],
) -> None:
    """Where another tool has the same name for another type, both get longer ones."""
    after = named(every)[0]
    for removed in every:
        before = named({tool: schemas for tool, schemas in every.items() if tool != removed})[0]
        for at, name in before.items():
            assert after[at] == name or name not in after.values()
