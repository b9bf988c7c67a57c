"""Checks of schemas that the same value has to fit, always or under a condition."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.python.expressions import quoted
from scaffold.python.validators import phrases
from scaffold.python.validators.conditions import ALWAYS, NEVER, Condition
from scaffold.python.validators.node import Node
from scaffold.python.validators.place import Place
from scaffold.python.validators.references import reached
from scaffold.python.validators.segments import Segment
from scaffold.python.validators.statements import Lines, indented, under
from scaffold.python.validators.vocabulary import OBJECT


def applied(place: Place) -> Iterator[Segment]:
    """Yield the checks of `$ref`, `allOf`, `if`, and schemas that depend on a property."""
    node = place.node
    inside = node.children()
    if "$ref" in node.schema and (target := reached(node)):
        yield Segment(None, place.same(target))
    for child in inside.get("allOf", ()):
        yield Segment(None, place.same(child))
    if "if" in inside:
        yield Segment(None, _conditional(place))
    for child in inside.get("dependencies" if node.is_draft_7 else "dependentSchemas", ()):
        if not child.is_open:
            never = child.is_never
            lines = place.fault(phrases.LEFT_OUT) if never else place.at(child).call()
            yield Segment(OBJECT, under(f"{quoted(child.part.name)} in {place.value}", lines))


def _conditional(place: Place) -> Lines:
    inside = place.node.children()
    (condition,) = inside["if"]
    found = place.decided(condition)
    then, other = (
        [line for child in inside.get(keyword, ()) for line in _branch(place, child, found)]
        for keyword in ("then", "else")
    )
    if then and other and found not in (ALWAYS, NEVER):
        return [f"if {found.true}:", *indented(then), "else:", *indented(other)]
    return [*under(found.true, then), *under(found.false, other)]


def _branch(place: Place, node: Node, condition: Condition) -> Lines:
    """Return the statements for the same value where a condition holds, or does not."""
    if node.is_open:
        return []
    # A type checker could know the type of the value here, and find tests of it needless.
    is_known = not condition.true.startswith("is_") or "_number(" in condition.true
    if is_known and not node.is_never:
        return place.at(node).call()
    return place.same(node)
