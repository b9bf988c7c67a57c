"""Checks of `anyOf` and `oneOf`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from scaffold.jsonschema.faults import types_of
from scaffold.python.validators import phrases
from scaffold.python.validators.conditions import Condition, any_of
from scaffold.python.validators.labels import label_of
from scaffold.python.validators.node import Node
from scaffold.python.validators.options import marks_of, row
from scaffold.python.validators.place import Place
from scaffold.python.validators.references import followed, is_followed_whole
from scaffold.python.validators.segments import Segment
from scaffold.python.validators.separate import DEEPEST, is_separate
from scaffold.python.validators.statements import Lines, indented, spot, under


def alternatives(place: Place) -> Iterator[Segment]:
    """Yield the checks."""
    inside = place.node.children()
    for keyword in ("anyOf", "oneOf"):
        options = inside.get(keyword, [])
        if not options:
            continue
        if place.node.quiet:
            yield Segment(None, _decision(place, options, keyword))
        elif keyword == "oneOf" or not any(option.is_open for option in options):
            yield Segment(None, _choice(place, options, keyword))


def _decision(place: Place, options: Sequence[Node], keyword: str) -> Lines:
    """Return the statements that refuse a value which fits too few options, or too many."""
    found = [place.decided(option) for option in options]
    if keyword == "oneOf":
        tests = ", ".join(one.true for one in found)
        return [f"if [{tests}].count(True) != 1:", "    return False"]
    return under(any_of(found).false, ["return False"])


def _choice(place: Place, options: Sequence[Node], keyword: str) -> Lines:
    """Return the statements that tell what the likeliest option refuses."""
    if types := _disjoint(options):
        return _by_type(place, options, types)
    possible = [option for option in options if not followed(option).is_never]
    if not possible:
        return place.unclear()
    module, owner = place.module, place.function.name.removeprefix("check_")
    wanted = f"{owner}_{label_of(place.node.part)}_options".upper()
    table = module.name(wanted.replace("__", "_"))
    rows = [row(module, option) for option in possible]
    module.waiting.append("\n".join([f"{table} = (", *rows, ")"]))
    module.uses.add("choose")
    one_of = f", one_of={len(options)}" if keyword == "oneOf" else ""
    return [f"yield from choose({place.value}, {spot(place.path)}, {table}{one_of})"]


def _disjoint(options: Sequence[Node]) -> list[list[str]] | None:
    """Return the types of each option if a value's type tells which one it was meant for."""
    found: list[list[str]] = []
    seen: set[str] = set()
    marks: list[set[str | None]] = []
    for option in options:
        target = followed(option)
        schema = target.part.keywords
        if not is_followed_whole(option) or "type" not in schema or target.is_doubled:
            return None
        if not target.is_explored or (
            "$ref" in target.schema and target.graph.index.is_only_reference(target.part)
        ):
            return None
        types = types_of(dict(schema))
        wide = {"number" if name == "integer" else name for name in types}
        if wide & seen:
            return None
        seen |= wide
        found.append([*types])
        marks.append({*marks_of(schema)})
    return None if set.intersection(*marks) else found


def _by_type(place: Place, options: Sequence[Node], types: Sequence[Sequence[str]]) -> Lines:
    """Return the statements for options of which the type of a value chooses one."""
    lines: Lines = []
    others: list[Condition] = []
    for option, names in zip(options, types, strict=True):
        inner = _of_its_type(place.at(followed(option)))
        test = place.module.of_type(place.value, names)
        if inner:
            lines += [f"{'el' if lines else ''}if {test.true}:", *indented(inner)]
        else:
            others.append(test)
    every = [name for names in types for name in names]
    fault = place.fault(phrases.wrong_type(dict.fromkeys(every), place.value))
    if lines and not others:
        return [*lines, "else:", *indented(fault)]
    last = any_of(others) if lines else place.module.of_type(place.value, every)
    if last.is_certain:
        return lines
    return [*lines, f"{'el' if lines else ''}if {last.false}:", *indented(fault)]


def _of_its_type(place: Place) -> Lines:
    """Return the statements for a value that has the type of its schema."""
    node = place.node
    if not node.asserting - {"type"}:
        return []
    is_flat = "$ref" not in node.schema and node.children().keys() <= {"items"}
    if is_separate(node) or place.level >= DEEPEST or not is_flat:
        return place.call()
    return place.function.find(replace(place, level=place.level + 1, typed=True))
