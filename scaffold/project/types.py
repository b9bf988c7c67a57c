"""A JSON Schema (2020-12 or draft-07) into Python types: TypedDicts, aliases and their order.

The types say what a checker can use, not all that the schema says: validation at run time is the
schema's own work. Covered are `type`, `properties`, `required`, `additionalProperties`, `items`,
`prefixItems`, `enum`, `const`, `anyOf`, `oneOf`, `allOf` and local references; what these leave
open is `Any`. A schema with `properties` or `items` but no `type` is taken to mean that type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from scaffold.project.annotations import BY_TYPE, is_vague, narrowest, of_values, union
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
from scaffold.project.layout import Brackets, Expression, Union, subscript
from scaffold.project.names import MAX_LENGTH, camel, words
from scaffold.project.references import Place, References, Schema
from scaffold.project.text import Text

MAX_DEPTH = 32
"""How deep types nest, references counted; below that is `Any`."""

_KEYWORDS = frozenset(
    {
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "items",
        "oneOf",
        "patternProperties",
        "prefixItems",
        "properties",
        "required",
        "type",
    }
)


@dataclass(frozen=True, slots=True)
class Types:
    """The definitions that make the type `name`, in an order that runs; `imports` from typing."""

    name: str
    definitions: tuple[Definition, ...]
    imports: tuple[str, ...]


def arguments_of(
    schema: Schema, name: str, about: Text | None = None, taken: Collection[str] = ()
) -> Types:
    """The TypedDict `name` of a tool's arguments as its handler gets them, defaults filled in.

    `schema` is valid for its dialect; `taken` are names that no nested type may have.
    """
    reader = _Reader(schema, name, taken)
    reader.read_arguments(defaults_of(schema))
    return reader.types(about)


def result_of(
    schema: Schema, name: str, about: Text | None = None, taken: Collection[str] = ()
) -> Types:
    """The type `name` of what a tool's `outputSchema` allows: a TypedDict, else an alias.

    `schema` is valid for its dialect; `taken` are names that no nested type may have.
    """
    reader = _Reader(schema, name, taken)
    reader.read_result()
    return reader.types(about)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a schema was reached: what to call a type of its own, and what must not be met again.

    `open` are the schemas whose types would contain this one with no list or object in between.
    """

    name: str
    depth: int = 0
    open: frozenset[int] = frozenset()


class _Reader:
    """Reads one schema document; collects the definitions that its types need."""

    def __init__(self, schema: Schema, name: str, taken: Collection[str]) -> None:
        self._name = name
        self._references = References(schema)
        self._taken = {*taken, name}
        self._definitions: dict[str, Definition] = {}
        self._known: dict[int, Expression] = {}
        self._pending: dict[int, str] = {}
        self._recursive: set[int] = set()

    def read_arguments(self, defaults: Mapping[str, Any]) -> None:
        """Define the root as a TypedDict, whatever else the schema says."""
        root = self._references.root
        self._known[id(root.schema)] = self._name
        self._typed_dict(self._name, self._parts(root), 0, defaults)

    def read_result(self) -> None:
        """Define the root as what it is."""
        annotation = self._define(self._references.root, self._name, _Way(self._name))
        if self._name not in self._definitions:
            self._definitions[self._name] = Alias(self._name, annotation)

    def types(self, about: Text | None) -> Types:
        """The definitions, the root's described as `about`."""
        root = replace(self._definitions.pop(self._name), description=about)
        definitions = (root, *self._definitions.values())
        used = {name for definition in definitions for name in names_of(definition)}
        return Types(self._name, in_order(definitions), tuple(sorted(used & TYPING)))

    def _annotation(self, place: Place, way: _Way) -> Expression:
        """The type of a schema that is met on the way."""
        if place.schema is False:
            return "Never"
        if not isinstance(place.schema, Mapping) or way.depth > MAX_DEPTH:
            return "Any"
        key = id(place.schema)
        if key not in self._known:
            self._known[key] = self._narrowest(place, way)
        return self._known[key]

    def _narrowest(self, place: Place, way: _Way) -> Expression:
        """The type that says most, of those that the keywords of a schema give: each one holds."""
        if (other := self._only(place)) is not None:
            return self._referred(other, way) if place.get("$ref") else self._annotation(other, way)
        parts = self._parts(place)
        types = _json_types(parts)
        for part in parts:
            if (values := _values(part)) is not None:
                return of_values(values, types)
        has_properties = any(part.get("properties") for part in parts)
        if has_properties and types == ("object",):
            expected = self._pending.get(id(place.schema)) == way.name
            name = way.name if expected else self._new_name(way.name)
            self._known[id(place.schema)] = name
            return self._typed_dict(name, parts, way.depth, {}, place.get("description"))
        if not has_properties:
            for part in parts:
                for keyword in ("anyOf", "oneOf"):
                    annotation = self._union(tuple(self._references.under(part, keyword)), way)
                    if not is_vague(annotation):
                        return annotation
        if types is None:
            return "Any"
        return union(self._of_type(json_type, parts, way) for json_type in types)

    def _of_type(self, json_type: str, parts: Sequence[Place], way: _Way) -> Expression:
        if json_type == "array":
            lists = [self._list(part, way) for part in parts]
            return narrowest(lists)
        if json_type != "object":
            return BY_TYPE.get(json_type, "Any")
        if any(part.get("properties") for part in parts):
            return self._typed_dict(self._new_name(way.name), parts, way.depth, {})
        dicts = [self._dict(part, way) for part in parts]
        return narrowest(dicts)

    def _list(self, part: Place, way: _Way) -> Expression:
        """`list[…]`: JSON arrays arrive as lists, those of fixed length too."""
        first = "items" if isinstance(part.get("items"), list | tuple) else "prefixItems"
        others = "additionalItems" if first == "items" else "items"
        places = [*self._references.under(part, first), *self._references.under(part, others)]
        stated = [place for place in places if place.schema not in (True, False, {})]
        return subscript("list", self._union(stated, self._inside(way, "Item")))

    def _dict(self, part: Place, way: _Way) -> Expression:
        """`dict[str, …]`, of Any unless all keys are accounted for."""
        others = tuple(self._references.under(part, "additionalProperties"))
        places = [*self._references.under(part, "patternProperties"), *others]
        stated = [place for place in places if place.schema not in (True, False, {})]
        if not others or others[0].schema is True:
            stated = []
        return subscript("dict", "str", self._union(stated, self._inside(way, "Value")))

    def _union(self, branches: Sequence[Place], way: _Way) -> Expression:
        """The types of alternatives, each named after its title or constant where there are more."""
        structured = sum(
            bool(branch.get("properties") or branch.get("items")) for branch in branches
        )
        ways = (
            replace(way, name=self._extended(way.name, _label(branch) or str(number)))
            if structured > 1
            else way
            for number, branch in enumerate(branches, start=1)
        )
        members = [
            self._annotation(branch, way) for branch, way in zip(branches, ways, strict=True)
        ]
        return union(members) if members else "Any"

    def _typed_dict(
        self,
        name: str,
        parts: Sequence[Place],
        depth: int,
        defaults: Mapping[str, Any],
        description: object = None,
    ) -> str:
        """Define a TypedDict of the properties of all parts, then of those that branches add."""
        self._definitions[name] = TypedDict(name, ())  # keeps its place before what it uses
        properties: dict[str, list[Place]] = {}
        for part in parts:
            for place in self._references.under(part, "properties"):
                properties.setdefault(place.name, []).append(place)
        added: dict[str, list[Place]] = {}
        for branch in self._branches(parts):
            for place in self._references.under(branch, "properties"):
                if place.name not in properties:
                    added.setdefault(place.name, []).append(place)
        required = dict.fromkeys(key for part in parts for key in part.get("required", ()))
        required |= dict.fromkeys(key for key in properties if key in defaults)
        fields = []
        for key in {**properties, **added, **required}:
            way = _Way(self._extended(name, key), depth + 1)
            if key in properties:
                annotation = narrowest(self._annotation(place, way) for place in properties[key])
            else:
                annotation = self._union(added.get(key, ()), way)
            if key in defaults and defaults[key] is None:
                annotation = union([annotation, "None"])
            text = next((p.get("description") for p in properties.get(key, ())), None)
            fields.append(Field(key, annotation, key in required, _text(text)))
        self._definitions[name] = TypedDict(name, tuple(fields), _text(description))
        return name

    def _branches(self, parts: Iterable[Place]) -> Iterator[Place]:
        """The schemas that may hold beside the parts of an object, by one of these keywords."""
        for part in parts:
            for keyword in ("anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies"):
                for place in self._references.under(part, keyword):
                    yield from self._parts(place)

    def _parts(self, place: Place) -> tuple[Place, ...]:
        """A schema and all that hold beside it, by `allOf` and `$ref`; each one once."""
        parts: dict[int, Place] = {}
        waiting = [place]
        while waiting:
            part = waiting.pop()
            if isinstance(part.schema, Mapping) and id(part.schema) not in parts:
                parts[id(part.schema)] = part
                others = [*self._targets(part), *self._references.under(part, "allOf")]
                waiting += reversed(others)
        return tuple(parts.values())

    def _only(self, place: Place) -> Place | None:
        """The schema that this one does nothing but refer to."""
        keywords = place.schema.keys() & _KEYWORDS if isinstance(place.schema, Mapping) else set()
        if "$ref" in keywords and self._references.is_draft_7:
            keywords = {"$ref"}
        if keywords == {"$ref"}:
            return next(self._targets(place))
        if keywords == {"allOf"}:
            others = tuple(self._references.under(place, "allOf"))
            return others[0] if len(others) == 1 else None
        return None

    def _targets(self, place: Place) -> Iterator[Place]:
        if reference := place.get("$ref"):
            target = self._references.resolve(reference, place.base)
            yield target or Place(True, place.base, reference)

    def _referred(self, place: Place, way: _Way) -> Expression:
        """The type of a schema that is referred to: a name, unless it is short."""
        key = id(place.schema)
        if isinstance(place.schema, bool) or key in self._known:
            return self._annotation(place, way)
        if key in way.open:
            return "Any"  # it says no more than that it is itself
        if key in self._pending:
            self._recursive.add(key)
            return self._pending[key]
        return self._define(place, self._new_name(self._extended(self._name, place.name)), way)

    def _define(self, place: Place, name: str, way: _Way) -> Expression:
        """The type of a schema, under a name if it is long or contains itself."""
        key = id(place.schema)
        self._pending[key] = name
        annotation = self._annotation(place, _Way(name, way.depth + 1, way.open | {key}))
        del self._pending[key]
        if name not in self._definitions and (key in self._recursive or _is_long(annotation)):
            self._definitions[name] = Alias(name, annotation, _text(place.get("description")))
        if name in self._definitions:
            annotation = self._known[key] = name
        return annotation

    def _inside(self, way: _Way, part: str) -> _Way:
        return _Way(self._extended(way.name, part), way.depth + 1)

    def _extended(self, name: str, part: str) -> str:
        """A name for what is called `part` in `name`: bounded, so that lines are."""
        part = camel(words(part)) or "Value"
        if len(name) + len(part) <= MAX_LENGTH:
            return name + part
        return (self._name + part)[:MAX_LENGTH]

    def _new_name(self, wanted: str) -> str:
        names = (f"{wanted}{number}" for number in count(2))
        name = (
            wanted if wanted not in self._taken else next(n for n in names if n not in self._taken)
        )
        self._taken.add(name)
        return name


def _json_types(parts: Iterable[Place]) -> tuple[str, ...] | None:
    """The JSON types that all parts allow, in the order of the first; None if any."""
    stated = [
        types if isinstance(types, list | tuple) else (types,)
        for part in parts
        if (types := part.get("type"))
    ]
    if stated:
        first, *others = stated
        numbers = {"integer", "number"}
        return tuple(
            t for t in first if all(t in o or (t in numbers and numbers & {*o}) for o in others)
        )
    if any(part.get("properties") for part in parts):
        return ("object",)
    if any(part.get("items") or part.get("prefixItems") for part in parts):
        return ("array",)
    return None


def _values(part: Place) -> Sequence[object] | None:
    """The only values that `const` or `enum` allow."""
    if isinstance(part.schema, Mapping) and "const" in part.schema:
        return (part.schema["const"],)
    values = part.get("enum")
    return values if isinstance(values, list | tuple) else None


def _is_long(annotation: Expression) -> bool:
    """Whether an annotation is better read, and written once, under a name."""
    match annotation:
        case Union():
            return True
        case Brackets(head, _, items):
            return head == "Literal" or any(map(_is_long, items)) or len(str(annotation)) > 40
    return False


def _label(branch: Place) -> str:
    """What an alternative calls itself: its title, or the constant that tells it from others."""
    if title := camel(words(str(branch.get("title", "")))):
        return title
    properties = branch.get("properties", {}).values()
    constants = (value.get("const") for value in properties if isinstance(value, Mapping))
    return next((camel(words(value)) for value in constants if isinstance(value, str)), "")


def _text(description: object) -> Text | None:
    return Text(description) if isinstance(description, str) and description.strip() else None
