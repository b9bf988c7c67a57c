"""Write the parameters and results of a module's functions as JSON Schema.

A program of its own for the user's Python, which needs pydantic:
`python -c TEXT MODULE NAMES FILE`, with the names between commas; none for all public functions.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema


def main(module_name: str, names: str, file: str) -> None:
    """Import the module, and write its docstring and its functions to the file."""
    module = importlib.import_module(module_name)
    wanted = names.split(",") if names else [*public(module)]
    values = vars(module).items()
    servers = [name for name, value in values if type(value).__name__ in ("FastMCP", "MCPServer")]
    rows = [described(module, name) for name in wanted]
    description = {"doc": inspect.getdoc(module), "functions": rows, "servers": servers}
    Path(file).write_text(json.dumps(description), "utf-8")


def public(module: Any) -> Iterator[str]:
    """Yield the names of the functions that a module defines or exports."""
    exported = getattr(module, "__all__", None)
    for name, value in vars(module).items():
        is_own = getattr(value, "__module__", "") == module.__name__ and name[0] != "_"
        if inspect.isfunction(value) and (is_own if exported is None else name in exported):
            yield name


def described(module: Any, name: str) -> dict[str, Any]:
    """Return the docstring and the schemas of a function, or why it cannot be called."""
    row: dict[str, Any] = {"name": name, "problem": "", "note": "", "output": None}
    function = module
    try:
        for part in name.split("."):
            function = getattr(function, part)
        source = os.path.relpath(inspect.getsourcefile(inspect.unwrap(function)) or "")
        is_local = not source.startswith("..") and "site-packages" not in source
        row |= {"file": source if is_local else "", "doc": inspect.getdoc(function)}
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
                raise TypeError(f"`{parameter}` is not passed by name")
        row["input"] = schema(function)
    except Exception as error:  # noqa: BLE001 - of any module
        row["problem"] = reason(error)
    else:
        try:
            row["output"] = result(function)
        except Exception as error:  # noqa: BLE001 - of any type
            row["note"] = reason(error)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        row["problem"] = "it yields its results"
    return row


def reason(error: Exception) -> str:
    """Return the first sentence of an error."""
    return re.split(r"\n|\. ", str(error), maxsplit=1)[0] or type(error).__name__


def result(function: Any) -> Any:
    """Return the schema of what a function returns, None without an annotation."""
    returned = get_type_hints(function, include_extras=True).get("return")
    return None if returned in (None, type(None), Any) else schema(returned, "serialization")


def schema(type_: Any, mode: Any = "validation") -> Any:
    """Return the schema of a type, without titles that repeat its name or those of its fields."""
    whole = TypeAdapter(type_).json_schema(mode=mode, schema_generator=Untitled)
    for name, part in [("", whole), *whole.get("$defs", {}).items()]:
        if part.get("title") in (name, getattr(type_, "__name__", None)):
            del part["title"]
    return whole


class Untitled(GenerateJsonSchema):
    """A generator of schemas whose fields have no titles, and whose keys are not sorted."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return whether a field without a title gets one."""
        return False

    def sort(self, value: Any, parent_key: str | None = None) -> Any:
        """Return a schema in its own order, in which `type` is first."""
        return value


if __name__ == "__main__":
    main(*sys.argv[1:])
