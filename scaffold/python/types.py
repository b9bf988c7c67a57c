"""Generate Python types from a JSON Schema: TypedDicts and aliases, in order.

The types hold what a type checker can use; the schema itself validates at run time. They cover
`type`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, `enum`, `const`,
`anyOf`, `oneOf`, `allOf` and local references. Everything else is `Any`. A type excludes nothing
that the schema allows, with two exceptions. An array with `prefixItems` has no items of other
types. A property described only in a branch of an object has the type from that branch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from scaffold.jsonschema.index import Index, Property
from scaffold.jsonschema.subschema import Subschema
from scaffold.jsonschema.types import types_of, values_of
from scaffold.python.annotations import (
    BY_TYPE,
    is_long,
    is_vague,
    narrowest,
    of_values,
    union,
)
from scaffold.python.definitions import Alias, Definition, Field, TypedDict, in_order
from scaffold.python.expressions import Expression, subscript
from scaffold.python.names import camel, nested_name, unused, words
from scaffold.text import Text

MAX_DEPTH = 64
"""The maximum depth of nested schemas, including references; deeper ones are `Any`."""


@dataclass(frozen=True, slots=True)
class Types:
    """The definitions of the type `name` and the types it uses, in a valid order."""

    name: str
    definitions: tuple[Definition, ...]


def arguments_of(
    index: Index, name: str, defaults: Mapping[str, Any], taken: Collection[str] = ()
) -> Types:
    """Return the TypedDict `name` of a handler's arguments, after `defaults` are filled in.

    The schema must be valid. Nested types avoid the names in `taken`.
    """
    reader = _Reader(index, name, taken)
    reader.read_arguments(defaults)
    return reader.types()


def result_of(index: Index, name: str, taken: Collection[str] = ()) -> Types:
    """Return the type `name` of a tool's result: a TypedDict or an alias.

    The schema must be valid. Nested types avoid the names in `taken`.
    """
    reader = _Reader(index, name, taken)
    reader.read_result()
    return reader.types()


_Key: TypeAlias = tuple[int, str]
"""The identity of a schema and its base URI; YAML aliases share one schema object."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a schema was reached: the name for its type, its depth and the open schemas.

    The types of `open` schemas would contain this one with no list or object in between.
    """

    root: str
    name: str
    depth: int = 0
    open: frozenset[_Key] = frozenset()

    def inside(self, part: str) -> _Way:
        """Return the way to the contents of a list or object."""
        return _Way(self.root, nested_name(self.root, self.name, part), self.depth)

    def beside(self, part: str) -> _Way:
        """Return the way to one of several alternatives."""
        return replace(self, name=nested_name(self.root, self.name, part))


class _Reader:
    """A reader of one schema that collects the definitions its types need."""

    def __init__(self, index: Index, name: str, taken: Collection[str]) -> None:
        self._name = name
        self._index = index
        self._taken = taken
        self._own = {name}
        self._definitions: dict[str, Definition] = {}
        self._known: dict[_Key, Expression] = {}
        self._pending: dict[_Key, str] = {}
        self._recursive: set[_Key] = set()

    def read_arguments(self, defaults: Mapping[str, Any]) -> None:
        """Define the root as a TypedDict, whatever type the schema has."""
        self._known[_key(self._index.root)] = self._name
        self._typed_dict(_Way(self._name, self._name), self._index.members, defaults)

    def read_result(self) -> None:
        """Define the root as the type of the schema."""
        annotation = self._define(self._index.root, _Way(self._name, self._name))
        if self._name not in self._definitions:
            self._definitions[self._name] = Alias(self._name, annotation)

    def types(self) -> Types:
        """Return the definitions; the root has no description, since its tool describes it."""
        root = replace(self._definitions.pop(self._name), description=None)
        definitions = (root, *self._definitions.values())
        return Types(self._name, in_order(definitions))

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
            known = self._referred(other, way) if refers else self._annotation(other, way)
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
                way = replace(way, name=self._new_name(way.name))
            if len(schemas) == 1:
                self._known[_key(schemas[0])] = way.name
            text = schemas[0].keywords.get("description")
            return self._typed_dict(way, self._index.properties(*schemas), {}, text)
        return union(self._of_type(json_type, schemas, applied, way) for json_type in types)

    def _of_type(
        self, json_type: str, schemas: Sequence[Subschema], applied: Sequence[Subschema], way: _Way
    ) -> Expression:
        match json_type:
            case "array":
                return narrowest([self._list(part, way) for part in applied])
            case "object" if self._has_keys(applied):
                way = replace(way, name=self._new_name(way.name))
                return self._typed_dict(way, self._index.properties(*schemas), {})
            case "object":
                return narrowest([self._dict(part, way) for part in applied])
        return BY_TYPE.get(json_type, "Any")

    def _list(self, part: Subschema, way: _Way) -> Expression:
        """Return `list[…]`: all JSON arrays arrive as lists, even those of fixed length."""
        return subscript("list", self._union(self._index.items(part), way.inside("Item")))

    def _dict(self, part: Subschema, way: _Way) -> Expression:
        """Return `dict[str, …]`; values are Any unless the schema covers all keys."""
        others = self._index.children(part, "additionalProperties")
        values = [*self._index.children(part, "patternProperties"), *others]
        if not others or not any(value.schema for value in values):
            return BY_TYPE["object"]
        return subscript("dict", "str", self._union(values, way.inside("Value")))

    def _union(self, schemas: Sequence[Subschema], way: _Way) -> Expression:
        """Return the type of alternatives; each gets its own name if several are objects."""
        if not schemas:
            return "Any"
        objects = sum(
            bool(one.keywords.get("properties") or one.keywords.get("items")) for one in schemas
        )
        names = [_label(one) or str(number) for number, one in enumerate(schemas, start=1)]
        return union(
            self._annotation(one, way.beside(name) if objects > 1 else way)
            for one, name in zip(schemas, names, strict=True)
        )

    def _typed_dict(
        self,
        way: _Way,
        properties: Iterable[Property],
        defaults: Mapping[str, Any],
        description: object = None,
    ) -> str:
        """Define a TypedDict with these properties and return its name."""
        self._definitions[way.name] = TypedDict(way.name, ())  # keeps its position
        fields = []
        for one in properties:
            inside = way.inside(one.name)
            if len(one.schemas) == 1:
                annotation = self._annotation(one.schemas[0], inside)
            elif one.schemas:
                annotation = self._all_of(one.schemas, inside)
            else:
                annotation = self._union(one.variants, inside)
            if one.name in defaults and defaults[one.name] is None:
                annotation = union([annotation, "None"])
            text = _text(one.schemas[0].keywords.get("description")) if one.schemas else None
            self._describe_once(annotation, text)
            is_there = one.required or one.name in defaults
            fields.append(Field(one.name, annotation, is_there, text))
        self._definitions[way.name] = TypedDict(way.name, tuple(fields), _text(description))
        return way.name

    def _describe_once(self, annotation: Expression, text: Text | None) -> None:
        """Remove the description of a definition if the field of that type repeats it."""
        nested = self._definitions.get(annotation) if isinstance(annotation, str) else None
        if nested is not None and nested.description == text:
            self._definitions[nested.name] = replace(nested, description=None)

    def _has_keys(self, applied: Sequence[Subschema]) -> bool:
        parts = [*applied, *self._index.branches(applied)]
        return bool(self._index.children_of(parts, "properties"))

    def _referred(self, schema: Subschema, way: _Way) -> Expression:
        """Return the type of a schema that is the target of a reference."""
        key = _key(schema)
        if isinstance(schema.schema, bool) or key in self._known:
            return self._annotation(schema, way)
        if key in way.open:
            return "Any"  # the schema only refers to itself
        if key in self._pending:
            self._recursive.add(key)
            return self._pending[key]
        name = self._new_name(nested_name(self._name, self._name, schema.name))
        return self._define(schema, replace(way, name=name))

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

    def _new_name(self, wanted: str) -> str:
        name = unused(wanted, self._taken, self._own)
        self._own.add(name)
        return name


def _key(schema: Subschema) -> _Key:
    return id(schema.schema), schema.base


def _label(branch: Subschema) -> str:
    """Return the label of an alternative: its title, or the `const` of a property."""
    if title := camel(words(str(branch.keywords.get("title", "")))):
        return title
    properties = branch.keywords.get("properties", {}).values()
    constants = (value.get("const") for value in properties if isinstance(value, Mapping))
    return next((camel(words(value)) for value in constants if isinstance(value, str)), "")


def _text(description: object) -> Text | None:
    return Text(description) if isinstance(description, str) and description.strip() else None
