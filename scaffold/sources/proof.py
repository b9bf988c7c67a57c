"""Prove an imported spec: what its server will list is what the source lists."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from scaffold.diagnostics.wording import quote
from scaffold.sources.source import KINDS, Source


def differences(source: Source, catalog: str) -> Iterator[str]:
    """Yield a line on each difference between the lists of a source and a generated catalog.

    The values must be equal as JSON: `1` and `1.0` are, `1` and `true` are not.
    """
    generated = json.loads(catalog)
    for kind, key in KINDS.items():
        there, here = source.listed.get(kind, ()), generated.get(kind, [])
        found = {entry.get(key): entry for entry in here}
        for entry in there:
            at = f"{kind}/{entry.get(key)}"
            if entry.get(key) in found:
                yield from _unequal(entry, found[entry.get(key)], at)
            else:
                yield f"{quote(at)} is not in the generated list"
        if len(here) > len(there):
            yield f"`{kind}` has {len(here)} entries, and the source {len(there)}"


def _unequal(one: object, other: object, at: str) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in {**one, **other}:
            if key not in other:
                yield f"{quote(f'{at}/{key}')} is missing"
            elif key not in one:
                yield f"{quote(f'{at}/{key}')} was added"
            else:
                yield from _unequal(one[key], other[key], f"{at}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for n, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _unequal(left, right, f"{at}/{n}")
    elif one != other or isinstance(one, bool) is not isinstance(other, bool):
        yield f"{quote(at)} is {quote(json.dumps(other))}, and in the source {quote(json.dumps(one))}"
