"""The responses of an operation: a schema of the result, and errors by status."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import chain, count
from typing import Any

from scaffold.format.fields import JsonObject
from scaffold.languages.registry import is_taken
from scaffold.sources.openapi.body import first_media_type, has_json
from scaffold.sources.openapi.document import BrokenError, Part
from scaffold.sources.openapi.names import camel, sentence
from scaffold.sources.openapi.operations import Operation
from scaffold.sources.openapi.schemas import Direction, Schemas

_WORDS = 5
"""The maximum words of a description that an error is named after."""

_RESERVED = ("ToolError", "ApiError", "ResourceNotFound", "Context")


@dataclass
class Errors:
    """The errors of all operations: one class for each message, if its name is free."""

    messages: dict[str, str] = field(default_factory=dict)

    def name(self, status: str, description: str) -> str:
        """Return the name of the error for a status with this description."""
        phrase = _phrase(status)
        message = sentence(description) or phrase
        message = message[0].upper() + message[1:]
        is_short = 1 < len(message.split()) <= _WORDS and message.isascii() and len(message) <= 48
        name = camel(message) if is_short and message[0].isalpha() else camel(phrase)
        if is_taken(name) or name in _RESERVED:
            name += "Response"
        ends = chain(("", status.capitalize()), map(str, count(2)))
        return next(
            name + end for end in ends if self.messages.setdefault(name + end, message) == message
        )

    def entries(self, used: set[str]) -> list[JsonObject]:
        """Return the errors of a spec, those in `used`."""
        return [
            {"name": name, "message": message.replace("{", "{{").replace("}", "}}")}
            for name, message in self.messages.items()
            if name in used
        ]


def _phrase(status: str) -> str:
    try:
        return HTTPStatus(int(status)).phrase
    except ValueError:
        return {"4XX": "Client error", "5XX": "Server error"}.get(status, "Unexpected error")


def errors_of(operation: Operation, schemas: Schemas, errors: Errors) -> dict[str, str]:
    """Return the names of the errors of an operation, by status."""
    names: dict[str, str] = {}
    responses = [*_responses(operation, schemas)]
    has_success = any(status.startswith(("2", "3")) for status, _ in responses)
    for status, part in responses:
        is_error = re.fullmatch("[45]([0-9][0-9]|XX)", status)
        if is_error or (status == "default" and has_success):
            names[status] = errors.name(status, part.text("description"))
    return names


def result_of(
    operation: Operation, schemas: Schemas, size: int
) -> tuple[JsonObject | None, JsonObject | None]:
    """Return the `outputSchema` of an operation and the `handler.http.response` of its tool."""
    responses = [*_responses(operation, schemas)]
    answers = [part for status, part in responses if status.startswith("2")]
    redirects = any(re.fullmatch("30[12378]|3XX", status) for status, _ in responses)
    if not answers and not redirects:
        answers = [part for status, part in responses if status == "default"]
    contents = [dict(part.items("content")) for part in answers]
    found = (
        [media.at("schema") for kind, media in content.items() if has_json(kind, media)]
        for content in contents
    )
    parts = [json_schemas[0] for json_schemas in found if json_schemas and json_schemas[0].value]
    if not parts:
        kinds = [item for content in contents for item in content.items()]
        if redirects and not kinds:
            return None, {"redirect": True}
        is_json = any(has_json(*item) for item in kinds)
        media_type = "application/json" if is_json else first_media_type(kinds)
        return None, {"mediaType": media_type} if kinds else None
    schema, key = _result(parts, len(parts) == len(contents), schemas)
    response = {"property": key} if key else None
    return schemas.whole(schema, Direction.OUTPUT, size), response


def _result(parts: list[Part], always: bool, schemas: Schemas) -> tuple[JsonObject, str]:
    """Return the schema of the result, and the property that holds the body if it is no object."""
    alternatives = {str(part.value): part for part in parts}
    if len(alternatives) == 1 and always:
        whole = schemas.inlined(parts[0], Direction.OUTPUT)
        if isinstance(whole, dict) and (object_ := _object(whole)):
            return object_, ""
    converted = [schemas.convert(part, Direction.OUTPUT) for part in alternatives.values()]
    value = {"anyOf": converted} if len(converted) > 1 else converted[0]
    wrapped: dict[str, Any] = {"type": "object", "properties": {"result": value}}
    if always:
        wrapped["required"] = ["result"]
    return wrapped, "result"


def _object(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return a schema whose `type` is `object`, if all that it allows are objects."""
    if "anyOf" in schema or "oneOf" in schema:
        return None
    if schema.get("type") == "object":
        return schema
    if "type" not in schema and "properties" in schema:
        return {"type": "object", **schema}
    return None


def _responses(operation: Operation, schemas: Schemas) -> Iterator[tuple[str, Part]]:
    """Yield the responses by status."""
    for status, part in operation.part.items("responses"):
        try:
            yield status.upper() if status != "default" else status, schemas.document.followed(part)
        except BrokenError as error:
            schemas.document.fault(str(error))
