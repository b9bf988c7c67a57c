"""Alternatives of a schema: those of `oneOf`, and the schemas that extend one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from scaffold.sources.openapi.document import BrokenError, Document, Part, Reference


def mapped(document: Document, part: Part) -> tuple[str, list[list[str]]] | None:
    """Return the property that a `discriminator` names, and its values for each alternative.

    The result is None if its `mapping` leaves an alternative out: implicit values are often wrong.
    """
    about = part.at("discriminator")
    values = {value: str(target.value) for value, target in about.items("mapping")}
    by_branch = [
        [value for value, target in values.items() if _is_of(document, branch, target)]
        for branch in part.list("oneOf")
    ]
    name = about.text("propertyName")
    return (name, by_branch) if name and all(by_branch) else None


def _is_of(document: Document, branch: Part, target: str) -> bool:
    reference = branch.at("$ref").value
    if not isinstance(reference, str):
        return False
    try:
        wanted = document.target(_pointer(target), branch.file)
        return document.target(reference, branch.file) == wanted
    except BrokenError:
        return False


def _pointer(target: str) -> str:
    """Return the reference that a `mapping` has, some only as the name of a schema."""
    is_name = "#" not in target and not target.endswith((".json", ".yaml", ".yml"))
    return f"#/components/schemas/{target}" if is_name else target


class Subtypes(Struct, frozen=True):
    """The schemas of a document that extend others: those whose `allOf` refers to a schema."""

    document: Document
    children: Mapping[Reference, Sequence[Reference]]

    @classmethod
    def of(cls, document: Document) -> Subtypes:
        """Return the subtypes in the components of a document."""
        children: dict[Reference, list[Reference]] = {}
        for name, part in document.section("components", "schemas").items():
            own = Reference("", f"/components/schemas/{name}")
            for base in part.list("allOf"):
                with suppress(BrokenError):
                    if isinstance(link := base.at("$ref").value, str):
                        children.setdefault(document.target(link, base.file), []).append(own)
        return cls(document, children)

    def by_value(self, base: Reference) -> dict[str, Reference]:
        """Return what extends a schema, by the values of its `discriminator`."""
        part = self.document.part(base)
        about = part.at("discriminator")
        if not about.text("propertyName") or not {"oneOf", "anyOf"}.isdisjoint(part.value):
            return {}
        found: dict[str, Reference] = {}
        for value, target in about.items("mapping"):
            with suppress(BrokenError):
                reference = self.document.target(_pointer(str(target.value)), part.file)
                self.document.part(reference)
                found[value] = reference
        waiting = [*self.children.get(base, ())]
        for child in waiting:  # grows
            if child not in found.values():
                found.setdefault(child.pointer.rpartition("/")[2], child)
                waiting += self.children.get(child, ())
        return {value: target for value, target in found.items() if target != base}
