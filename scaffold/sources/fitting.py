"""Leave out what a spec cannot hold of a source, part by part, and say so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

from msgspec.structs import replace

from scaffold import chosen
from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.sources.source import KINDS, Source
from scaffold.spec.check import LoadedSpec, load
from scaffold.spec.fields import JsonObject
from scaffold.yaml.document import tokens
from scaffold.yaml.source import parse
from scaffold.yaml.writing import yaml_text

_KEPT = ("name", "version", "inputSchema", "uri", "uriTemplate")
"""The keys without which there is no entry, or no spec."""


def fitted(source: Source, path: Path) -> tuple[LoadedSpec, Source, tuple[Diagnostic, ...]]:
    """Return the spec of a source, to be written to `path`, the source, and what was left out.

    Both are without the parts that a spec cannot hold. Raises ScaffoldError if nothing would be
    left.
    """
    left_out = [
        Diagnostic(
            "broken-part", text, Place(source.name), "fix it, or leave it out with `--exclude`"
        )
        for text in source.faults
    ]
    while True:
        try:
            return (
                load(parse(_text(source, path), str(path)), chosen.rule()),
                source,
                tuple(left_out),
            )
        except ScaffoldError as error:
            found = [_of_source(one, source) for one in error.diagnostics]
            less = without(source, error.diagnostics)
            if less is None:
                raise ScaffoldError(found) from None
            left_out += found
            source = less


def without(source: Source, found: Sequence[Diagnostic]) -> Source | None:
    """Return the source without what the diagnostics are about; None if it cannot do without.

    What goes is an unknown key, an optional key of an entry with a wrong value, or the second entry
    of a name.
    """
    cuts = {cut for one in found if (cut := _cut(one)) is not None}
    if not found or any(_cut(one) is None for one in found):
        return None
    spec, listed = deepcopy(dict(source.spec)), deepcopy(dict(source.listed))
    for cut in sorted(cuts, key=_from_the_end):
        _remove(spec, cut)
        if cut[0] in KINDS:
            _remove(listed, cut)
    return replace(source, spec=spec, listed=listed)


def _cut(found: Diagnostic) -> tuple[str, ...] | None:
    """Return the path of what has to go because of a diagnostic."""
    path = tuple(tokens(found.pointer or ""))
    if found.id == "duplicate-name" and len(path) >= 2:
        return path[:2]
    if found.id == "unknown-key":
        return path
    depth = 3 if path and path[0] in KINDS else 1
    if len(path) < depth or path[depth - 1] in _KEPT:
        return None
    return path[:depth]


def _from_the_end(cut: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(-int(token) if token.isdigit() else 0 for token in cut), -len(cut)


def _remove(value: JsonObject, path: Sequence[str]) -> None:
    at: object = value
    for token in path[:-1]:
        at = _below(at, token)
    if isinstance(at, dict):
        at.pop(path[-1], None)
    elif isinstance(at, list):
        del at[int(path[-1])]


def _below(value: object, token: str) -> object:
    if isinstance(value, dict):
        return value.get(token)
    return value[int(token)] if isinstance(value, list) else None


def _text(source: Source, path: Path) -> str:
    if path.suffix == ".json":
        return json.dumps(source.spec, indent=2, ensure_ascii=False) + "\n"
    return yaml_text(source.spec)


def _of_source(found: Diagnostic, source: Source) -> Diagnostic:
    """Return a diagnostic about the spec, which is not written, as one about the source."""
    at = f"{found.pointer}: " if found.pointer else ""
    return Diagnostic(
        found.id, f"{at}{found.message}", Place(source.name), found.hint, pointer=found.pointer
    )
