"""Schemas of OpenAPI as JSON Schema 2020-12, with the definitions that they use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from typing import TypeAlias

from jsonschema_rs import Validator
from msgspec import Struct

from scaffold.base.diagnostics.wording import quote
from scaffold.format.fields import JsonObject
from scaffold.schema.check import faults
from scaffold.schema.engine import VALIDATORS
from scaffold.schema.index import Index
from scaffold.schema.keywords import URIS
from scaffold.sources.openapi.alternatives import Subtypes, mapped
from scaffold.sources.openapi.document import BrokenError, Document, Part, Reference
from scaffold.sources.openapi.names import safe, shortened, unique
from scaffold.sources.openapi.vocabulary import (
    HELD,
    PLAIN,
    Json,
    is_binary,
    is_wrong_pattern,
    known_types,
    loosened,
    nullable,
    references,
)
from scaffold.yaml.source import parse

DEPTH = 64
"""The maximum depth of nested schemas; deeper ones allow anything."""

_Used: TypeAlias = tuple[Reference, frozenset[str], bool]
"""A reference, the properties that are not required where it is used, and whether it is a base there.

A schema that others extend allows all of them, except where it is their base.
"""


class Direction(StrEnum):
    """Where a value goes, with the keyword of properties that are not part of it."""

    INPUT = "readOnly"
    OUTPUT = "writeOnly"


@dataclass(frozen=True)
class Schemas:
    """The schemas of a document, converted when they are needed."""

    document: Document
    _names: dict[_Used, str] = field(default_factory=dict, init=False)
    _targets: dict[str, _Used] = field(default_factory=dict, init=False)
    _known: dict[tuple[Direction, str], Json] = field(default_factory=dict, init=False)

    @cached_property
    def subtypes(self) -> Subtypes:
        """The schemas that extend others."""
        return Subtypes.of(self.document)

    def convert(
        self,
        part: Part,
        direction: Direction,
        outside: frozenset[str] = frozenset(),
        anchor: Reference | None = None,
    ) -> Json:
        """Return a schema as JSON Schema. Its references lead to `#/$defs/…`.

        `$recursiveRef` leads to `anchor`.
        """
        value = _Converter(self, direction, anchor).schema(part, 0, outside)
        for error in [] if _dialect().is_valid(value) else [*_dialect().iter_errors(value)]:
            *above, key = error.instance_path
            holder = value
            for step in above:
                holder = holder[step]
            if isinstance(holder, dict) and (invalid := holder.pop(key, None)) is not None:
                self.remark_invalid(key, invalid)
        return value

    def remark_invalid(self, key: str | int, value: Json) -> None:
        """Report that a keyword was left out because its value is invalid."""
        self.document.remark(f"the invalid `{key}` {quote(json.dumps(value))} was left out")

    def inlined(self, part: Part, direction: Direction) -> Json:
        """Return the target of a schema that is a reference, and any other schema as it is."""
        try:
            return self.convert(self.document.followed(part), direction)
        except BrokenError as error:
            self.document.fault(str(error))
            return {}

    def whole(self, value: JsonObject, direction: Direction, size: int) -> JsonObject:
        """Return a schema with the definitions that it needs, those near to it first.

        If all need more than `size` characters, the last ones allow anything of their type.
        """
        definitions: dict[str, Json] = {}
        is_whole = True
        left, waiting = size - len(json.dumps(value)), sorted({*references(value)})
        for name in waiting:  # grows
            if name in definitions or name not in self._targets:
                continue
            schema = self._definition(name, direction)
            length = len(json.dumps(schema))
            if length > left:
                types = schema.get("type") if isinstance(schema, dict) else None
                definitions[name] = {"type": types} if types else {}
                is_whole = False
                self.document.remark(
                    "deep definitions in large schemas allow any value, to limit their size"
                )
                continue
            left -= length
            definitions[name] = schema
            waiting += sorted({*references(schema)})
        if not definitions:
            return value
        whole = {**value, "$defs": dict(sorted(definitions.items()))}
        return whole if is_whole else loosened(whole)

    def name(self, reference: Reference, outside: frozenset[str], is_base: bool = False) -> str:
        """Return the name of a definition that does not require `outside`, unique in the document."""
        is_base = is_base and bool(self.subtypes.by_value(reference))
        used = reference, outside, is_base
        if used not in self._names:
            last = reference.pointer.rpartition("/")[2] or reference.file.rpartition("/")[2]
            wanted = (safe(last) or "Schema") + ("Base" if is_base else "")
            name = self._names[used] = unique(wanted, self._targets)
            self._targets[name] = used
        return self._names[used]

    def _definition(self, name: str, direction: Direction) -> Json:
        key = direction, name
        if key not in self._known:
            reference, outside, is_base = self._targets[name]
            part = self.document.part(reference)
            by_value = {} if is_base else self.subtypes.by_value(reference)
            if by_value:
                own = part.at("discriminator").text("propertyName")
                branches = [
                    self._reference(target, outside, {own: {"enum": [value]}})
                    for value, target in by_value.items()
                ]
                base = {"$ref": f"#/$defs/{self.name(reference, outside, is_base=True)}"}
                self._known[key] = {"anyOf": [*branches, base]}
            else:
                is_anchor = part.at("$recursiveAnchor").value is True
                anchor = reference if is_anchor else None
                self._known[key] = self.convert(part, direction, outside, anchor)
        return self._known[key]

    def _reference(self, to: Reference, outside: frozenset[str], properties: JsonObject) -> Json:
        link = f"#/$defs/{self.name(to, outside)}"
        return {"$ref": link, "properties": properties, "required": [*properties]}


@cache
def _dialect() -> Validator:
    """Return the validator of schemas: the meta-schema of the dialect."""
    validator: Validator = VALIDATORS["2020-12"]({"$ref": URIS["2020-12"]}, offline=True)
    return validator


def fault(schema: JsonObject) -> str | None:
    """Return what is wrong with a whole schema, or None."""
    first = next(iter(faults(Index(schema), "", parse("{}", "schema.json"))), None)
    return first.message if first else None


class _Converter(Struct, frozen=True):
    """A converter of one schema."""

    schemas: Schemas
    direction: Direction
    anchor: Reference | None

    def schema(
        self,
        part: Part,
        depth: int,
        outside: frozenset[str] = frozenset(),
        is_base: bool = False,
    ) -> Json:
        """Return a schema; properties `outside`, hidden elsewhere in an `allOf`, are not required.

        `is_base` says whether another one extends it.
        """
        part = self.schemas.document.resource(part)
        value = part.value
        if isinstance(value, bool):
            return value
        if not isinstance(value, Mapping) or depth > DEPTH:
            return {}
        if isinstance(value.get("$ref"), str):
            needed = outside and outside & {*self._required(part)}
            return self._reference(part, depth, needed, is_base)
        if value.get("$recursiveRef") == "#" and self.anchor:
            return {"$ref": f"#/$defs/{self.schemas.name(self.anchor, frozenset())}"}
        converted = dict(self._keywords(part, depth, outside, is_base))
        if self.direction is Direction.OUTPUT or is_binary(value):
            converted.pop("format", None)  # TypeScript clients refuse some in results
        if self.direction is Direction.INPUT and is_binary(value):
            converted = {"type": "string", **converted, "contentEncoding": "base64"}
        return nullable(converted) if value.get("nullable") is True else converted

    def _reference(self, part: Part, depth: int, outside: frozenset[str], is_base: bool) -> Json:
        document = self.schemas.document
        try:
            target = document.target(part.value["$ref"], part.file)
            document.followed(part)
        except BrokenError as error:
            self.schemas.document.fault(str(error))
            return {}
        name = self.schemas.name(target, outside, is_base)
        converted: dict[str, Json] = {"$ref": f"#/$defs/{name}"}
        if document.is_3_0:  # it ignores all other keywords beside a reference
            if text := part.text("description"):
                converted["description"] = shortened(text)
        else:
            converted |= self._keywords(part, depth, outside)
        if part.value.get("nullable") is True:
            return {"anyOf": [converted, {"type": "null"}]}
        return converted

    def _keywords(
        self,
        part: Part,
        depth: int,
        outside: frozenset[str] = frozenset(),
        is_base: bool = False,
    ) -> Iterator[tuple[str, Json]]:
        """Yield the keywords that JSON Schema has too."""
        hidden = self._hidden(part) | outside
        for key, value in part.value.items():
            below = Part(value, part.file)
            if key == "type":
                if types := known_types(value):
                    yield key, types
            elif key == "description":
                if isinstance(value, str) and value.strip():
                    yield key, shortened(value)
            elif key == "required":
                names = [name.value for name in part.list(key) if isinstance(name.value, str)]
                if needed := [name for name in dict.fromkeys(names) if name not in hidden]:
                    yield key, needed
            elif key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
                bound = part.value.get(key.replace("exclusiveM", "m"))
                if value and bound is not None:
                    yield key, bound
            elif key in ("minimum", "maximum") and part.value.get(f"exclusiveM{key[1:]}") is True:
                continue
            elif key == "enum" and isinstance(value, list) and value:
                yield key, [*{json.dumps(item, sort_keys=True): item for item in value}.values()]
            elif key in PLAIN:
                if (key == "enum" and value == []) or (
                    key == "pattern" and is_wrong_pattern(value)
                ):
                    self.schemas.remark_invalid(key, value)
                else:
                    yield key, value
            elif key == "items" and isinstance(value, list):
                if value:
                    yield "prefixItems", [*self._each(part, key, depth)]
                    if isinstance(part.at("additionalItems").value, Mapping | bool):
                        yield "items", self.schema(part.at("additionalItems"), depth + 1)
            elif key in ("$defs", "definitions"):  # definitions are made from references
                continue
            elif HELD.get(key, "").startswith("one"):
                if isinstance(value, Mapping | bool):
                    yield key, self.schema(below, depth + 1)
            elif key == "oneOf" and "anyOf" not in part.value:
                yield from self._alternatives(part, depth)
            elif HELD.get(key) == "list":
                branches = [*part.list(key)]
                extends = key == "allOf" and (is_base or depth == 0 or len(branches) > 1)
                here = hidden if key == "allOf" else frozenset()
                if branches:
                    yield key, [self.schema(item, depth + 1, here, extends) for item in branches]
            elif HELD.get(key) == "map" and isinstance(value, Mapping):
                yield key, dict(self._map(part, key, hidden, depth))

    def _alternatives(self, part: Part, depth: int) -> Iterator[tuple[str, Json]]:
        """Yield `oneOf` as `anyOf`: in many documents, a value matches several of its schemas.

        Each schema also requires its value of the `discriminator`.
        """
        by_value = mapped(self.schemas.document, part)
        branches = [*self._each(part, "oneOf", depth)]
        if by_value and all(branch.keys() <= {"$ref", "description"} for branch in branches):
            name, values = by_value
            branches = [
                {**branch, "properties": {name: {"enum": own}}, "required": [name]}
                for branch, own in zip(branches, values, strict=True)
            ]
        if branches:
            yield "anyOf", branches

    def _each(self, part: Part, key: str, depth: int) -> Iterator[Json]:
        for item in part.list(key):
            yield self.schema(item, depth + 1)

    def _required(self, part: Part) -> Iterator[str]:
        """Yield the names of the properties that a schema requires, also in `allOf`."""
        for here in self.schemas.document.in_place(part, "allOf"):
            hidden = self._hidden(here)
            for name in here.list("required"):
                if isinstance(name.value, str) and name.value not in hidden:
                    yield name.value

    def _map(
        self, part: Part, key: str, hidden: frozenset[str], depth: int
    ) -> Iterator[tuple[str, Json]]:
        for name, item in part.items(key):
            if key == "patternProperties" and is_wrong_pattern(name):
                self.schemas.remark_invalid(key, name)
            elif key != "properties" or name not in hidden:
                is_names = key == "dependencies" and isinstance(item.value, list)
                yield name, item.value if is_names else self.schema(item, depth + 1)

    def _hidden(self, part: Part) -> frozenset[str]:
        """Return the names of properties that do not go in this direction, also in `allOf`."""
        document = self.schemas.document
        return frozenset(
            name
            for here in (part, *document.in_place(part, "allOf"))
            for name, member in here.items("properties")
            if any(
                below.at(self.direction.value).value is True
                for below in document.in_place(member, "allOf")
            )
        )
