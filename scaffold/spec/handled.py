"""The entries of a spec that have handlers, with the schemas of arguments and results."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from scaffold.schema.index import Index
from scaffold.spec.fields import JsonObject
from scaffold.spec.format import Entry, Prompt, Spec
from scaffold.spec.rules.entries import EXPRESSION


class Handled(Struct, frozen=True, kw_only=True):
    """An entry that has a handler.

    `kind` is `tool`, `resource` or `prompt`; resource templates are `resource` too. `about` is the
    wire name, URI or URI template of the entry. `arguments` and `result` are schemas.
    """

    kind: str
    about: str
    entry: Entry
    arguments: Index | None = None
    result: Index | None = None


def handled(spec: Spec) -> Iterator[Handled]:
    """Yield all entries without static content, in the spec's order."""
    for tool in spec.tools:
        yield Handled(
            kind="tool",
            about=tool.name,
            entry=tool,
            arguments=tool.arguments,
            result=tool.result,
        )
    for resource in spec.resources:
        if not resource.is_static:
            yield Handled(kind="resource", about=resource.uri, entry=resource)
    for template in spec.resource_templates:
        yield Handled(
            kind="resource",
            about=template.uri_template,
            entry=template,
            arguments=Index.of(_uri_variables(template.uri_template)),
        )
    for prompt in spec.prompts:
        if not prompt.is_static:
            yield Handled(
                kind="prompt",
                about=prompt.name,
                entry=prompt,
                arguments=Index.of(prompt_arguments(prompt)),
            )


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
