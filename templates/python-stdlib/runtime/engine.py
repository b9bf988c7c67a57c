"""Whether a value fits a JSON Schema of 2020-12 or draft-07, with nothing but Python.

This is for schemas with one part for each value; `choices.py` is for all others.
Each part of a schema becomes functions once, the first time that a value meets the schema.
They return the first fault of a value; `explain.py` looks for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from .keywords import KEYWORDS, TYPES_OF
from .rules import Part, Rule, Test, never, of_kind

if TYPE_CHECKING:
    from .explain import Walk

# Keywords of 2020-12 alone.
NOT_IN_DRAFT_7 = {"dependentRequired", "dependentSchemas", "prefixItems"}
NOT_IN_DRAFT_7 |= {"$anchor", "unevaluatedItems", "unevaluatedProperties"}
NOT_IN_DRAFT_7 |= {"minContains", "maxContains"}


class Engine:
    """The functions of a schema."""

    keywords: ClassVar[Mapping[str, Any]] = KEYWORDS

    def __init__(
        self, schema: Any, formats: Mapping[str, Test], pattern: Callable[[str], Test]
    ) -> None:
        dialect = schema.get("$schema", "") if isinstance(schema, dict) else ""
        self.is_draft_7 = "draft-07" in dialect
        self.formats, self.pattern = formats, pattern
        self.top = self.whole(schema)
        self.first = self.top.first
        """Returns the first fault of a value."""

    def whole(self, schema: Any) -> Part:
        """Return the functions for the whole schema."""
        return self.part(schema)

    def walk(self) -> Walk:
        """Return what looks for the other faults of a value."""
        from .explain import Walk  # Most values are right.

        return Walk(self)

    def part(self, schema: Any) -> Part:
        """Return the functions for a part of the schema."""
        if schema is True or schema == {}:
            return ANYTHING
        if schema is False:
            return NOTHING
        return self.filled(Part(), schema)

    def filled(self, part: Part, schema: Any) -> Part:
        part.set([*self._rules(self.rules(schema))])
        return part

    def parts(self, schemas: Iterable[Any]) -> list[Part]:
        return [*map(self.part, schemas)]

    def rules(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the keywords that count in the dialect."""
        if not self.is_draft_7:
            return schema
        return {key: rule for key, rule in schema.items() if key not in NOT_IN_DRAFT_7}

    def _rules(self, schema: dict[str, Any]) -> Iterator[Rule]:
        types = schema.get("type")
        for keyword, (kind, make) in self.keywords.items():
            if keyword in schema and (rule := make(self, keyword, schema)):
                is_sure = kind is object or types in TYPES_OF[kind]
                yield rule if is_sure else of_kind(kind, rule)


ANYTHING, NOTHING = Part(), never("false")
