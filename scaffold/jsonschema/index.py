"""The index of a JSON Schema, by which all other modules read it.

It is built once for each schema. It knows all schemas inside, where references lead, which schemas
apply to the same value, and what an object is described to have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jsonschema_rs
from jsonschema_rs import Validator

from scaffold.jsonschema.keywords import ABOUT_TYPES, BRANCHES, DIALECTS, IN_PLACE
from scaffold.jsonschema.resolver import Resolver, item
from scaffold.jsonschema.subschema import Schema, Subschema, UnresolvedError
from scaffold.jsonschema.types import texts
from scaffold.yaml.document import tokens

DEFAULT_DIALECT = "2020-12"

VALIDATORS: Mapping[str, Any] = {
    "2020-12": jsonschema_rs.Draft202012Validator,
    "draft-07": jsonschema_rs.Draft7Validator,
}


@dataclass(frozen=True, slots=True, eq=False)
class Property:
    """A property of an object, wherever the schema of the object describes it.

    `schemas` apply to its value. If there are none, `variants` are the schemas that branches, such
    as the members of `anyOf`, have for it.
    """

    name: str
    schemas: tuple[Subschema, ...]
    variants: tuple[Subschema, ...]
    required: bool


@dataclass(frozen=True, eq=False)
class Index:
    """The schemas inside a schema, by JSON Pointer, in the order of the text.

    Those under keywords that JSON Schema does not know are among them if a reference leads there.
    `resources` has the schema that each URI or anchor names.
    """

    dialect: str
    all: Mapping[str, Subschema]
    resources: Mapping[str, Subschema]
    _inside: Mapping[str, Sequence[Subschema]] = field(repr=False)
    _targets: Mapping[str, Mapping[str, Subschema | UnresolvedError]] = field(repr=False)

    @classmethod
    def of(cls, schema: Schema) -> Index:
        """Build the index of a schema; what is not a schema inside it is left out."""
        dialect = dialect_of(schema) or DEFAULT_DIALECT
        found = Resolver(schema, dialect)
        return cls(dialect, found.all, found.resources, found.inside, found.targets)

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
        """The validator of a schema without faults. It fetches nothing."""
        validator: Validator = VALIDATORS[self.dialect](self.root.schema, offline=True)
        return validator

    def problem(self) -> str | None:
        """Return why no validator can be made of the schema, if that is so."""
        try:
            _ = self.validator
        except ValueError as error:
            return str(getattr(error, "message", error))
        return None

    def children(self, subschema: Subschema, *keywords: str) -> list[Subschema]:
        """Return the schemas that these keywords of a schema hold."""
        inside = self._inside.get(subschema.pointer, ())
        return [child for keyword in keywords for child in inside if child.keyword == keyword]

    def children_of(self, schemas: Iterable[Subschema], *keywords: str) -> list[Subschema]:
        """Return the schemas that these keywords of several schemas hold."""
        return [child for schema in schemas for child in self.children(schema, *keywords)]

    def items(self, subschema: Subschema) -> list[Subschema]:
        """Return the schemas of what a list holds, those of single places first."""
        if isinstance(subschema.keywords.get("items"), list):  # as draft-07 has it
            return self.children(subschema, "items", "additionalItems")
        return self.children(subschema, "prefixItems", "items")

    def references(self, subschema: Subschema) -> Mapping[str, Subschema | UnresolvedError]:
        """Return where the references of a schema lead, by keyword."""
        return self._targets.get(subschema.pointer, {})

    def is_only_reference(self, subschema: Subschema) -> bool:
        """Return whether nothing but the `$ref` of a schema counts, as is the rule in draft-07."""
        return self.dialect == "draft-07" and "$ref" in subschema.keywords

    def in_place(self, subschema: Subschema) -> Iterator[Subschema]:
        """Yield the schemas that a schema names for its own value, under any condition."""
        if not self.is_only_reference(subschema):
            for child in self._inside.get(subschema.pointer, ()):
                if child.keyword in IN_PLACE:
                    yield child
        for target in self.references(subschema).values():
            if isinstance(target, Subschema):
                yield target

    def applied(self, *schemas: Subschema, most: int | None = None) -> list[Subschema]:
        """Return the schemas that always apply where these do, through `$ref` and `allOf`.

        Each is there once, these first. The search ends after `most` schemas.
        """
        if len(schemas) == 1:
            (only,) = schemas
            if only.pointer not in self._targets and "allOf" not in only.keywords:
                return [only]
        found: dict[str, Subschema] = {}
        seen: set[str] = set()
        waiting = [*reversed(schemas)]
        while waiting and len(seen) != most:
            here = waiting.pop()
            if here.pointer in seen:
                continue
            seen.add(here.pointer)
            following = self.followed(here)
            if not self.is_only_reference(here):
                found[here.pointer] = here
                following += self.children(here, "allOf")
            waiting += reversed(following)
        return list(found.values())

    def stands_for(self, schema: Subschema) -> Subschema | None:
        """Return the one schema that this one stands for, if it says nothing about types itself."""
        decisive = schema.keywords.keys() & ABOUT_TYPES
        if self.is_only_reference(schema):
            decisive = {"$ref"}
        if len(decisive) != 1:
            return None
        others = self.children(schema, "allOf") if "allOf" in decisive else ()
        targets = others or self.followed(schema)
        return targets[0] if len(targets) == 1 else None

    def branches(self, applied: Sequence[Subschema]) -> list[Subschema]:
        """Return the schemas that the branches of these apply to some values, nested ones too."""
        found: dict[str, Subschema] = {}
        waiting = list(applied)
        for here in waiting:  # grows
            for branch in self.children(here, *BRANCHES):
                for part in self.applied(branch):
                    if part.pointer not in found:
                        found[part.pointer] = part
                        waiting.append(part)
        return list(found.values())

    def properties(self, *schemas: Subschema) -> tuple[Property, ...]:
        """Return the properties of an object that these schemas apply to.

        First come those that are described, then those of branches, then others that are required.
        """
        applied = self.applied(*schemas)
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

    def accepts(self, subschema: Subschema, value: object) -> bool:
        """Return whether a schema inside this one, which has no faults, allows a value."""
        inside = f"{subschema.pointer}/"
        if any(f"{referring}/".startswith(inside) for referring in self._targets):
            return bool(self._parts.is_valid({subschema.pointer: value}))
        # This takes a tenth of the time.
        return bool(VALIDATORS[self.dialect](subschema.schema, offline=True).is_valid(value))

    @cached_property
    def _parts(self) -> Validator:
        """The validator of objects whose values stand under the pointers of their schemas.

        A validator for each schema would compile all that they refer to again and again.
        """
        from urllib.parse import quote  # slow to import

        document = "urn:schema"
        schema: Any = self.root.schema
        references = {at: {"$ref": f"{document}#{quote(at, safe='/~')}"} for at in self.all}
        validator: Validator = VALIDATORS[self.dialect](
            {"properties": references},
            registry=jsonschema_rs.Registry([(document, schema)]),
            offline=True,
        )
        return validator

    @cached_property
    def _ambiguous(self) -> frozenset[str]:
        """The dynamic anchors that several schemas have: where they lead, a value decides."""
        names = Counter(str(part.keywords.get("$dynamicAnchor")) for part in self.all.values())
        return frozenset(name for name, count in names.items() if count > 1)

    def followed(self, subschema: Subschema) -> list[Subschema]:
        """Return the schemas that the references of a schema lead to, whatever the value is."""
        return [
            target
            for keyword, target in self.references(subschema).items()
            if isinstance(target, Subschema)
            and not (
                keyword == "$dynamicRef"
                and target.keywords.get("$dynamicAnchor") in self._ambiguous
            )
        ]

    def _by_name(self, applied: Sequence[Subschema]) -> dict[str, list[Subschema]]:
        """Return the schemas of each property that these schemas describe."""
        found: dict[str, list[Subschema]] = {}
        for child in self.children_of(applied, "properties"):
            found.setdefault(child.name, []).append(child)
        return found


def dialect_of(schema: Schema) -> str | None:
    """Return the dialect of a schema, 2020-12 by default, or None if it is not supported."""
    if isinstance(schema, bool) or "$schema" not in schema:
        return DEFAULT_DIALECT
    declared = schema["$schema"]
    return DIALECTS.get(declared.removesuffix("#")) if isinstance(declared, str) else None


def value_at(root: Any, at: str) -> Any:
    """Return the value at a JSON Pointer, or None."""
    for token in tokens(at):
        root = item(root, token)
    return root
