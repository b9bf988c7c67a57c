"""Words from other tools and languages, with their equivalents in the spec and in JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping


def _by_word(words: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Return the known words that each word may stand for: the keys of those that list it."""
    return {word: tuple(known.split()) for known, some in words.items() for word in some.split()}


KEYS = _by_word(
    {
        "description": "desc help summary doc docs",
        "title": "label displayname",
        "name": "id",
        "inputSchema arguments": "parameters params",
        "arguments inputSchema": "args",
        "inputSchema": "arguments input inputs schema",
        "arguments": "inputschema",
        "outputSchema": "output outputs result response returns",
        "annotations": "hints",
        "tools": "functions",
        "uri websiteUrl": "url",
        "uri file": "path",
        "text": "content",
        "mimeType": "contenttype",
        "messages uriTemplate": "template",
        "env": "environment variables",
        "minimum minLength minItems": "min",
        "maximum maxLength maxItems": "max",
        "pattern": "regex regexp",
        "enum": "values options choices",
        "examples": "example",
        "items": "elements",
        "properties": "fields props property",
    }
)
"""The keys that a key in lower case may stand for, the likeliest first."""

VALUES = _by_word(
    {
        "streamable-http": "http https streamable shttp",
        "sse": "eventsource",
        "stdio": "local stdout",
        "user": "human",
        "assistant": "ai model",
    }
)
"""The values that a value in lower case may stand for."""

TYPES = _by_word(
    {
        "string": "str text char file",
        "integer": "int long",
        "number": "float double decimal",
        "boolean": "bool",
        "array": "list tuple set",
        "object": "dict map mapping record struct",
        "null": "none nil undefined",
    }
)
"""The JSON Schema type for the name of a type in another language."""

FORMATS = _by_word(
    {
        "date": "date",
        "time": "time",
        "date-time": "datetime",
        "uuid": "uuid",
        "email": "email",
        "uri": "url uri",
    }
)
"""The string format for names that JSON Schema does not have as types."""

LIST = re.compile(r"(?i)(?:array|list)(?: of |[<\[(])(\w+)[>\])]?|(\w+)\[\]")
"""A type of lists in another language: `string[]`, `list[str]`, `array<string>`."""


def meant(word: str, synonyms: Mapping[str, tuple[str, ...]], known: Container[str]) -> str | None:
    """Return the known word that another word stands for, or None."""
    folded = word.lower().replace("_", "").replace("-", "")
    return next((synonym for synonym in synonyms.get(folded, ()) if synonym in known), None)
