"""Check that `$ref`s resolve within the schema and terminate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from scaffold.base.diagnostics.wording import did_you_mean, join, quote
from scaffold.schema.index import Index
from scaffold.schema.keywords import DIALECTS
from scaffold.schema.resolver import Subschema, UnresolvedError
from scaffold.yaml.finding import Finding

MAX_STEPS = 10_000
"""The maximum number of schemas that apply to one value; more could block the server."""


def reference_faults(index: Index, at: str) -> Iterator[Finding]:
    """Yield references that do not resolve, leave the schema, or never terminate."""
    has_faults = False
    for subschema in index.all.values():
        for keyword, target in index.references(subschema).items():
            # Every validator includes the meta-schemas.
            if isinstance(target, UnresolvedError) and DIALECTS.get(target.target) != index.dialect:
                has_faults = True
                yield _unresolved(index, subschema, keyword, target, at)
    if not has_faults:
        yield from _endless(index, at)


def _unresolved(
    index: Index, subschema: Subschema, keyword: str, error: UnresolvedError, at: str
) -> Finding:
    reference = subschema.keywords[keyword]
    where = f"{at}{subschema.pointer}/{keyword}"
    if error.remote:
        within = f"/{reference.lstrip('/')}"
        message = f"{quote(reference)} points outside the schema, and nothing is fetched"
        hint = "copy the definition to `$defs`, and refer to it as `#/$defs/…`"
        if within in index.all:
            hint = f"references within the schema begin with `#`: write `#{within}`"
        return Finding(where, "remote-reference", message, hint)
    known = [f"#{at}" for at in index.all if at.startswith(("/$defs/", "/definitions/"))]
    known += [f"#{name.partition('#')[2]}" for name in index.resources if "#" in name]
    message = f"{quote(reference)} does not exist in this schema"
    every = f"the schema has {join(known[:6], 'and')}" if known else "add the definition to `$defs`"
    hint = did_you_mean(reference, known, every)
    if reference in known:
        message = (
            f"{quote(reference)} does not exist in the schema with `$id` {quote(subschema.base)}"
        )
        hint = "remove that `$id`, or move the definition into that schema"
    return Finding(where, "dangling-reference", message, hint)


def _endless(index: Index, at: str) -> Iterator[Finding]:
    """Yield the first schema whose validation never terminates or takes too many steps.

    A step goes to a schema that applies to the same value, by `$ref`, `allOf` and the like.
    """
    onward = {
        here: [target.pointer for target in index.in_place(subschema)]
        for here, subschema in index.all.items()
    }
    if not any(onward.values()):
        return
    try:
        order = [*TopologicalSorter(onward).static_order()]
    except CycleError as error:
        [*circle, _] = reversed(error.args[1])
        yield _circle(circle, onward, at)
        return
    steps: dict[str, int] = {}
    for here in order:
        steps[here] = 1 + sum(steps[target] for target in onward[here])
        if steps[here] > MAX_STEPS:
            message = f"one value is checked against more than {MAX_STEPS:,} schemas here"
            hint = "use each definition only once in `allOf`, `anyOf` and `oneOf`"
            yield Finding(at + here, "expensive-schema", message, hint)
            return


def _circle(circle: list[str], order: Iterable[str], at: str) -> Finding:
    members = set(circle)
    first = circle.index(next(here for here in order if here in members))
    circle = circle[first:] + circle[:first]
    here, onward = circle[0], circle[1 % len(circle)]
    inside = onward.startswith(f"{here}/") and len(circle) > 1
    keyword = onward[len(here) + 1 :].partition("/")[0] if inside else "$ref"
    way = " → ".join(f"`#{step}`" for step in (*circle[:4], *(("…",) if circle[4:] else ()), here))
    message = f"this schema refers to itself for the same value: {way}"
    hint = "move the reference to `properties` or `items`, or remove it"
    return Finding(f"{at}{here}/{keyword}", "endless-schema", message, hint)
