"""A JSON Schema (2020-12 or draft-07) into Python types: TypedDicts, aliases and their order.

The types say what a checker can use, not all that the schema says: validation at run time is the
schema's own work. Covered are `type`, `properties`, `required`, `additionalProperties`, `items`,
`prefixItems`, `enum`, `const`, `anyOf`, `oneOf`, `allOf` and local references; what these leave
open is `Any`. So a type excludes nothing that the schema allows, but for two things that are taken
as they are meant: an array of `prefixItems` has no items of other types, and a property that only
a branch of an object describes is of the type that the branch gives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scaffold.project.annotations import (
    BY_TYPE,
    common_types,
    is_long,
    is_vague,
    narrowest,
    of_values,
    union,
)
from scaffold.project.defaults import defaults_of
from scaffold.project.definitions import (
    TYPING,
    Alias,
    Definition,
    Field,
    TypedDict,
    in_order,
    names_of,
)
from scaffold.project.layout import Expression, subscript
from scaffold.project.names import camel, nested_name, unused, words
from scaffold.project.references import Place, References, Schema
from scaffold.project.text import Text

MAX_DEPTH = 64
"""How deep schemas may nest, references counted; what is below is `Any`."""

_BRANCHES = ("anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies")


@dataclass(frozen=True, slots=True)
class Types:
    """The definitions that make the type `name`, in an order that runs; `imports` from typing."""

    name: str
    definitions: tuple[Definition, ...]
    imports: tuple[str, ...]


def arguments_of(schema: Schema, name: str, taken: Collection[str] = ()) -> Types:
    """The TypedDict `name` of a tool's arguments as its handler gets them, defaults filled in.

    `schema` is one that `jsonschema_rs` can compile; `taken` are names that no nested type may have.
    """
    reader = _Reader(schema, name, taken)
    reader.read_arguments(defaults_of(schema))
    return reader.types()


def result_of(schema: Schema, name: str, taken: Collection[str] = ()) -> Types:
    """The type `name` of what a tool's `outputSchema` allows: a TypedDict, else an alias.

    `schema` is one that `jsonschema_rs` can compile; `taken` are names that no nested type may have.
    """
    reader = _Reader(schema, name, taken)
    reader.read_result()
    return reader.types()


@dataclass(frozen=True, slots=True)
class _Way:
    """How a schema was reached: what to call a type of its own, and what must not be met again.

    `open` are the schemas whose types would contain this one with no list or object in between.
    """

    root: str
    name: str
    depth: int = 0
    open: frozenset[int] = frozenset()

    def inside(self, part: str) -> _Way:
        """The way to what a list or object holds."""
        return _Way(self.root, nested_name(self.root, self.name, part), self.depth)

    def beside(self, part: str) -> _Way:
        """The way to one of several that may hold here."""
        return replace(self, name=nested_name(self.root, self.name, part))


class _Reader:
    """Reads one schema document; collects the definitions that its types need."""

    def __init__(self, schema: Schema, name: str, taken: Collection[str]) -> None:
        self._name = name
        self._schemas = References(schema)
        self._taken = taken
        self._own = {name}
        self._definitions: dict[str, Definition] = {}
        self._known: dict[int, Expression] = {}
        self._pending: dict[int, str] = {}
        self._recursive: set[int] = set()

    def read_arguments(self, defaults: Mapping[str, Any]) -> None:
        """Define the root as a TypedDict, whatever else the schema says."""
        root = self._schemas.root
        self._known[id(root.schema)] = self._name
        self._typed_dict(_Way(self._name, self._name), self._schemas.parts(root), defaults)

    def read_result(self) -> None:
        """Define the root as what it is."""
        annotation = self._define(self._schemas.root, _Way(self._name, self._name))
        if self._name not in self._definitions:
            self._definitions[self._name] = Alias(self._name, annotation)

    def types(self) -> Types:
        """The definitions, the root's first: the tool that has it describes that."""
        root = replace(self._definitions.pop(self._name), description=None)
        definitions = (root, *self._definitions.values())
        used = {name for definition in definitions for name in names_of(definition)}
        return Types(self._name, in_order(definitions), tuple(sorted(used & TYPING)))

    def _annotation(self, place: Place, way: _Way) -> Expression:
        """The type of a schema."""
        if place.schema is False:
            return "Never"
        if place.schema is True or way.depth > MAX_DEPTH:
            return "Any"
        key = id(place.schema)
        if key not in self._known:
            self._known[key] = self._narrowest(place, replace(way, depth=way.depth + 1))
        return self._known[key]

    def _narrowest(self, place: Place, way: _Way) -> Expression:
        """Of the types that the keywords of a schema give, all of which hold, one that says most."""
        if (other := self._schemas.stands_for(place)) is not None:
            return self._referred(other, way) if place.get("$ref") else self._annotation(other, way)
        parts = self._schemas.parts(place)
        types = common_types([stated for part in parts if (stated := part.get("type"))])
        for part in parts:
            if (values := part.values()) is not None:
                return of_values(values, types)
        if types is None or not self._schemas.under(parts, "properties"):
            for keyword in ("anyOf", "oneOf"):
                for part in parts:
                    alternatives = self._union(self._schemas.under([part], keyword), way)
                    if not is_vague(alternatives):
                        return alternatives
        if types is None:
            return "Any"
        if types == ("object",) and self._has_keys(parts):
            if self._pending.get(id(place.schema)) != way.name:
                way = replace(way, name=self._new_name(way.name))
            self._known[id(place.schema)] = way.name
            return self._typed_dict(way, parts, {}, place.get("description"))
        return union(self._of_type(json_type, parts, way) for json_type in types)

    def _of_type(self, json_type: str, parts: Sequence[Place], way: _Way) -> Expression:
        match json_type:
            case "array":
                return narrowest([self._list(part, way) for part in parts])
            case "object" if self._has_keys(parts):
                return self._typed_dict(replace(way, name=self._new_name(way.name)), parts, {})
            case "object":
                return narrowest([self._dict(part, way) for part in parts])
        return BY_TYPE.get(json_type, "Any")

    def _list(self, part: Place, way: _Way) -> Expression:
        """`list[…]`: JSON arrays arrive as lists, those of fixed length too."""
        is_tuple = isinstance(part.get("items"), list | tuple)
        keywords = ("items", "additionalItems") if is_tuple else ("prefixItems", "items")
        places = self._schemas.under([part], *keywords)
        return subscript("list", self._union(places, way.inside("Item")))

    def _dict(self, part: Place, way: _Way) -> Expression:
        """`dict[str, …]`, of Any unless the schema speaks of all keys."""
        others = self._schemas.under([part], "additionalProperties")
        places = [*self._schemas.under([part], "patternProperties"), *others]
        if not others or not any(place.schema for place in places):
            return BY_TYPE["object"]
        return subscript("dict", "str", self._union(places, way.inside("Value")))

    def _union(self, places: Sequence[Place], way: _Way) -> Expression:
        """The type of alternatives, Any if there are none; several objects get names of their own."""
        if not places:
            return "Any"
        objects = sum(bool(place.get("properties") or place.get("items")) for place in places)
        names = [_label(place) or str(number) for number, place in enumerate(places, start=1)]
        return union(
            self._annotation(place, way.beside(name) if objects > 1 else way)
            for place, name in zip(places, names, strict=True)
        )

    def _typed_dict(
        self,
        way: _Way,
        parts: Sequence[Place],
        defaults: Mapping[str, Any],
        description: object = None,
    ) -> str:
        """Define a TypedDict of the properties of all parts, then of those that branches add."""
        self._definitions[way.name] = TypedDict(way.name, ())  # stands before what it uses
        stated = self._by_key(parts)
        added = self._by_key(self._branches(parts))
        required = [key for part in parts for key in part.get("required", ())]
        fields = []
        for key in dict.fromkeys([*stated, *added, *required]):
            inside = way.inside(key)
            places = stated.get(key, ())
            if places:
                annotation = narrowest([self._annotation(place, inside) for place in places])
            else:
                annotation = self._union(added.get(key, ()), inside)
            if key in defaults and defaults[key] is None:
                annotation = union([annotation, "None"])
            text = _text(next((place.get("description") for place in places), None))
            self._describe_once(annotation, text)
            fields.append(Field(key, annotation, key in required or key in defaults, text))
        self._definitions[way.name] = TypedDict(way.name, tuple(fields), _text(description))
        return way.name

    def _describe_once(self, annotation: Expression, text: Text | None) -> None:
        """Take a description from a definition if the field that has it as its type says it."""
        nested = self._definitions.get(annotation) if isinstance(annotation, str) else None
        if nested is not None and nested.description == text:
            self._definitions[nested.name] = replace(nested, description=None)

    def _has_keys(self, parts: Sequence[Place]) -> bool:
        return bool(self._schemas.under([*parts, *self._branches(parts)], "properties"))

    def _branches(self, parts: Iterable[Place]) -> list[Place]:
        """What may hold besides the parts of an object."""
        return [
            part
            for place in self._schemas.under(parts, *_BRANCHES)
            for part in self._schemas.parts(place)
        ]

    def _by_key(self, parts: Iterable[Place]) -> dict[str, list[Place]]:
        """The schemas of each property."""
        places: dict[str, list[Place]] = {}
        for place in self._schemas.under(parts, "properties"):
            places.setdefault(place.name, []).append(place)
        return places

    def _referred(self, place: Place, way: _Way) -> Expression:
        """The type of a schema that another refers to: a name, unless it is short."""
        key = id(place.schema)
        if isinstance(place.schema, bool) or key in self._known:
            return self._annotation(place, way)
        if key in way.open:
            return "Any"  # it says no more than that it is itself
        if key in self._pending:
            self._recursive.add(key)
            return self._pending[key]
        name = self._new_name(nested_name(self._name, self._name, place.name))
        return self._define(place, replace(way, name=name))

    def _define(self, place: Place, way: _Way) -> Expression:
        """The type of a schema, under the name of the way if it is long or contains itself."""
        key, name = id(place.schema), way.name
        self._pending[key] = name
        annotation = self._annotation(place, replace(way, open=way.open | {key}))
        del self._pending[key]
        if name not in self._definitions and (key in self._recursive or is_long(annotation)):
            self._definitions[name] = Alias(name, annotation, _text(place.get("description")))
        if name in self._definitions:
            annotation = self._known[key] = name
        return annotation

    def _new_name(self, wanted: str) -> str:
        name = unused(wanted, self._taken, self._own)
        self._own.add(name)
        return name


def _label(branch: Place) -> str:
    """What an alternative calls itself: its title, or the constant that tells it from others."""
    if title := camel(words(str(branch.get("title", "")))):
        return title
    properties = branch.get("properties", {}).values()
    constants = (value.get("const") for value in properties if isinstance(value, Mapping))
    return next((camel(words(value)) for value in constants if isinstance(value, str)), "")


def _text(description: object) -> Text | None:
    return Text(description) if isinstance(description, str) and description.strip() else None
