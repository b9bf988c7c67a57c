"""Nested schemas, and the error for references that do not resolve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

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
