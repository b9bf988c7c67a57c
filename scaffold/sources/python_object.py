"""Read a FastMCP or MCPServer object, or plain functions; the handlers of the spec call them."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.format.fields import JsonObject
from scaffold.languages.registry import language
from scaffold.sources.lists import from_lists
from scaffold.sources.server import SECONDS, from_command
from scaffold.sources.source import KINDS, Source, server_name

_GENERATED = ("tools", "resources", "prompts", "lifespan")
"""The modules of a project, which a copied one would hide."""


def read_object(source: str) -> Source:
    """Read `python:MODULE`, `python:MODULE:f,g` or `python:MODULE:OBJECT`, by importing the module.

    That is done with the `python` on PATH. Raises ScaffoldError if it names nothing of the kind, or
    cannot be read.
    """
    module, _, names = source.removeprefix("python:").partition(":")
    if module.endswith(".py"):
        raise not_a_module(source, module)
    parts = [*module.split("."), *(re.split("[.,]", names) if names else [])]
    if not all(part.isidentifier() for part in parts):
        message = f"`{source}` does not name an object"
        hint = "write `python:MODULE`, `python:MODULE:f,g` or `python:MODULE:OBJECT`"
        raise ScaffoldError.of("not-importable", message, source, hint)
    is_one = names and "," not in names
    return (is_one and _of_server(source, module, names)) or _of_functions(source, module, names)


def not_a_module(source: str, path: str) -> ScaffoldError:
    """Return an error that says how to write the path of a Python file as a module."""
    module = ".".join(Path(path).with_suffix("").parts)
    message, hint = f"`{path}` is a Python file", f"write `python:{module}` to import its functions"
    return ScaffoldError.of("not-importable", message, source, hint)


def _of_server(source: str, module: str, name: str) -> Source | None:
    """Return the source that an object is; None if it is no server, but a function."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "described.json")
        try:
            lists = from_command(
                [_python(), *_program("served"), module, name, str(file)], name=source
            )
        except ScaffoldError:
            if not file.exists() or file.read_text("utf-8") != "null":
                raise
            return None
        description: dict[str, Any] = json.loads(file.read_text("utf-8"))
    spec = {**lists.spec, **({} if description["is_versioned"] else {"version": "0.1.0"})}
    if "name" in lists.assumed:
        spec["name"] = server_name(module.rpartition(".")[2])
    notes = (*description["lost"], *lists.notes)
    return _with_functions(replace(lists, spec=spec, notes=notes), description["rows"])


def _of_functions(source: str, module: str, names: str) -> Source:
    """Return the source whose tools are functions."""
    described = _described(source, module, names)
    if described["servers"] and not names:
        message = f"`{module}` has a server"
        hint = f"write `python:{module}:{described['servers'][0]}`, or the names of functions"
        raise ScaffoldError.of("not-importable", message, source, hint)
    tools, rows, left_out, notes = [], [], [], []
    for row in described["functions"]:
        name = row["name"].replace(".", "_")
        if row["problem"]:
            left_out.append(f"`{row['name']}` was left out: {row['problem']}")
            continue
        tools.append(_tool(name, row))
        rows.append({**row, "kind": "tools", "key": name, "python": f"{module}:{row['name']}"})
        if row["note"]:
            notes.append(f"`{row['name']}` has no output schema: {row['note']}")
    if not tools:
        message = f"no function of `{module}` can be a tool"
        hint = left_out[0] if left_out else "name functions that it imports: `python:MODULE:f,g`"
        raise ScaffoldError.of("not-importable", message, source, hint)
    from docstring_parser import parse

    about = parse(described["doc"] or "").short_description
    info = {"description": about} if about else {}
    lists = from_lists(source, module.rpartition(".")[2], {"tools": tools}, info)
    faults, notes = (left_out, notes) if names else ([], [*left_out, *notes])
    return _with_functions(replace(lists, faults=tuple(faults), notes=tuple(notes)), rows)


def _described(source: str, module: str, names: str) -> dict[str, Any]:
    """Return the description of functions. Raises ScaffoldError if their module cannot be imported."""
    pythons = [*dict.fromkeys([_python(), sys.executable])]
    with TemporaryDirectory() as folder:
        file = Path(folder, "described.json")
        for python in pythons:
            command = [python, *_program("functions"), module, names, str(file)]
            try:
                done = subprocess.run(  # noqa: S603 - the user's own module, as they asked
                    command, capture_output=True, timeout=SECONDS, check=False
                )
            except subprocess.TimeoutExpired:
                message = f"importing `{module}` took longer than {SECONDS:g} seconds"
                raise ScaffoldError.of("not-importable", message, source) from None
            if file.exists():
                described: dict[str, Any] = json.loads(file.read_text("utf-8"))
                return described
            problem = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            if "'pydantic'" not in problem:
                break
    hint = f"check that `{pythons[0]} -c 'import pydantic, {module}'` works"
    raise ScaffoldError.of("not-importable", f"cannot import it: {problem[:300]}", source, hint)


def _tool(name: str, row: Mapping[str, Any]) -> JsonObject:
    """Return the tool of a function, with the descriptions in its docstring."""
    from docstring_parser import parse

    about = parse(row["doc"] or "")
    arguments = row["input"]
    for parameter in about.params:
        given = arguments["properties"].get(parameter.arg_name)
        if given is not None and parameter.description:
            given.setdefault("description", " ".join(parameter.description.split()))
    tool = {"name": name, "inputSchema": arguments}
    if about.description:
        tool["description"] = about.description.strip()
    output = row["output"]
    if output and output.get("type") == "object":
        tool["outputSchema"] = output
    elif output and output.get("type") == "array":
        definitions = {"$defs": output.pop("$defs")} if "$defs" in output else {}
        wrapped = {"type": "object", "properties": {"result": output}, "required": ["result"]}
        tool["outputSchema"] = {**wrapped, **definitions}
    return tool


def _python() -> str:
    return shutil.which("python") or sys.executable


def _program(name: str) -> list[str]:
    """Return the arguments by which Python runs a module of this package that it does not have."""
    spec = find_spec(f"scaffold.sources.{name}")
    return ["-c", Path(str(spec and spec.origin)).read_text("utf-8")]


def _with_functions(source: Source, rows: Sequence[Mapping[str, Any]]) -> Source:
    """Return the source with a `python` handler for each entry whose function can be called."""
    known = {(row["kind"], row["key"]): row for row in rows}
    spec, notes, files = dict(source.spec), [*source.notes], dict[str, str]()
    packages: set[str] = set()
    for kind, unique in KINDS.items():
        entries = []
        for entry in source.spec.get(kind, ()):
            row = known.get((kind, str(entry[unique])), {"reason": "is not in the object itself"})
            if path := row.get("python"):
                if row["file"]:
                    path, copied, target = _placed(path, row["file"])
                    files[copied] = target
                else:
                    packages.add(path.partition(":")[0].split(".")[0])
                entry = {**entry, "handler": {"python": path}}
                entry |= {"timeout": timeout} if (timeout := row.get("timeout")) else {}
            else:
                notes.append(f"`{entry[unique]}` {row['reason']}: write its handler")
            entries.append(entry)
        spec |= {kind: entries} if entries else {}
    python = language("python")
    package = python.package_name(str(spec["name"]))
    if package in packages:  # The server would hide the package whose functions it calls.
        name = str(spec["name"])
        spec = {"name": name, "version": "", "title": name} | spec | {"name": f"{name}-server"}
        notes.append(f"the server is called `{name}-server`: `{package}` is that of the functions")
        package = python.package_name(str(spec["name"]))
    folder = f"{python.command_name(str(spec['name']))}/src/{package}/"
    copies = (
        shlex.join(["cp", *(["-r"] if Path(file).is_dir() else []), file, folder + target])
        for file, target in files.items()
    )
    return replace(source, spec=spec, notes=tuple(notes), next=" && ".join(copies))


def _placed(path: str, file: str) -> tuple[str, str, str]:
    """Return the path of a local function in the project, what to copy for it, and its new name.

    A package is copied whole.
    """
    module, _, name = path.partition(":")
    top, *below = module.split(".")
    source = Path(file).parent if Path(file).name == "__init__.py" else Path(file)
    for _ in below:
        source = source.parent
    if top not in _GENERATED:
        return f".{path}", str(source), ""
    dotted = ".".join([f"own_{top}", *below])
    return f".{dotted}:{name}", str(source), f"own_{top}{source.suffix}"
