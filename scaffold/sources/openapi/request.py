"""A builder for the request of an operation: its arguments, and where each is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scaffold.format.fields import JsonObject
from scaffold.sources.openapi.names import safe, shortened, unique
from scaffold.sources.openapi.operations import Operation
from scaffold.sources.openapi.schemas import Direction, Schemas
from scaffold.sources.openapi.vocabulary import Json


@dataclass
class Request:
    """A request as it is put together.

    `credentials` are the places and names of parameters that authenticate, in lower case: they are
    no arguments. `properties` and `required` are those of the arguments, `http` is the
    `handler.http` of the tool.
    """

    operation: Operation
    schemas: Schemas
    credentials: frozenset[tuple[str, str]]
    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    http: dict[str, Any] = field(default_factory=dict)

    def input_schema(self, size: int) -> JsonObject:
        """Return the schema of the arguments."""
        schema: dict[str, Any] = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = self.required
        schema["additionalProperties"] = False
        return self.schemas.whole(schema, Direction.INPUT, size)

    def add(self, name: str, place: str, value: Json, required: bool, text: str = "") -> str:
        """Add an argument, and return its name: with a suffix if another has it."""
        wanted = safe(name) or place
        argument = unique(wanted, self.properties)
        if argument != wanted[:64]:
            argument = unique(f"{wanted[: 63 - len(place)]}_{place}", self.properties)
            about = f"`{name}` in the {place} is the argument `{argument}`"
            self.remark(f"{about}, because there is another `{wanted}`")
        if text and isinstance(value, dict) and "description" not in value:
            value = {**value, "description": shortened(text)}
        self.properties[argument] = value
        if required:
            self.required.append(argument)
        return argument

    def remark(self, text: str) -> None:
        """Remember what is not as in the document."""
        self.schemas.document.remark(f"{self.operation.about}: {text}")
