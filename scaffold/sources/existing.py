"""Make the spec of a FastMCP or MCPServer object one whose handlers call its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from scaffold.python.names import package_name
from scaffold.sources.source import KINDS, Source


def with_functions(source: Source, rows: Sequence[Mapping[str, str]]) -> Source:
    """Return the source with a `python` handler for each entry whose function can be called.

    `rows` are those of `served.py`.
    """
    known = {(row["kind"], row["key"]): row for row in rows}
    spec, notes, files = dict(source.spec), [*source.notes], dict[str, None]()
    for kind, unique in KINDS.items():
        entries = []
        for entry in source.spec.get(kind, ()):
            row = known.get((kind, str(entry[unique])), {"reason": "is not in the object itself"})
            if path := row.get("python"):
                entry = {**entry, "handler": {"python": path}}
                files |= {row["file"]: None} if row["file"] else {}
            else:
                notes.append(f"`{entry[unique]}` {row['reason']}: write its handler")
            entries.append(entry)
        spec |= {kind: entries} if entries else {}
    package = package_name(str(spec["name"]))
    copied = f"cp {' '.join(files)} {spec['name']}/src/{package}/" if files else ""
    return replace(source, spec=spec, notes=tuple(notes), next=copied)
