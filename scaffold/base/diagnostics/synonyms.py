"""Words from other tools and languages, with their equivalents in the spec and in JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

KEYS: Mapping[str, tuple[str, ...]] = {
    "desc": ("description",),
    "help": ("description",),
    "summary": ("description",),
    "doc": ("description",),
    "docs": ("description",),
    "label": ("title",),
    "displayname": ("title",),
    "id": ("name",),
    "parameters": ("inputSchema", "arguments"),
    "params": ("inputSchema", "arguments"),
    "args": ("arguments", "inputSchema"),
    "arguments": ("inputSchema",),
    "input": ("inputSchema",),
    "inputschema": ("arguments",),
    "inputs": ("inputSchema",),
    "schema": ("inputSchema",),
    "output": ("outputSchema",),
    "outputs": ("outputSchema",),
    "result": ("outputSchema",),
    "response": ("outputSchema",),
    "returns": ("outputSchema",),
    "hints": ("annotations",),
    "functions": ("tools",),
    "url": ("uri", "websiteUrl"),
    "path": ("uri", "file"),
    "content": ("text",),
    "contenttype": ("mimeType",),
    "template": ("messages", "uriTemplate"),
    "environment": ("env",),
    "variables": ("env",),
    "min": ("minimum", "minLength", "minItems"),
    "max": ("maximum", "maxLength", "maxItems"),
    "regex": ("pattern",),
    "regexp": ("pattern",),
    "values": ("enum",),
    "options": ("enum",),
    "choices": ("enum",),
    "example": ("examples",),
    "elements": ("items",),
    "fields": ("properties",),
    "props": ("properties",),
    "property": ("properties",),
}
"""The keys that a key in lower case may stand for, the likeliest first."""

VALUES: Mapping[str, tuple[str, ...]] = {
    "http": ("streamable-http",),
    "https": ("streamable-http",),
    "streamable": ("streamable-http",),
    "shttp": ("streamable-http",),
    "eventsource": ("sse",),
    "local": ("stdio",),
    "stdout": ("stdio",),
    "human": ("user",),
    "ai": ("assistant",),
    "model": ("assistant",),
}
"""The values that a value in lower case may stand for."""

TYPES: Mapping[str, tuple[str, ...]] = {
    word: (name,)
    for name, words in {
        "string": "str text char file",
        "integer": "int long",
        "number": "float double decimal",
        "boolean": "bool",
        "array": "list tuple set",
        "object": "dict map mapping record struct",
        "null": "none nil undefined",
    }.items()
    for word in words.split()
}
"""The JSON Schema type for the name of a type in another language."""

FORMATS: Mapping[str, str] = {
    "date": "date",
    "time": "time",
    "datetime": "date-time",
    "date-time": "date-time",
    "uuid": "uuid",
    "email": "email",
    "url": "uri",
    "uri": "uri",
}
"""The string format for names that JSON Schema does not have as types."""


LIST = re.compile(r"(?i)(?:array|list)(?: of |[<\[(])(\w+)[>\])]?|(\w+)\[\]")
"""A type of lists in another language: `string[]`, `list[str]`, `array<string>`."""


def meant(word: str, synonyms: Mapping[str, tuple[str, ...]], known: Container[str]) -> str | None:
    """Return the known word that another word stands for, or None."""
    folded = word.lower().replace("_", "").replace("-", "")
    return next((synonym for synonym in synonyms.get(folded, ()) if synonym in known), None)
