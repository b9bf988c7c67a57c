"""The index of a JSON Schema, through which all other modules read it.

It is built once per schema. It knows all nested schemas, the targets of references, which schemas
apply to the same value, and the properties of objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from jsonschema_rs import Registry, Validator
from msgspec import Struct

from scaffold.schema.engine import OPTIONS, VALIDATORS
from scaffold.schema.keywords import ABOUT_TYPES, BRANCHES, IN_PLACE
from scaffold.schema.resolver import Resolver, Subschema, UnresolvedError
from scaffold.schema.types import texts


class Property(Struct, frozen=True, eq=False):
    """A property of an object, collected from all parts of its schema.

    `schemas` apply to its value. If there are none, `variants` are its schemas in branches, such
    as the members of `anyOf`.
    """

    name: str
    schemas: tuple[Subschema, ...]
    variants: tuple[Subschema, ...]
    required: bool


class Index(Resolver):
    """The nested schemas of a schema, and the properties that they describe together.

    Nested values that are not schemas are ignored. Schemas under unknown keywords are included if a
    reference leads there.
    """

    @property
    def root(self) -> Subschema:
        """The schema itself."""
        return self.all[""]

    @cached_property
    def members(self) -> tuple[Property, ...]:
        """The properties of the schema itself."""
        return self.properties(self.root)

    @cached_property
    def validator(self) -> Validator:
        """The validator, if the schema is valid. It never uses the network."""
        validator: Validator = VALIDATORS[self.dialect](self.root.schema, **OPTIONS)
        return validator

    def problem(self) -> str | None:
        """Return why the schema cannot be compiled, or None if it can."""
        try:
            _ = self.validator
        except ValueError as error:
            return str(getattr(error, "message", error))
        return None

    def children(self, subschema: Subschema, *keywords: str) -> list[Subschema]:
        """Return the schemas directly under these keywords of a schema."""
        inside = self.inside.get(subschema.pointer)
        if not inside:  # as in most schemas
            return []
        return [child for keyword in keywords for child in inside if child.keyword == keyword]

    def children_of(self, schemas: Iterable[Subschema], *keywords: str) -> list[Subschema]:
        """Return the schemas directly under these keywords of several schemas."""
        return [child for schema in schemas for child in self.children(schema, *keywords)]

    def items(self, subschema: Subschema) -> list[Subschema]:
        """Return the schemas of array items, those for single positions first."""
        if isinstance(subschema.keywords.get("items"), list):  # draft-07
            return self.children(subschema, "items", "additionalItems")
        return self.children(subschema, "prefixItems", "items")

    def is_leaf(self, subschema: Subschema) -> bool:
        """Return whether a schema describes its value by its own keywords alone."""
        at = subschema.pointer
        return not (at in self.inside or at in self.targets or "required" in subschema.keywords)

    def references(self, subschema: Subschema) -> Mapping[str, Subschema | UnresolvedError]:
        """Return the targets of a schema's references, by keyword."""
        return self.targets.get(subschema.pointer, {})

    def is_only_reference(self, subschema: Subschema) -> bool:
        """Return whether `$ref` overrides all other keywords, as in draft-07."""
        return self.dialect == "draft-07" and "$ref" in subschema.keywords

    def in_place(self, subschema: Subschema) -> Iterator[Subschema]:
        """Yield the schemas that may apply to the same value, conditional ones too."""
        if not self.is_only_reference(subschema):
            for child in self.inside.get(subschema.pointer, ()):
                if child.keyword in IN_PLACE:
                    yield child
        for target in self.references(subschema).values():
            if isinstance(target, Subschema):
                yield target

    def applied(self, *schemas: Subschema, most: int | None = None) -> list[Subschema]:
        """Return these schemas and all that always apply with them, by `$ref` and `allOf`.

        Each schema appears once. The search ends after `most` schemas.
        """
        if len(schemas) == 1:
            (only,) = schemas
            if only.pointer not in self.targets and "allOf" not in only.keywords:
                return [only]
        result: dict[str, Subschema] = {}
        seen: set[str] = set()
        waiting = [*reversed(schemas)]
        while waiting and len(seen) != most:
            here = waiting.pop()
            if here.pointer in seen:
                continue
            seen.add(here.pointer)
            following = self.followed(here)
            if not self.is_only_reference(here):
                result[here.pointer] = here
                following += self.children(here, "allOf")
            waiting += reversed(following)
        return list(result.values())

    def stands_for(self, schema: Subschema) -> Subschema | None:
        """Return the single schema that this one delegates to, if it sets no types itself."""
        decisive = schema.keywords.keys() & ABOUT_TYPES
        if self.is_only_reference(schema):
            decisive = {"$ref"}
        if len(decisive) != 1:
            return None
        others = self.children(schema, "allOf") if "allOf" in decisive else ()
        targets = others or self.followed(schema)
        return targets[0] if len(targets) == 1 else None

    def branches(self, applied: Sequence[Subschema]) -> list[Subschema]:
        """Return the schemas in the branches of these, including nested branches."""
        result: dict[str, Subschema] = {}
        waiting = list(applied)
        for here in waiting:  # grows
            for branch in self.children(here, *BRANCHES):
                for part in self.applied(branch):
                    if part.pointer not in result:
                        result[part.pointer] = part
                        waiting.append(part)
        return list(result.values())

    def properties(self, *schemas: Subschema, most: int | None = None) -> tuple[Property, ...]:
        """Return the properties of an object to which these schemas apply.

        Described properties come first, then those in branches, then those only required. `most` is
        as in `applied`.
        """
        applied = self.applied(*schemas, most=most)
        described = self._by_name(applied)
        added = self._by_name(self.branches(applied))
        required = {name: None for part in applied for name in texts(part.keywords.get("required"))}
        return tuple(
            Property(
                name,
                tuple(described.get(name, ())),
                () if name in described else tuple(added.get(name, ())),
                name in required,
            )
            for name in {**described, **added, **required}
        )

    def default_of(self, member: Property) -> tuple[object, ...]:
        """Return the default of an optional property, if it is null or the property allows it.

        The server uses it if the property is omitted. The result is empty if there is none.
        """
        stated = [part.keywords["default"] for part in member.schemas if "default" in part.keywords]
        if not stated or member.required:
            return ()
        value = stated[0]
        is_valid = value is None or all(self.accepts(part, value) for part in member.schemas)
        return (value,) if is_valid else ()

    def accepts(self, subschema: Subschema, value: object) -> bool:
        """Return whether a nested schema allows a value; the whole schema must be valid."""
        return self._parts.is_valid({subschema.pointer: value})

    @cached_property
    def _parts(self) -> Validator:
        """A validator of objects that map pointers of nested schemas to values.

        One validator per schema would compile shared definitions again and again.
        """
        from urllib.parse import quote  # slow to import

        document = "urn:schema"
        schema: Any = self.root.schema
        references = {at: {"$ref": f"{document}#{quote(at, safe='/~')}"} for at in self.all}
        validator: Validator = VALIDATORS[self.dialect](
            {"properties": references},
            registry=Registry([(document, schema)]),
            **OPTIONS,
        )
        return validator

    def followed(self, subschema: Subschema) -> list[Subschema]:
        """Return the target of a schema's `$ref`; that of a `$dynamicRef` depends on the value."""
        target = self.references(subschema).get("$ref")
        return [target] if isinstance(target, Subschema) else []

    def _by_name(self, applied: Sequence[Subschema]) -> dict[str, list[Subschema]]:
        """Return the schemas of each property in `properties` of these schemas."""
        children: dict[str, list[Subschema]] = {}
        for child in self.children_of(applied, "properties"):
            children.setdefault(child.name, []).append(child)
        return children
