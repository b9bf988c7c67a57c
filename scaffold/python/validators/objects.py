"""Checks of objects: which properties they have, and the values of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from scaffold.python.expressions import quoted
from scaffold.python.patterns import written
from scaffold.python.validators import phrases
from scaffold.python.validators.node import Node
from scaffold.python.validators.place import Place
from scaffold.python.validators.segments import Segment
from scaffold.python.validators.statements import indented, mentions, under
from scaffold.python.validators.vocabulary import OBJECT


def names(place: Place) -> Iterator[Segment]:
    """Yield the checks of which properties are there."""
    schema = place.node.schema
    yield Segment(OBJECT, [*_missing(place)])
    if schema.get("additionalProperties") is False:
        name = place.function.variable("name")
        lines = place.fault(phrases.unknown(name, schema.get("properties", {})))
        if unknown := _unknown(place.node, name):
            lines = [f"if {unknown}:", *indented(lines)]
        yield Segment(OBJECT, [f"for {name} in {place.value}:", *indented(lines)])


def properties(place: Place) -> Iterator[Segment]:
    """Yield the checks of the values of properties."""
    inside = place.node.children()
    for child in inside.get("properties", ()):
        key = quoted(child.part.name)
        lines = place.inside(child, key, f"{place.value}[{key}]", child.part.name or "item")
        yield Segment(OBJECT, under(f"{key} in {place.value}", lines))
    for child in inside.get("patternProperties", ()):
        yield _each(place, child, partial(_matches, written(child.part.name)))
    for child in inside.get("additionalProperties", ()):
        if not child.is_never:
            yield _each(place, child, partial(_unknown, place.node))


def _missing(place: Place) -> Iterator[str]:
    schema, value = place.node.schema, place.value
    for name in dict.fromkeys(schema.get("required", ())):
        yield f"if {quoted(name)} not in {value}:"
        yield from indented(place.fault(phrases.required(name)))
    needed = schema.get("dependencies" if place.node.is_draft_7 else "dependentRequired", {})
    for given, wanted in needed.items():
        for name in dict.fromkeys(wanted) if isinstance(wanted, list) else ():
            if name != given:
                yield f"if {quoted(given)} in {value} and {quoted(name)} not in {value}:"
                yield from indented(place.fault(phrases.required(name, given)))


def _unknown(node: Node, name: str) -> str:
    """Return the test whether `additionalProperties` applies to a name; empty if always."""
    known = [quoted(one) for one in node.schema.get("properties", ())]
    tests = [f"{name} not in {{{', '.join(known)}}}"] if known else []
    if len(known) == 1:
        tests = [f"{name} != {known[0]}"]
    patterns = node.schema.get("patternProperties", ())
    tests += [f"not re.search({written(p)}, {name})" for p in patterns]
    return " and ".join(tests)


def _matches(pattern: str, name: str) -> str:
    return f"re.search({pattern}, {name})"


def _each(place: Place, child: Node, test: Callable[[str], str]) -> Segment:
    """Return a loop over the properties whose names pass a test, if it is not empty."""
    name, item = place.function.variable("name"), place.function.variable("item")
    lines = place.inside(child, name, item)
    if not lines:
        return Segment(OBJECT, [])
    lines = under(which, lines) if (which := test(name)) else lines
    loop = f"for {name}, {item} in {place.value}.items():"
    if not mentions(lines, item):
        loop = f"for {name} in {place.value}:"
    elif not mentions(lines, name):
        loop = f"for {item} in {place.value}.values():"
    return Segment(OBJECT, [loop, *indented(lines)])
