"""Media types as documents name them: some are ranges such as `*/*`, and some are none at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scaffold.format.http_handler import is_json
from scaffold.sources.openapi.document import Part
from scaffold.sources.openapi.vocabulary import is_binary

_NAME = "[A-Za-z0-9!#$&^_.+-]+"
_NAMED = re.compile(rf"({_NAME}/{_NAME})(\s*;\s*[^\s;=]+=([^\s;\"]+|\"[^\"]*\"))*")


def named(media_type: str) -> str | None:
    """Return a media type that a request can name, None if it is a range or no media type."""
    return media_type.strip() if _NAMED.fullmatch(media_type.strip()) else None


def kind_of(media_type: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def has_json(media_type: str, content: Part) -> bool:
    """Return whether a body is JSON: a range is if its schema is not that of a text."""
    if named(media_type):
        return is_json(media_type)
    if kind_of(media_type).endswith("json"):
        return True
    return bool(content.at("schema").value) and content.at("schema", "type").value != "string"


def first(contents: Iterable[tuple[str, Part]]) -> str:
    """Return the media type of a body that is not JSON; for a range, that of a text or of bytes."""
    kinds = [*contents]
    for media_type, _ in kinds:
        if kind := named(media_type):
            return kind
    is_bytes = any(is_binary(content.at("schema").value) for _, content in kinds)
    return "application/octet-stream" if is_bytes else "text/plain"
