"""The entries of a spec that have handlers, and the schemas of what these get."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.format.fields import JsonObject
from scaffold.format.rules.entries import EXPRESSION
from scaffold.format.spec import Entry, Prompt, ResourceTemplate, Spec, Tool
from scaffold.schema.index import Index


def handled(spec: Spec) -> Iterator[Entry]:
    """Yield all entries without static content, in the spec's order."""
    for entries in spec.entries.values():
        yield from (entry for entry in entries if not entry.is_static)


def arguments(entry: Entry) -> Index | None:
    """Return the schema of the arguments of an entry's handler; None if it gets none."""
    match entry:
        case Tool():
            return entry.arguments
        case ResourceTemplate():
            return Index(_uri_variables(entry.uri_template))
        case Prompt():
            return Index(prompt_arguments(entry))
    return None


def _uri_variables(template: str) -> JsonObject:
    """Return the schema of the variables of a URI template (RFC 6570).

    Variables are strings or lists of strings. Query variables are optional.
    """
    properties: dict[str, JsonObject] = {}
    required: list[str] = []
    for operator, variables in EXPRESSION.findall(template):
        for variable in variables.split(","):
            name = variable.removesuffix("*")
            text = {"type": "string"}
            properties[name] = {"type": "array", "items": text} if variable[-1:] == "*" else text
            if operator not in ("?", "&"):
                required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def prompt_arguments(prompt: Prompt) -> JsonObject:
    """Return the schema of a prompt's arguments, which are strings."""
    properties = {
        a.name: {"type": "string", **({"description": a.description} if a.description else {})}
        for a in prompt.arguments
    }
    required = [argument.name for argument in prompt.arguments if argument.required]
    return {"type": "object", "properties": properties, "required": required}
