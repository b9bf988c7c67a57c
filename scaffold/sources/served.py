"""Describe the functions and lost features of a FastMCP or MCPServer object, then serve it.

It runs in the user's Python, which may lack this package and its dependencies:
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

DEFAULTS = ("DereferenceRefsMiddleware", "OpenTelemetryMiddleware", "RequestStateBoundary")
"""The middleware that the frameworks add themselves."""


def main(module: str, name: str, file: str) -> None:
    """Import the object, write its functions and lost features to the file as JSON, and serve."""
    served: Any = importlib.import_module(module)
    for part in name.split("."):
        served = getattr(served, part)
    if not hasattr(served, "run"):
        Path(file).write_text("null", "utf-8")  # a function, for example
        return
    library = sys.modules[type(served).__module__.partition(".")[0]]
    is_versioned = getattr(served, "version", "") != getattr(library, "__version__", "")
    description = {
        "rows": [*rows(served)],
        "lost": [*lost(served)],
        "is_versioned": is_versioned,
    }
    Path(file).write_text(json.dumps(description), "utf-8")
    served.run()


def lost(served: Any) -> Iterator[str]:
    """Yield a sentence for each feature of the object that is lost, security first."""
    if getattr(served, "auth", None) or getattr(served, "_token_verifier", None):
        yield "its authentication does not run: declare `auth` in the spec"
    for middleware in getattr(served, "middleware", ()):
        name = getattr(middleware, "__name__", type(middleware).__name__)
        if name not in DEFAULTS:
            yield f"the middleware `{name}` does not run: calls that it denies reach the functions"
    lifespan = getattr(served, "_lifespan", None)
    lifespan = lifespan or getattr(getattr(served, "settings", None), "lifespan", None)
    if lifespan and getattr(lifespan, "__name__", "") != "default_lifespan":
        yield "its lifespan does not run: open what the functions share in `lifespan.py`"
    for key in ("_additional_http_routes", "_custom_starlette_routes"):
        for route in getattr(served, key, ()):
            yield f"the route `{route.path}` was left out"


def rows(served: Any) -> Iterator[dict[str, Any]]:
    """Yield a row for each entry with a function: where it is, or why it cannot be called."""
    for component in components(served):
        function = getattr(component, "fn", None)
        if function is None:
            continue
        function = inspect.unwrap(function)
        kind, key, given = identity(component)
        row: dict[str, Any] = {"kind": kind, "key": key, "python": "", "file": "", "reason": ""}
        row["timeout"] = getattr(component, "timeout", None)
        others = [name for name in parameters(function) if name not in given]
        if getattr(component, "auth", None):
            row["reason"] = "has an `auth` check, which would not run"
        elif others:
            row["reason"] = f"takes `{others[0]}`, which clients do not send"
        elif path := importable(function):
            file = os.path.relpath(inspect.getsourcefile(function) or "")
            is_local = not file.startswith("..") and "site-packages" not in file
            row |= {"python": path, "file": file if is_local else ""}
        else:
            row["reason"] = "has no function that can be imported by name"
        yield row


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
    return "prompts", component.name, {argument.name for argument in component.arguments or ()}


def parameters(function: Callable[..., Any]) -> Iterator[str]:
    """Yield the names of the parameters."""
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            yield parameter.name


def importable(function: Callable[..., Any]) -> str:
    """Return `module:name` of a function, or nothing if that is another object."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    value: Any = sys.modules.get(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    if value is function or (inspect.unwrap(value or function) is function and value is not None):
        return f"{module}:{name}"
    return f"{module}:{name}.fn" if getattr(value, "fn", None) is function else ""


if __name__ == "__main__":
    main(*sys.argv[1:])
