"""Checks of keywords that hold no schema: limits, patterns and formats."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.python.expressions import literal
from scaffold.python.patterns import written
from scaffold.python.validators import phrases
from scaffold.python.validators.place import Place
from scaffold.python.validators.segments import Segment
from scaffold.python.validators.statements import indented
from scaffold.python.validators.vocabulary import FORMATS, LEAVES


def leaves(place: Place) -> Iterator[Segment]:
    """Yield the checks."""
    schema, value = place.node.schema, place.value
    for keyword, guard, refuses in LEAVES:
        if keyword not in schema:
            continue
        rule = _rule(place, keyword)
        if rule is None:
            continue
        place.module.uses |= {name for name in ("is_multiple", "is_unique") if name in refuses}
        said = phrases.of_keyword(keyword, schema[keyword], value)
        test = refuses.replace("{value}", value).replace("{rule}", rule)
        yield Segment(guard, [f"if {test}:", *indented(place.fault(said))], keyword)


def _rule(place: Place, keyword: str) -> str | None:
    """Return what a keyword is compared with, as Python; None if it refuses nothing."""
    schema = place.node.schema
    rule = schema[keyword]
    match keyword:
        case "pattern":
            return written(rule)
        case "format":
            if rule not in FORMATS[place.node.graph.index.dialect]:
                return None
            made = f"is_{rule.replace('-', '_')}"
        case "contentEncoding":
            if rule != "base64":
                return None
            made = "is_base64"
        case "contentMediaType":
            if rule != "application/json":
                return None
            is_encoded = schema.get("contentEncoding") == "base64"
            made = "is_base64_json" if is_encoded else "is_json"
        case "uniqueItems":
            return "" if rule else None
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf":
            return str(literal(rule))
        case _:
            return None if keyword.startswith("min") and not rule else str(int(rule))
    place.module.formats.add(made)
    return made
