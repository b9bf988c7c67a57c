"""The JSON Schema of the format, for error messages and editors."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from pydantic_core import core_schema as core

from scaffold.format.spec import LISTS, Item, Spec

_HEAD = {
    "$schema": "http://json-schema.org/draft-07/schema#",  # The newest that SchemaStore accepts.
    "$id": "https://www.schemastore.org/mcp-scaffold.json",
    "title": "mcp-scaffold spec, format 1",
}

_LAST = ("_meta", "renamedFrom")
"""Rarely used keys, which editors offer last."""


class _Generator(GenerateJsonSchema):
    """A generator that leaves out parts that people would not write by hand."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core.WithDefaultSchema) -> dict[str, Any]:
        default = schema.get("default")
        if default == () or not isinstance(default, str | int | tuple):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)

    def nullable_schema(self, schema: core.NullableSchema) -> dict[str, Any]:
        """A key can be absent, which is None in the model, but not null."""
        return self.generate_inner(schema["schema"])

    def literal_schema(self, schema: core.LiteralSchema) -> dict[str, Any]:
        return {"enum": schema["expected"]}

    def enum_schema(self, schema: core.EnumSchema) -> dict[str, Any]:
        return {"enum": [member.value for member in schema["members"]]}

    def sort(self, value: Any, parent_key: str | None = None) -> Any:
        return value

    def model_schema(self, schema: core.ModelSchema) -> dict[str, Any]:
        written = super().model_schema(schema)
        properties = written.get("properties", {})
        written["properties"] = dict(sorted(properties.items(), key=lambda item: item[0] in _LAST))
        first = {"description": written["description"], "type": "object"}
        return first | {key: part for key, part in written.items() if key != "title"}


@cache
def json_schema() -> dict[str, Any]:
    """Return the schema as a JSON value, in draft-07. Do not mutate it."""
    models: list[type[Item]] = [Spec, *LISTS.values()]
    _, written = models_json_schema(
        [(model, "validation") for model in models],
        schema_generator=_Generator,
        ref_template="#/definitions/{model}",
    )
    definitions = dict(sorted(written["$defs"].items()))
    schema: dict[str, Any] = definitions.pop(Spec.__name__)
    for key, model in LISTS.items():
        schema["properties"][key]["items"] = {"$ref": f"#/definitions/{model.__name__}"}
    return _HEAD | schema | {"definitions": definitions}


def schema_text() -> str:
    """Return the schema as text, as `mcp-scaffold schema` prints it."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
