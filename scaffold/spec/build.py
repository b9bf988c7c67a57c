"""A document whose shape is right as a Spec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from scaffold.files import RelPath
from scaffold.spec.model import (
    Auth,
    Bearer,
    CacheHint,
    DomainError,
    Example,
    Http,
    Icon,
    JsonObject,
    Prompt,
    PromptArgument,
    PromptMessage,
    Resource,
    ResourceTemplate,
    Spec,
    Tool,
    Transport,
    Variable,
)
from scaffold.spec.placeholders import placeholders

T = TypeVar("T")

UNSENT = {
    "tools": frozenset({"errors", "timeout", "examples", "renamedFrom"}),
    "resources": frozenset({"text", "file", "renamedFrom"}),
    "resourceTemplates": frozenset({"renamedFrom"}),
    "prompts": frozenset({"messages", "renamedFrom"}),
}
"""The keys of each kind of entry that are for the generator and do not go out."""


def build(value: JsonObject) -> Spec:
    """The Spec of a document's value; that it fits the format has been checked before."""
    auth = value.get("auth")
    return Spec(
        name=value["name"],
        version=value["version"],
        title=value.get("title"),
        description=value.get("description"),
        instructions=value.get("instructions"),
        website_url=value.get("websiteUrl"),
        icons=_each(value, "icons", _icon),
        transports=_each(value, "transports", Transport) or (Transport.STDIO,),
        http=Http(**value.get("http", {})),
        auth=auth and Auth(bearer=Bearer(env=auth["bearer"]["env"])),
        env=_each(value, "env", _variable),
        errors=_each(value, "errors", _error),
        tools=_each(value, "tools", _tool),
        resources=_each(value, "resources", _resource),
        resource_templates=_each(value, "resourceTemplates", _resource_template),
        prompts=_each(value, "prompts", _prompt),
        capabilities=value.get("capabilities", {}),
        client_capabilities=frozenset(value.get("clientCapabilities", {})),
        cache=tuple(_cache_hint(*item) for item in value.get("cache", {}).items()),
        ignored=frozenset(value.get("lint", {}).get("ignore", ())),
    )


def _tool(value: JsonObject) -> Tool:
    return Tool(
        **_entry(value, "tools"),
        input_schema=value["inputSchema"],
        output_schema=value.get("outputSchema"),
        annotations=value.get("annotations", {}),
        errors=tuple(value.get("errors", ())),
        timeout=value.get("timeout"),
        examples=_each(value, "examples", _example),
    )


def _example(value: JsonObject) -> Example:
    return Example(
        name=value["name"],
        arguments=value.get("arguments", {}),
        is_error=value.get("isError", False),
    )


def _resource(value: JsonObject) -> Resource:
    return Resource(
        **_entry(value, "resources"),
        uri=value["uri"],
        mime_type=value.get("mimeType"),
        size=value.get("size"),
        annotations=value.get("annotations", {}),
        text=value.get("text"),
        file=RelPath(value["file"]) if "file" in value else None,
    )


def _resource_template(value: JsonObject) -> ResourceTemplate:
    return ResourceTemplate(
        **_entry(value, "resourceTemplates"),
        uri_template=value["uriTemplate"],
        mime_type=value.get("mimeType"),
        annotations=value.get("annotations", {}),
    )


def _prompt(value: JsonObject) -> Prompt:
    return Prompt(
        **_entry(value, "prompts"),
        arguments=_each(value, "arguments", lambda argument: PromptArgument(**argument)),
        messages=_each(value, "messages", _message) if "messages" in value else None,
    )


def _message(value: JsonObject) -> PromptMessage:
    content = value["content"]
    block = {"type": "text", "text": content} if isinstance(content, str) else content
    return PromptMessage(role=value["role"], content=block)


def _variable(value: JsonObject) -> Variable:
    return Variable(**{**value, "required": value.get("required", True) and "default" not in value})


def _error(value: JsonObject) -> DomainError:
    return DomainError(**value, fields=placeholders(value["message"]))


def _cache_hint(method: str, value: JsonObject) -> CacheHint:
    return CacheHint(
        method=method,
        ttl_ms=value.get("ttlMs", 0),
        scope=value.get("cacheScope", "private"),
    )


def _icon(value: JsonObject) -> Icon:
    return Icon(
        src=value["src"],
        mime_type=value.get("mimeType"),
        sizes=tuple(value.get("sizes", ())),
        theme=value.get("theme"),
    )


def _entry(value: JsonObject, kind: str) -> dict[str, Any]:
    """What all kinds of entry have."""
    return {
        "wire": {key: part for key, part in value.items() if key not in UNSENT[kind]},
        "name": value["name"],
        "title": value.get("title"),
        "description": value.get("description"),
        "icons": _each(value, "icons", _icon),
        "renamed_from": value.get("renamedFrom"),
    }


def _each(value: JsonObject, key: str, of: Callable[[Any], T]) -> tuple[T, ...]:
    return tuple(of(item) for item in value.get(key, ()))
