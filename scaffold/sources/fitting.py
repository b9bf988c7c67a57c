"""Leave out the parts of a source that a spec cannot hold, and report each of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.format.check import LoadedSpec, load
from scaffold.project import chosen
from scaffold.sources.source import KINDS, Source
from scaffold.yaml.document import tokens
from scaffold.yaml.source import parse
from scaffold.yaml.writing import yaml_text

_KEPT = ("name", "version", "inputSchema", "uri", "uriTemplate")
"""The keys without which there is no entry, or no spec."""


def fitted(source: Source, path: Path) -> tuple[LoadedSpec, Source, tuple[Diagnostic, ...]]:
    """Return the spec of a source, to be written to `path`, the source, and what was left out.

    Both are without the parts that a spec cannot hold: an unknown key, an optional key of an entry
    with a wrong value, an entry whose schema or name is wrong, the second entry of a name. Raises ScaffoldError if it cannot do without.
    """
    hint = "fix it, or leave it out with `--exclude`"
    left_out = [Diagnostic("broken-part", text, Place(source.name), hint) for text in source.faults]
    halves = [*_halves(source)]
    left_out += halves
    source = _without(source, [tuple(tokens(fault.pointer or "")) for fault in halves])
    if halves and not any(source.listed.values()):
        raise ScaffoldError(left_out)
    while True:
        try:
            loaded = load(parse(_text(source, path), str(path)), chosen.rule())
        except ScaffoldError as error:
            faults = [_of_source(fault, source) for fault in error.diagnostics]
            cuts = [_cut(fault) for fault in faults]
            if not cuts or not all(cuts):
                raise ScaffoldError(faults) from None
            left_out += faults
            source = _without(source, _outermost({tuple(cut) for cut in cuts}))
            if not any(source.listed.values()):
                raise ScaffoldError(left_out) from None
        else:
            return loaded, source, tuple(left_out)


def _halves(source: Source) -> Iterator[Diagnostic]:
    """Yield a diagnostic on each entry with half of a surrogate pair, which no file can hold."""
    for kind, entries in source.listed.items():
        for number, entry in enumerate(entries):
            try:
                json.dumps(entry, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                message = f"/{kind}/{number}: a text has half of a character (U+D800 to U+DFFF)"
                place, hint = Place(source.name), "write the whole character"
                pointer = f"/{kind}/{number}"
                yield Diagnostic("control-character", message, place, hint, pointer=pointer)


def _cut(fault: Diagnostic) -> Sequence[str]:
    """Return the path of what has to go because of a diagnostic; empty if nothing can."""
    path = tokens(fault.pointer or "")
    is_entry = len(path) > 1 and path[0] in KINDS
    if is_entry and (fault.id == "duplicate-name" or path[2:3] == [] or path[2] in _KEPT):
        return path[:2]
    if fault.id == "unknown-key":
        return path
    if is_entry:
        return path[:3]
    return [] if not path or path[0] in (*_KEPT, *KINDS) else path[:1]


def _outermost(cuts: Collection[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the cuts that are not in what another one removes."""
    for cut in cuts:
        if not any(cut[:depth] in cuts for depth in range(1, len(cut))):
            yield cut


def _without(source: Source, cuts: Iterable[tuple[str, ...]]) -> Source:
    spec, listed = deepcopy(dict(source.spec)), deepcopy(dict(source.listed))
    for *above, key in sorted(cuts, key=_from_the_end):
        for root in (spec, listed):
            at: Any = root
            for token in above:
                at = at[int(token)] if isinstance(at, list) else at.get(token, {})
            if isinstance(at, list):
                del at[int(key)]
            else:
                at.pop(key, None)
    return replace(source, spec=spec, listed=listed)


def _from_the_end(cut: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(-int(token) if token.isdigit() else 0 for token in cut), -len(cut)


def _text(source: Source, path: Path) -> str:
    if path.suffix == ".json":
        return json.dumps(source.spec, indent=2, ensure_ascii=False) + "\n"
    return yaml_text(source.spec)


def _of_source(fault: Diagnostic, source: Source) -> Diagnostic:
    """Return a diagnostic about the spec, which is not written, as one about the source."""
    at = f"{fault.pointer}: " if fault.pointer else ""
    return Diagnostic(
        fault.id, f"{at}{fault.message}", Place(source.name), fault.hint, pointer=fault.pointer
    )
