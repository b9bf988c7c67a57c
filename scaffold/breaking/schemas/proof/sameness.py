"""Whether two schemas are the same but for order, descriptions and unused definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scaffold.breaking.schemas.parts import Part, encoded, written
from scaffold.jsonschema.keywords import HOLDERS

_DEEPEST = 40


class Sameness:
    """Compares schemas, and remembers the answers; `step` is called for each pair."""

    def __init__(self, step: Callable[[], None]) -> None:
        self.step = step
        self._same: dict[tuple[Part, Part], bool] = {}

    def same(
        self, one: Part, other: Part, assumed: frozenset[tuple[Part, Part]] = frozenset()
    ) -> bool:
        """Return whether two schemas are the same but for order, descriptions and unused keys."""
        if one == other:
            return True
        key = one, other
        if key in assumed:
            return True
        if not assumed and key in self._same:
            return self._same[key]
        ours, theirs = one.document, other.document
        if (
            not (ours.index.refers or theirs.index.refers)
            and ours.dialect == theirs.dialect
            and ours.text(one.at) == theirs.text(other.at)
        ):
            return True
        self.step()
        answer = self._alike(one, other, assumed | {key})
        if not assumed or not answer:
            self._same[key] = answer
        return answer

    def _alike(self, one: Part, other: Part, assumed: frozenset[tuple[Part, Part]]) -> bool:
        first, second = one.schema.schema, other.schema.schema
        if isinstance(first, bool) or isinstance(second, bool):
            return first is second
        ours, theirs = one.keywords, other.keywords
        dialect = one.document.dialect
        if ours.keys() != theirs.keys() or len(assumed) > _DEEPEST:
            return False
        if dialect != other.document.dialect:
            return False
        holders = HOLDERS[dialect]
        for keyword, rule in ours.items():
            if keyword in ("$ref", "$dynamicRef"):
                continue
            if keyword not in holders:
                if not _equal(keyword, rule, theirs[keyword]):
                    return False
                continue
            pairs = list(_pairs(one, other, keyword))
            if not pairs and rule != theirs[keyword]:
                return False
            for left, right in pairs:
                if left is None or right is None or not self.same(left, right, assumed):
                    return False
        if not ours.keys() & {"$ref", "$dynamicRef"}:
            return True
        targets = list(zip(one.targets(), other.targets(), strict=True))
        return all(a and b and self.same(a, b, assumed) for a, b in targets)


def _pairs(one: Part, other: Part, keyword: str) -> Iterator[tuple[Part | None, Part | None]]:
    """Yield the schemas in a keyword of two schemas, side by side; None where they differ."""
    ours, theirs = one.keywords[keyword], other.keywords[keyword]
    if isinstance(ours, bool) or isinstance(theirs, bool) or type(ours) is not type(theirs):
        is_schema = isinstance(ours, bool | dict) and isinstance(theirs, bool | dict)
        yield (one.under(keyword), other.under(keyword)) if is_schema else (None, None)
    elif isinstance(ours, list):
        if len(ours) != len(theirs):
            yield None, None
        for number in range(min(len(ours), len(theirs))):
            yield one.under(keyword, number), other.under(keyword, number)
    elif HOLDERS[one.document.dialect][keyword] == "map":
        if ours.keys() != theirs.keys():
            yield None, None
            return
        for name in ours:
            if isinstance(ours[name], list) or isinstance(theirs[name], list):
                if ours[name] != theirs[name]:
                    yield None, None
            else:
                yield one.under(keyword, name), other.under(keyword, name)
    else:
        yield one.under(keyword), other.under(keyword)


def _equal(keyword: str, one: Any, other: Any) -> bool:
    if written(one) == written(other):
        return True
    if keyword in ("required", "type", "enum"):
        one, other = ([v] if isinstance(v, str) else v for v in (one, other))
        return {*map(encoded, one)} == {*map(encoded, other)}
    return bool(one == other) and encoded(one) == encoded(other)
