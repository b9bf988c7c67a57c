"""Read a FastMCP or MCPServer object, and let the handlers of its spec call its functions."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.languages.registry import language
from scaffold.sources import served
from scaffold.sources.server import from_command
from scaffold.sources.source import KINDS, Source


def read_object(source: str) -> Source:
    """Read `python:MODULE:OBJECT` by running it, with the `python` that is on PATH.

    Raises ScaffoldError if it names no object, or cannot be read.
    """
    module, _, name = source.removeprefix("python:").partition(":")
    names = [*module.split("."), *name.split(".")]
    if not all(part.isidentifier() for part in names):
        message, hint = f"`{source}` does not name an object", "write `python:MODULE:OBJECT`"
        raise ScaffoldError.of("not-importable", message, source, hint)
    python = shutil.which("python") or sys.executable
    text = Path(served.__file__).read_text("utf-8")
    with TemporaryDirectory() as folder:
        file = Path(folder, "found.json")
        lists = from_command([python, "-c", text, module, name, str(file)], name=source)
        description: dict[str, Any] = json.loads(file.read_text("utf-8"))
    source_ = _with_functions(lists, description["rows"])
    return replace(source_, notes=(*description["lost"], *source_.notes))


def _with_functions(source: Source, rows: Sequence[Mapping[str, str]]) -> Source:
    """Return the source with a `python` handler for each entry whose function can be called."""
    known = {(row["kind"], row["key"]): row for row in rows}
    spec, notes, files = dict(source.spec), [*source.notes], dict[str, None]()
    packages: set[str] = set()
    for kind, unique in KINDS.items():
        entries = []
        for entry in source.spec.get(kind, ()):
            row = known.get((kind, str(entry[unique])), {"reason": "is not in the object itself"})
            if path := row.get("python"):
                entry = {**entry, "handler": {"python": path}}
                packages.add(path.partition(":")[0].split(".")[0])
                files |= {row["file"]: None} if row["file"] else {}
                entry |= {"timeout": row["timeout"]} if row["timeout"] else {}
            else:
                notes.append(f"`{entry[unique]}` {row['reason']}: write its handler")
            entries.append(entry)
        spec |= {kind: entries} if entries else {}
    package_name = language("python").package_name
    package = package_name(str(spec["name"]))
    if package in packages:  # The server would hide the package whose functions it calls.
        name = str(spec["name"])
        spec = {"name": name, "version": "", "title": name} | spec | {"name": f"{name}-server"}
        notes.append(f"the server is called `{name}-server`: `{package}` is that of the functions")
        package = package_name(str(spec["name"]))
    copied = f"cp {shlex.join(files)} {spec['name']}/src/{package}/" if files else ""
    return replace(source, spec=spec, notes=tuple(notes), next=copied)
