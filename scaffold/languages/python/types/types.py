"""Generate Python types from a JSON Schema: models and aliases.

The types hold what a type checker and a handler can use; the schema itself validates at run time.
They cover `type`, `properties`, `required`, `default`, `additionalProperties`, `items`,
`prefixItems`, `enum`, `const`, `format`, `anyOf`, `oneOf`, `allOf`, `deprecated` and local
references. Everything else is `Any`. A type excludes nothing that the schema allows, except what
Python cannot represent, such as a leap second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.text import Text
from scaffold.languages.python.types.annotations import (
    BY_FORMAT,
    BY_TYPE,
    NUMBER,
    is_long,
    is_vague,
    narrowest,
    of_values,
    possible,
    union,
)
from scaffold.languages.python.types.defaults import fill_in
from scaffold.languages.python.types.definitions import Alias, Definition, Field, Model
from scaffold.languages.python.types.expressions import Expression, subscript
from scaffold.languages.python.types.places import Place, label_of, place_of
from scaffold.schema.index import Index, Property
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import types_of, values_of

MAX_DEPTH = 64
"""The maximum depth of nested schemas, including references; deeper ones are `Any`."""


class Types(Struct, frozen=True):
    """The definitions of the type `name` and of the types it uses.

    `name` is `stem` and "Arguments" or "Result". `names` are the names of all these types by their
    places. As they are read, nested types have provisional names, which end in a number.
    `with_names` gives them their final ones, and leaves out definitions that earlier types have.
    """

    stem: str
    name: str
    definitions: tuple[Definition, ...]
    names: Mapping[Place, str]


def arguments_of(index: Index, stem: str, verbatim: bool = False) -> Types:
    """Return the model of a handler's arguments. The schema must be valid.

    `verbatim` models change nothing: dates and the like are texts, and no defaults are filled in.
    """
    reader = _Reader(index, f"{stem}Arguments", verbatim)
    reader.read_arguments()
    return reader.types(stem)


def result_of(index: Index, stem: str, verbatim: bool = False) -> Types:
    """Return the type of a tool's result: a model or an alias. The schema must be valid.

    `verbatim` models change nothing, as those of arguments.
    """
    reader = _Reader(index, f"{stem}Result", verbatim)
    reader.read_result()
    return reader.types(stem)


_Key: TypeAlias = tuple[int, str]
"""The identity of a schema and its base URI; YAML aliases share one schema object."""


class _Way(Struct, frozen=True):
    """How a schema was reached: its place, its depth and the open schemas.

    The types of `open` schemas would contain this one with no list or object in between. `name` is
    the provisional name of its type, if that was chosen before.
    """

    place: Place = Place()
    depth: int = 0
    open: frozenset[_Key] = frozenset()
    name: str = ""

    def to(self, place: Place) -> _Way:
        """Return the way to what is inside a list or an object."""
        return _Way(place, self.depth)

    def beside(self, part: str) -> _Way:
        """Return the way to one of several alternatives."""
        return replace(self, place=self.place.beside(part), name="")


class _Reader:
    """A reader of one schema that collects the definitions its types need."""

    def __init__(self, index: Index, name: str, verbatim: bool) -> None:
        self._name = name
        self._verbatim = verbatim
        self._index = index
        self._names: dict[Place, str] = {Place(): name}
        self._referred: set[str] = set()
        self._definitions: dict[str, Definition] = {}
        self._known: dict[_Key, Expression] = {}
        self._pending: dict[_Key, str] = {}
        self._recursive: set[_Key] = set()
        self._stated: dict[tuple[str, str], tuple[Expression, object]] = {}

    def read_arguments(self) -> None:
        """Define the root as a model, whatever type the schema has."""
        self._known[_key(self._index.root)] = self._name
        self._model(_Way(name=self._name), self._index.members)

    def read_result(self) -> None:
        """Define the root as the type of the schema."""
        annotation = self._define(self._index.root, _Way(name=self._name))
        if self._name not in self._definitions:
            self._definitions[self._name] = Alias(self._name, annotation)

    def types(self, stem: str) -> Types:
        """Return the definitions; the root has no description, since its tool describes it."""
        for (model, key), (annotation, value) in self._stated.items():
            fill_in(model, key, annotation, value, self._definitions)
        names = {place: name for place, name in self._names.items() if name in self._definitions}
        root = replace(self._definitions.pop(self._name), description=None)
        return Types(stem, self._name, (root, *self._definitions.values()), names)

    def _annotation(self, schema: Subschema, way: _Way) -> Expression:
        """Return the type of a schema."""
        if schema.schema is False:
            return "Never"
        if schema.schema is True or way.depth > MAX_DEPTH:
            return "Any"
        key = _key(schema)
        if key in self._known:
            return self._known[key]
        way = replace(way, depth=way.depth + 1)
        if (other := self._index.stands_for(schema)) is not None:
            refers = not schema.keywords.keys().isdisjoint(("$ref", "$dynamicRef"))
            known = self._target(other, way) if refers else self._annotation(other, way)
        else:
            known = self._all_of([schema], way)
        self._known[key] = known
        return known

    def _all_of(self, schemas: Sequence[Subschema], way: _Way) -> Expression:
        """Return the type of a value to which all of these schemas apply."""
        if len(schemas) > 1 and way.depth > MAX_DEPTH:
            return "Any"
        way = replace(way, depth=way.depth + 1) if len(schemas) > 1 else way
        applied = self._index.applied(*schemas)
        if any(part.schema is False for part in applied):
            return "Never"
        if (values := values_of(applied)) is not None:
            return of_values(values)
        types = types_of(applied)
        if types is None or not self._index.children_of(applied, "properties"):
            for keyword in ("anyOf", "oneOf"):
                for part in applied:
                    alternatives = self._union(self._index.children(part, keyword), way)
                    if not (is_vague(alternatives) if types else alternatives == "Any"):
                        return alternatives
        if types is None:
            return "Any"
        if types == ("object",) and self._has_keys(applied):
            if self._pending.get(_key(schemas[0])) != way.name:
                way = self._new(way)
            if len(schemas) == 1:
                self._known[_key(schemas[0])] = way.name
            text = schemas[0].keywords.get("description")
            return self._model(way, self._index.properties(*schemas), text)
        return union(self._of_type(json_type, schemas, applied, way) for json_type in types)

    def _of_type(
        self, json_type: str, schemas: Sequence[Subschema], applied: Sequence[Subschema], way: _Way
    ) -> Expression:
        match json_type:
            case "array":
                return narrowest([self._list(part, way) for part in applied])
            case "object" if self._has_keys(applied):
                return self._model(self._new(way), self._index.properties(*schemas))
            case "object":
                return narrowest([self._dict(part, way) for part in applied])
            case "string" if not self._verbatim:
                stated = (part.keywords.get("format", "") for part in applied)
                formats = [BY_FORMAT[format] for format in stated if format in BY_FORMAT]
                return union(formats) if formats else "str"
            case "number" if self._verbatim:
                return NUMBER
        return BY_TYPE.get(json_type, "Any")

    def _list(self, part: Subschema, way: _Way) -> Expression:
        """Return `list[…]`: all JSON arrays arrive as lists, even those of fixed length.

        Items are Any unless the schema covers all positions.
        """
        items = self._index.items(part)
        single = [member for member in items if member.name.isdigit()]
        if len(single) == len(items) and len(items) < part.keywords.get("maxItems", math.inf):
            return BY_TYPE["array"]
        return subscript("list", possible(self._union(items, way.to(way.place.item()))))

    def _dict(self, part: Subschema, way: _Way) -> Expression:
        """Return `dict[str, …]`; values are Any unless the schema covers all keys."""
        others = self._index.children(part, "additionalProperties")
        values = [*self._index.children(part, "patternProperties"), *others]
        if not others or not any(value.schema for value in values):
            return BY_TYPE["object"]
        return subscript("dict", "str", possible(self._union(values, way.to(way.place.value()))))

    def _union(self, schemas: Sequence[Subschema], way: _Way) -> Expression:
        """Return the type of alternatives; each gets its own name if one name is not enough."""
        if not schemas:
            return "Any"
        objects = sum(
            bool(schema.keywords.get("properties") or schema.keywords.get("items"))
            for schema in schemas
        )
        is_named = bool(way.name) and len(schemas) > 1  # the union has the name of this place
        names = [label_of(schema) or str(number) for number, schema in enumerate(schemas, start=1)]
        return union(
            self._annotation(schema, way.beside(name) if objects > 1 or is_named else way)
            for schema, name in zip(schemas, names, strict=True)
        )

    def _model(self, way: _Way, properties: Iterable[Property], description: object = None) -> str:
        """Define a model with these properties and return its name."""
        self._definitions[way.name] = Model(way.name, ())  # keeps its position
        fields = []
        for member in properties:
            inside = way.to(way.place.inside(member.name))
            if len(member.schemas) == 1:
                annotation = self._annotation(member.schemas[0], inside)
            elif member.schemas:
                annotation = self._all_of(member.schemas, inside)
            else:
                annotation = "Any"
            stated = member.schemas[0].keywords if member.schemas else {}
            text = _text(stated.get("description"))
            self._describe_once(annotation, text)
            for default in () if self._verbatim else self._index.default_of(member):
                if default is not None:  # as an absent property is anyway
                    self._stated[way.name, member.name] = annotation, default
            kind = possible(annotation) if member.required else union([annotation, "None"])
            absent = None if member.required else "None"
            deprecated = stated.get("deprecated") is True
            nullable = not member.required and kind == annotation
            fields.append(Field(member.name, kind, absent, text, deprecated, nullable))
        self._definitions[way.name] = Model(way.name, tuple(fields), _text(description))
        return way.name

    def _describe_once(self, annotation: Expression, text: Text | None) -> None:
        """Remove the description of a definition if the field of that type repeats it."""
        nested = self._definitions.get(annotation) if isinstance(annotation, str) else None
        if nested is not None and nested.description == text and nested.name not in self._referred:
            self._definitions[nested.name] = replace(nested, description=None)

    def _has_keys(self, applied: Sequence[Subschema]) -> bool:
        parts = [*applied, *self._index.branches(applied)]
        return bool(self._index.children_of(parts, "properties"))

    def _target(self, schema: Subschema, way: _Way) -> Expression:
        """Return the type of a schema that is the target of a reference."""
        key = _key(schema)
        if isinstance(schema.schema, bool) or key in self._known:
            return self._annotation(schema, way)
        if key in way.open:
            return "Any"  # the schema only refers to itself
        if key in self._pending:
            self._recursive.add(key)
            return self._pending[key]
        return self._define(schema, self._new(replace(way, place=place_of(self._index, schema))))

    def _define(self, schema: Subschema, way: _Way) -> Expression:
        """Return the type of a schema; define a name for it if it is long or recursive."""
        key, name = _key(schema), way.name
        self._pending[key] = name
        annotation = self._annotation(schema, replace(way, open=way.open | {key}))
        del self._pending[key]
        if name not in self._definitions and (key in self._recursive or is_long(annotation)):
            text = _text(schema.keywords.get("description"))
            self._definitions[name] = Alias(name, annotation, text)
        if name in self._definitions:
            annotation = self._known[key] = name
        return annotation

    def _new(self, way: _Way) -> _Way:
        """Return the way with a name of its own, and remember its place."""
        name, place = f"{self._name}_{len(self._names)}", way.place
        if place in self._names:
            place = replace(place, exact=f"{place.exact} {name}")
        self._names[place] = name
        if place.defined:
            self._referred.add(name)
        return replace(way, place=place, name=name)


def _key(schema: Subschema) -> _Key:
    return id(schema.schema), schema.base


def _text(description: object) -> Text | None:
    return Text(description) if isinstance(description, str) and description.strip() else None
