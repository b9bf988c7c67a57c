"""Checks of arguments and results: Python functions that are made from JSON Schemas.

A function yields what is wrong with a value, in the words and the order of the pack `python`; one
that yields nothing has found the value valid. There is a function for each schema, for each part
of it that is recursive, shared or large, and for each that only decides about others.
"""

from __future__ import annotations

from scaffold.project.model import Checks
from scaffold.python.expressions import quoted
from scaffold.python.names import identifiers
from scaffold.python.validators.module import Module
from scaffold.python.validators.writer import write
from scaffold.spec.format import Spec

__all__ = ["checks"]


def checks(spec: Spec) -> Checks:
    """Return the checks of all tools."""
    module = Module()
    names = identifiers((tool.name for tool in spec.tools), "tool")
    arguments: list[str] = []
    results: list[str] = []
    for tool in spec.tools:
        name = names[tool.name].function
        arguments.append(f"{quoted(tool.name)}: {write(module, name, tool.arguments)}")
        if tool.result:
            made = write(module, f"{name}_result", tool.result)
            results.append(f"{quoted(tool.name)}: {made}")
    return Checks(
        functions=tuple(module.functions),
        arguments=tuple(arguments),
        results=tuple(results),
        uses=frozenset(module.uses),
        formats=frozenset(module.formats),
    )
