"""Whether the references of a schema lead somewhere, stay in it, and come to an end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scaffold.spec.finding import Finding, listing, nearest, shown
from scaffold.spec.subschemas import DIALECTS, Index, UnresolvedError, references

MOST_STEPS = 10_000
"""Schemas that one value may have to be held against; more and a call could stop the server."""


def reference_faults(index: Index, at: str) -> Iterator[Finding]:
    """References that lead nowhere, out of the schema, or in a circle."""
    found = False
    targets: dict[str, list[str]] = {}
    for subschema in index.all.values():
        for keyword, reference in references(subschema):
            try:
                target = index.resolve(subschema, reference)
            except UnresolvedError as error:
                if error.target in DIALECTS:
                    continue  # every engine knows the schemas of the dialects themselves
                found = True
                yield _unresolved(f"{at}{subschema.pointer}/{keyword}", reference, error, index)
                continue
            if target in index.all:  # and not `true` or `false`
                targets.setdefault(subschema.pointer, []).append(target)
    if not found:
        yield from _endless(index, targets, at)


def _unresolved(where: str, reference: str, error: UnresolvedError, index: Index) -> Finding:
    if error.remote:
        within = f"/{reference.lstrip('/')}"
        return Finding(
            where,
            "remote-reference",
            f"{shown(reference)} leads out of the schema, and nothing is fetched",
            f"what lies in the schema begins with `#`: write `#{within}`"
            if within in index.all
            else "copy the definition under `$defs` and refer to it as `#/$defs/…`",
        )
    known = [f"#{at}" for at in index.all if at.startswith(("/$defs/", "/definitions/"))]
    known += [f"#{name.partition('#')[2]}" for name in index.resources if "#" in name]
    meant = nearest(reference, known)
    return Finding(
        where,
        "dangling-reference",
        f"{shown(reference)} leads to nothing in this schema",
        f"did you mean `{meant}`?"
        if meant
        else f"there is {listing(known[:6], 'and')}"
        if known
        else "put the definition under `$defs`",
    )


def _endless(index: Index, targets: Mapping[str, list[str]], at: str) -> Iterator[Finding]:
    """Schemas that a check would go around in, or through, without end.

    What counts are the steps at one value: the schemas that apply to the same value as the schema
    that names them, by `$ref`, `allOf` and the like.
    """
    onward = {
        here: [
            *(child.pointer for child in index.children(subschema, in_place=True)),
            *targets.get(here, ()),
        ]
        for here, subschema in index.all.items()
    }
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
