"""Find all schemas inside a schema and resolve its references.

References follow JSON Schema 2020-12 (Core, sections 8.2 and 9.2) or draft-07 (Core, section 8),
depending on `$schema`. Remote references are not fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from scaffold.schema.keywords import ANCHORS, DIALECTS, HOLDERS, REFERENCES
from scaffold.yaml.document import pointer, tokens

DEFAULT_DIALECT = "2020-12"

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


Schema: TypeAlias = Mapping[str, Any] | bool


class Subschema(Struct, frozen=True, eq=False):
    """A schema inside a schema.

    `base` is the base URI of its references. `keyword` is the keyword that holds it. `name` is the
    last part of its pointer, such as the name of a property. `keywords` is empty if the schema is
    `true` or `false`.
    """

    pointer: str
    schema: Schema
    base: str
    keyword: str
    name: str
    keywords: Mapping[str, Any]


class UnresolvedError(ValueError):
    """A reference does not resolve; `remote` if it points outside the schema."""

    def __init__(self, target: str, remote: bool) -> None:
        super().__init__(target)
        self.target = target
        self.remote = remote


class Resolver:
    """A reader of one schema.

    `dialect` is that of its `$schema`. `all` maps JSON Pointers to schemas, in the order of the
    text. `inside` maps them to directly nested schemas. `resources` maps URIs and anchors to
    schemas. `targets` holds the targets of each schema's references, by keyword.
    """

    def __init__(self, schema: Schema) -> None:
        self.dialect = dialect_of(schema) or DEFAULT_DIALECT
        self.all: dict[str, Subschema] = {}
        self.inside: dict[str, list[Subschema]] = {}
        self.resources: dict[str, Subschema] = {}
        self.targets: dict[str, dict[str, Subschema | UnresolvedError]] = {}
        self._holders = HOLDERS[self.dialect]
        self._referring: list[Subschema] = []
        self.resources[""] = self._add("", schema, "", "", "")
        for subschema in self._referring:  # grows: a reference can lead to a new schema
            self._resolve_all(subschema)

    def _add(self, at: str, schema: Schema, base: str, keyword: str, name: str) -> Subschema:
        """Add a schema and its nested schemas, and register their names."""
        if isinstance(schema, bool):
            here = self.all[at] = Subschema(at, schema, base, keyword, name, {})
            return here
        # In draft-07, `$ref` overrides `$id` like all other keywords.
        is_named = not (self.dialect == "draft-07" and "$ref" in schema)
        identifier = schema.get("$id") if is_named else None
        if isinstance(identifier, str):
            base = _join(base, identifier.partition("#")[0])
        is_known = at in self.all
        here = self.all[at] = Subschema(at, schema, base, keyword, name, schema)
        if is_known:  # added by a reference, without its keyword
            return here
        if is_named:
            self._identify(here)
        if "$ref" in schema or "$dynamicRef" in schema:
            self._referring.append(here)
        inside: list[Subschema] = []
        for key, value in schema.items():
            if holds := self._holders.get(key):
                inside += [
                    self._add(at + path, inner, base, key, label)
                    for path, label, inner in _held(key, value, holds)
                    if isinstance(inner, dict | bool)
                ]
        if inside:
            self.inside[at] = inside
        return here

    def _identify(self, here: Subschema) -> None:
        """Register the `$id` and anchors of a schema. The last schema with a name wins."""
        identifier = here.keywords.get("$id")
        if isinstance(identifier, str):
            uri, _, fragment = identifier.partition("#")
            if uri:
                self.resources[here.base] = here
            if fragment:  # an anchor in draft-07
                self.resources[f"{here.base}#{fragment}"] = here
        for keyword in ANCHORS[self.dialect]:
            if isinstance(anchor := here.keywords.get(keyword), str):
                self.resources[f"{here.base}#{anchor}"] = here

    def _resolve_all(self, subschema: Subschema) -> None:
        targets = self.targets[subschema.pointer] = {}
        for keyword in REFERENCES[self.dialect]:
            if isinstance(reference := subschema.keywords.get(keyword), str):
                try:
                    targets[keyword] = self._resolve(reference, subschema.base)
                except UnresolvedError as error:
                    targets[keyword] = error

    def _resolve(self, reference: str, base: str) -> Subschema:
        uri, _, fragment = reference.partition("#")
        uri = _join(base, uri)
        if "%" in fragment:
            from urllib.parse import unquote  # slow to import

            fragment = unquote(fragment)
        resource = self.resources.get(uri)
        if resource is None:
            raise UnresolvedError(uri, remote=True)
        if not fragment:
            return resource
        if not fragment.startswith("/"):
            if named := self.resources.get(f"{uri}#{fragment}"):
                return named
            raise UnresolvedError(reference, remote=False)
        return self.all.get(resource.pointer + fragment) or self._found(
            resource, fragment, reference
        )

    def _found(self, resource: Subschema, fragment: str, reference: str) -> Subschema:
        """Add and return the schema at a JSON Pointer through unknown keywords."""
        at, around, value = resource.pointer, resource, resource.schema
        token = ""
        for token in tokens(fragment):
            value = item(value, token)
            at += pointer(token)
            around = self.all.get(at, around)
        if not isinstance(value, dict | bool):
            raise UnresolvedError(reference, remote=False)
        return self._add(at, value, around.base, "", token)


def dialect_of(schema: Schema) -> str | None:
    """Return the dialect of a schema, 2020-12 by default, or None if it is not supported."""
    if isinstance(schema, bool) or "$schema" not in schema:
        return DEFAULT_DIALECT
    declared = schema["$schema"]
    return DIALECTS.get(declared.removesuffix("#")) if isinstance(declared, str) else None


def item(value: Any, token: str) -> Any:
    """Return the value in an object or array at a JSON Pointer token, or None."""
    if isinstance(value, dict):
        return value.get(token)
    if isinstance(value, list) and token.isdecimal() and int(token) < len(value):
        return value[int(token)]
    return None


def value_at(root: Any, at: str) -> Any:
    """Return the value at a JSON Pointer, or None."""
    for token in tokens(at):
        root = item(root, token)
    return root


def _held(keyword: str, value: Any, holds: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the relative pointer, name and value of each schema that a keyword holds."""
    if holds == "map":
        if isinstance(value, dict):
            for name, held in value.items():
                yield f"/{keyword}{pointer(name)}", name, held
    elif isinstance(value, list):
        if "list" in holds:
            for number, held in enumerate(value):
                yield f"/{keyword}/{number}", str(number), held
    elif "one" in holds:
        yield f"/{keyword}", keyword, value


def _join(base: str, reference: str) -> str:
    """Resolve a reference without a fragment to a URI."""
    if not reference or not base or _SCHEME.match(reference):
        return reference or base
    from urllib.parse import urljoin  # slow to import

    try:
        return urljoin(base, reference)
    except ValueError:  # not a valid URI
        return reference
