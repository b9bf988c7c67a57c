"""The catalog: JSON from which the generated server answers lists and static content."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic_core import to_json

from scaffold.files import RelPath
from scaffold.jsonschema.invalid import invalid_arguments
from scaffold.spec.entries import Example
from scaffold.spec.fields import JsonObject
from scaffold.spec.format import Resource, Spec, Tool
from scaffold.text import json_visible

_INFO = ("name", "version", "title", "description", "websiteUrl", "icons")
"""The keys of the spec that belong to MCP's Implementation."""


def catalog(spec: Spec, attached: Mapping[RelPath, str]) -> str:
    """Return the catalog as JSON text. Its lists hold the objects of the spec, unchanged.

    Keys: `serverInfo` (MCP's Implementation), `instructions`, declared `capabilities`; the lists
    `tools`, `resources`, `resourceTemplates`, `prompts`; `contents` of static resources by URI;
    `messages` of static prompts by name; `examples` of tools in the order of the spec, and for each
    tool `invalid` arguments. Empty keys are left out, but a server with resources or
    resource templates always has both lists.
    """
    whole: dict[str, object] = {
        "serverInfo": {key: spec.written[key] for key in _INFO if spec.written.get(key)},
        "instructions": spec.instructions,
        "capabilities": _capabilities(spec) if spec.written.get("capabilities") else None,
        "tools": [tool.wire for tool in spec.tools],
        "resources": [resource.wire for resource in spec.resources],
        "resourceTemplates": [template.wire for template in spec.resource_templates],
        "prompts": [prompt.wire for prompt in spec.prompts],
        "contents": {r.uri: _contents(r, attached) for r in spec.resources if r.is_static},
        "messages": {
            prompt.name: [{"role": m.role, "content": m.block} for m in prompt.messages]
            for prompt in spec.prompts
            if prompt.messages is not None
        },
        "examples": [_example(tool, one) for tool in spec.tools for one in tool.examples],
        "invalid": {
            tool.name: arguments
            for tool in spec.tools
            if (arguments := invalid_arguments(tool.arguments)) is not None
        },
    }
    kept = {"resources", "resourceTemplates"} if spec.resources or spec.resource_templates else ()
    used = {key: value for key, value in whole.items() if value or key in kept}
    return json_visible(to_json(used, indent=2).decode())


def _capabilities(spec: Spec) -> JsonObject:
    """Return the capabilities to announce: those in use, and those declared in the spec."""
    has = {
        "tools": spec.tools,
        "resources": spec.resources or spec.resource_templates,
        "prompts": spec.prompts,
    }
    return {
        **{kind: {} for kind, entries in has.items() if entries},
        **spec.written["capabilities"],
    }


def _example(tool: Tool, example: Example) -> JsonObject:
    """Return an example as `client.py` and the tests tell it."""
    answers = example.answers
    asked = {
        "elicitation": answers and answers.elicitation,
        "sampling": answers and answers.sampling,
    }
    given = {key: list(value) for key, value in asked.items() if value}
    return {
        "tool": tool.name,
        "name": example.name,
        "arguments": dict(example.arguments),
        **({"answers": given} if given else {}),
        **({"isError": True} if example.is_error else {}),
    }


def _contents(resource: Resource, attached: Mapping[RelPath, str]) -> JsonObject:
    text = resource.text if resource.path is None else attached[resource.path]
    contents = {"uri": resource.uri, "mimeType": resource.mime_type, "text": text}
    return {key: value for key, value in contents.items() if value is not None}
