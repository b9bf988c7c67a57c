"""Statements that find which properties or items of a value the keywords of a schema evaluate."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from scaffold.python.expressions import quoted
from scaffold.python.patterns import written
from scaffold.python.validators.node import Node
from scaffold.python.validators.place import Place
from scaffold.python.validators.references import target_of
from scaffold.python.validators.separate import DEEPEST, is_evaluated_apart
from scaffold.python.validators.statements import Lines, under


def evaluated(place: Place, kind: str) -> Lines:
    """Return the statements that add to `found`; `kind` is `properties` or `items`."""
    schema = place.node.schema
    others = "additionalProperties" if kind == "properties" else "items"
    everything = f"found.update({'value' if kind == 'properties' else 'range(len(value))'})"
    if others in schema or (place.level and _unevaluated(kind) in schema):
        return [everything]
    own = _properties(place) if kind == "properties" else _items(place)
    if own is None:
        return [everything]
    return [*own, *_applied(place, kind)]


def _properties(place: Place) -> Lines:
    schema = place.node.schema
    lines: Lines = []
    if names := [quoted(name) for name in schema.get("properties", ())]:
        lines.append(f"found.update(value.keys() & {{{', '.join(names)}}})")
    for pattern in schema.get("patternProperties", ()):
        name = place.function.variable("name")
        test = f"re.search({written(pattern)}, {name})"
        lines.append(f"found.update({name} for {name} in value if {test})")
    return lines


def _items(place: Place) -> Lines | None:
    """Return the statements for the keywords of arrays; None if they evaluate all items."""
    schema = place.node.schema
    lines: Lines = []
    if "prefixItems" in schema:
        lines.append(f"found.update(range(min(len(value), {len(schema['prefixItems'])})))")
    for child in place.node.children().get("contains", ()):
        number, item = place.function.variable("number"), place.function.variable("item")
        fits = place.decided(child, item)
        if fits.is_certain:
            return None
        pairs = f"{number}, {item} in enumerate(value)"
        lines.append(f"found.update({number} for {pairs} if {fits.true})")
    return lines


def _applied(place: Place, kind: str) -> Lines:
    """Return the statements for schemas that apply to the same value."""
    node, inside = place.node, place.node.children()

    def deeper(others: Iterable[Node]) -> Lines:
        return [line for other in others for line in _deeper(place, other, kind)]

    lines: Lines = []
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in node.schema and (target := target_of(node, keyword)):
            lines += deeper([target])
    lines += deeper(inside.get("allOf", ()))
    for child in (*inside.get("anyOf", ()), *inside.get("oneOf", ())):
        if more := deeper([child]):
            lines += under(place.decided(child).true, more)
    for child in inside.get("if", ()):
        fits = place.decided(child)
        lines += under(fits.true, deeper([child, *inside.get("then", ())]))
        lines += under(fits.false, deeper(inside.get("else", ())))
    for child in inside.get("dependentSchemas", ()) if kind == "properties" else ():
        lines += under(f"{quoted(child.part.name)} in value", deeper([child]))
    return lines


def _deeper(place: Place, node: Node, kind: str) -> Lines:
    """Return the statements for one schema that applies to the same value."""
    lines: Lines = []
    if is_evaluated_apart(node) or place.level > DEEPEST:
        if node.asserting:
            at = ", at" if node.is_endless else ""
            lines = [f"found.update({place.module.evaluated_of(node, kind)}(value{at}))"]
        if _unevaluated(kind) not in node.schema:
            return lines
    return evaluated(replace(place, node=node, level=place.level + 1), kind)


def _unevaluated(kind: str) -> str:
    return f"unevaluated{kind.capitalize()}"
