"""Python as a `View`: what building and renaming a project needs to know about it."""

from __future__ import annotations

from collections.abc import Iterable

from scaffold.project.model import Plain
from scaffold.python import expressions
from scaffold.python.annotations import of_values
from scaffold.python.answers import filled
from scaffold.python.errors import constructor, message_passed_on
from scaffold.python.format import formatted
from scaffold.python.handlers import handlers, named
from scaffold.python.names import attributes, command_name, package_name
from scaffold.python.renames import new_names
from scaffold.python.text import doc, identifier, py
from scaffold.spec.format import Spec, Variable
from scaffold.text import Filters

__all__ = [
    "attributes",
    "command_name",
    "constructor",
    "entry_point",
    "filled",
    "filters",
    "formatted",
    "handlers",
    "literal",
    "message_passed_on",
    "named",
    "new_names",
    "package_name",
    "plain",
    "type_of",
    "unset",
]

filters: Filters = {"py": py, "doc": doc, "identifier": identifier}
entry_point = "__main__.py"


def literal(value: object) -> str:
    """Return the literal of a JSON value, on one line."""
    return str(expressions.literal(value))


def unset(variable: Variable) -> str:
    """Return the value of a variable that is not set; empty if it is required."""
    text = variable.default
    if variable.required:
        return ""
    if text is None:
        return "()" if variable.type == "list" else "None"
    match variable.type:
        case "integer":
            return str(int(text))
        case "number":
            return str(float(text))
        case "boolean":
            return str(text.strip().lower() in ("true", "yes", "on", "1"))
        case "path":
            return f"Path({literal(text)})"
        case "list":
            items = [literal(item.strip()) for item in text.split(",") if item.strip()]
            return f"({', '.join(items)},)" if items else "()"
        case _:
            return literal(text.strip())


def plain(spec: Spec, package: str) -> Plain:
    """Return the code of a server without dependencies."""
    from scaffold.python import plain, vocabulary  # slow to import, and only one pack asks

    definitions = [one for handler in handlers(spec, package) for one in handler.definitions]
    return Plain(
        models=tuple(plain.sources(definitions)),
        patterns=vocabulary.patterns_of(spec),
        formats=vocabulary.has_formats(spec),
    )


def type_of(values: Iterable[object]) -> str:
    """Return the annotation of a value that equals one of these JSON values."""
    return str(of_values(values))
