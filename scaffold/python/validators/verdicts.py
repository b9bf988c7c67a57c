"""Checks of keywords that cannot say what is wrong, such as `not`."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.python.expressions import quoted
from scaffold.python.validators.conditions import NEVER
from scaffold.python.validators.node import Node
from scaffold.python.validators.place import Place
from scaffold.python.validators.references import reached, target_of
from scaffold.python.validators.segments import Segment
from scaffold.python.validators.statements import Lines, grouped, under
from scaffold.python.validators.vocabulary import ARRAY, OBJECT


def verdicts(place: Place) -> Iterator[Segment]:
    """Yield the checks."""
    node, wrong = place.node, place.unclear()
    inside = node.children()
    for keyword in ("$ref", "$dynamicRef"):
        if (
            keyword in node.schema
            and not (keyword == "$ref" and reached(node))
            and (target := target_of(node, keyword))
        ):
            yield Segment(None, under(place.decided(target).false, wrong))
    if "dependencies" in node.schema and not node.is_draft_7:
        yield from _dependencies(place, wrong)
    for child in inside.get("not", ()):
        decided = place.decided(child)
        yield Segment(None, under(decided.true, wrong))
    for child in inside.get("contains", ()):
        yield Segment(ARRAY, _containing(place, child, wrong))
    for child in inside.get("propertyNames", ()):
        name = place.function.variable("name")
        decided = place.decided(child, name)
        if not decided.is_certain:
            test = f"any({decided.false} for {name} in {place.value})"
            yield Segment(OBJECT, under(test if decided != NEVER else place.value, wrong))
    for child in inside.get("unevaluatedProperties", ()):
        if not child.is_open:
            yield Segment(OBJECT, _unevaluated(place, child, "properties", wrong))
    for child in inside.get("unevaluatedItems", ()):
        if not child.is_open:
            yield Segment(ARRAY, _unevaluated(place, child, "items", wrong))


def _dependencies(place: Place, wrong: Lines) -> Iterator[Segment]:
    """Yield the checks of a keyword that 2020-12 has kept, but has no words for."""
    for given, names in place.node.schema["dependencies"].items():
        for name in names if isinstance(names, list) else ():
            test = f"{quoted(given)} in {place.value} and {quoted(name)} not in {place.value}"
            yield Segment(OBJECT, under(test, wrong))
    for child in place.node.children().get("dependencies", ()):
        if not child.is_open:
            decided = place.decided(child)
            test = f"{quoted(child.part.name)} in {place.value} and {grouped(decided.false)}"
            yield Segment(OBJECT, under(test, wrong))


def _containing(place: Place, child: Node, wrong: Lines) -> Lines:
    node, value = place.node, place.value
    least = 1 if node.is_draft_7 else int(node.schema.get("minContains", 1))
    most = None if node.is_draft_7 else node.schema.get("maxContains")
    if not least and most is None:
        return []
    item = place.function.variable("item")
    decided = place.decided(child, item)
    if decided == NEVER:
        return wrong if least else []
    if least == 1 and most is None and decided.is_certain:
        return under(f"not {value}", wrong)
    if least == 1 and most is None:
        return under(f"not any({decided.true} for {item} in {value})", wrong)
    count = f"sum({decided.true} for {item} in {value})"
    if decided.is_certain:
        count = f"len({value})"
    if most is None:
        return under(f"{count} < {least}", wrong)
    bounds = f"not {least} <= {count} <= {int(most)}" if least else f"{count} > {int(most)}"
    return under(bounds, wrong)


def _unevaluated(place: Place, child: Node, kind: str, wrong: Lines) -> Lines:
    """Return the statements for what no other keyword evaluates."""
    value, is_object = place.value, kind == "properties"
    evaluated = place.module.evaluated_of(place.node, kind)
    at = ", at" if place.node.is_endless else ""
    found = place.function.variable("evaluated")
    key = place.function.variable("name" if is_object else "number")
    item = place.function.variable("item")
    decided = place.decided(child, item)
    if decided == NEVER:
        test = f"{value}.keys() - {found}" if is_object else f"len({found}) < len({value})"
    else:
        pairs = f"{value}.items()" if is_object else f"enumerate({value})"
        left = f"{key} not in {found} and {grouped(decided.false)}"
        test = f"any({left} for {key}, {item} in {pairs})"
    return [f"{found} = {evaluated}({value}{at})", *under(test, wrong)]
