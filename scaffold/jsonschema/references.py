"""Check that `$ref`s resolve within the schema and terminate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold.diagnostics.wording import join, nearest, quote
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.keywords import DIALECTS
from scaffold.jsonschema.subschema import Subschema, UnresolvedError
from scaffold.yaml.finding import Finding

MOST_STEPS = 10_000
"""The maximum schemas to check one value against; more could block the server."""


def reference_faults(index: Index, at: str) -> Iterator[Finding]:
    """Yield references that do not resolve, leave the schema, or never terminate."""
    found = False
    for subschema in index.all.values():
        for keyword, target in index.references(subschema).items():
            # Every validator includes the meta-schemas.
            if isinstance(target, UnresolvedError) and target.target not in DIALECTS:
                found = True
                yield _unresolved(index, subschema, keyword, target, at)
    if not found:
        yield from _endless(index, at)


def _unresolved(
    index: Index, subschema: Subschema, keyword: str, error: UnresolvedError, at: str
) -> Finding:
    reference = subschema.keywords[keyword]
    where = f"{at}{subschema.pointer}/{keyword}"
    if error.remote:
        within = f"/{reference.lstrip('/')}"
        return Finding(
            where,
            "remote-reference",
            f"{quote(reference)} leads out of the schema, and nothing is fetched",
            f"what lies in the schema begins with `#`: write `#{within}`"
            if within in index.all
            else "copy the definition under `$defs` and refer to it as `#/$defs/…`",
        )
    known = [f"#{at}" for at in index.all if at.startswith(("/$defs/", "/definitions/"))]
    known += [f"#{name.partition('#')[2]}" for name in index.resources if "#" in name]
    if reference in known:
        return Finding(
            where,
            "dangling-reference",
            f"{quote(reference)} leads to nothing in the schema with `$id` {quote(subschema.base)}",
            "remove that `$id`, or move the definition into that schema",
        )
    meant = nearest(reference, known)
    return Finding(
        where,
        "dangling-reference",
        f"{quote(reference)} leads to nothing in this schema",
        f"did you mean `{meant}`?"
        if meant
        else f"there is {join(known[:6], 'and')}"
        if known
        else "put the definition under `$defs`",
    )


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
    steps: dict[str, int] = {}
    for start, leads in onward.items():
        path = {start: iter(leads)}
        while path and start not in steps:
            here = next(reversed(path))
            target = next((target for target in path[here] if target not in steps), None)
            if target is None:
                del path[here]
                steps[here] = 1 + sum(steps[target] for target in onward[here])
            elif target in path:
                yield _circle(list(path)[list(path).index(target) :], onward, at)
                return
            else:
                path[target] = iter(onward[target])
    for here, count in steps.items():
        if count > MOST_STEPS:
            yield Finding(
                at + here,
                "expensive-schema",
                f"one value is held against more than {MOST_STEPS:,} schemas here, and a call "
                "could stop the server",
                "name each definition once in `allOf`, `anyOf` and `oneOf`",
            )
            return


def _circle(circle: list[str], order: Iterable[str], at: str) -> Finding:
    members = set(circle)
    first = circle.index(next(here for here in order if here in members))
    circle = circle[first:] + circle[:first]
    here, onward = circle[0], circle[1 % len(circle)]
    inside = onward.startswith(f"{here}/") and len(circle) > 1
    keyword = onward[len(here) + 1 :].partition("/")[0] if inside else "$ref"
    way = " → ".join(f"`#{step}`" for step in (*circle[:4], *(("…",) if circle[4:] else ()), here))
    return Finding(
        f"{at}{here}/{keyword}",
        "endless-schema",
        f"this schema comes back to itself before it looks into the value: {way}",
        "put the reference under `properties` or `items`, or remove it",
    )
