"""Write where the functions of a FastMCP or MCPServer object are, then run the object over stdio.

A program of its own for the user's Python, which may have nothing of this package:
`python -c TEXT MODULE OBJECT FILE`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def main(module: str, name: str, file: str) -> None:
    """Import the object, write its functions to the file as JSON, and serve."""
    served: Any = importlib.import_module(module)
    for part in name.split("."):
        served = getattr(served, part)
    Path(file).write_text(json.dumps([*rows(served)]), "utf-8")
    served.run()


def rows(served: Any) -> Iterator[dict[str, str]]:
    """Yield a row on each entry with a function: where it is, or why it cannot be called."""
    for component in components(served):
        function = getattr(component, "fn", None)
        if function is None:
            continue
        function = inspect.unwrap(function)
        kind, key, given = identity(component)
        found = {"kind": kind, "key": key, "python": "", "file": "", "reason": ""}
        others = [name for name in parameters(function) if name not in given]
        if others:
            found["reason"] = f"takes `{others[0]}`, which clients do not send"
        elif path := importable(function):
            file = os.path.relpath(inspect.getsourcefile(function) or "")
            is_local = not file.startswith("..") and "site-packages" not in file
            found |= {"python": f".{path}" if is_local else path, "file": file if is_local else ""}
        else:
            found["reason"] = "has no function that can be imported by name"
        yield found


def components(served: Any) -> Iterator[Any]:
    """Yield the tools, resources, templates and prompts that were added to the object."""
    provider = getattr(served, "local_provider", None)  # FastMCP from 3 on
    yield from getattr(provider, "_components", {}).values()
    for name in ("_tool_manager", "_resource_manager", "_prompt_manager"):  # MCPServer, FastMCP 2
        if hasattr(served, name):
            for table in vars(getattr(served, name)).values():
                yield from table.values() if isinstance(table, dict) else ()


def identity(component: Any) -> tuple[str, str, set[str]]:
    """Return the list that an entry is on, its key there, and the names of its arguments."""
    schema = getattr(component, "parameters", None)
    given = set(schema.get("properties", {})) if isinstance(schema, dict) else set()
    if hasattr(component, "uri_template"):
        return "resourceTemplates", str(component.uri_template), given
    if hasattr(component, "uri"):
        return "resources", str(component.uri), given
    if isinstance(schema, dict):
        return "tools", component.name, given
    return "prompts", component.name, {one.name for one in component.arguments or ()}


def parameters(function: Callable[..., Any]) -> Iterator[str]:
    """Yield the names of the parameters."""
    for one in inspect.signature(function).parameters.values():
        if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            yield one.name


def importable(function: Callable[..., Any]) -> str:
    """Return `module:name` of a function, or nothing if that is another object."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is function or (inspect.unwrap(found or function) is function and found is not None):
        return f"{module}:{name}"
    return f"{module}:{name}.fn" if getattr(found, "fn", None) is function else ""


if __name__ == "__main__":
    main(*sys.argv[1:])
