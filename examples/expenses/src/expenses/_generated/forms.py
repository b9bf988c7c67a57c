# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Forms that users fill in: dataclasses, or models of pydantic."""

import dataclasses
from collections.abc import Mapping
from typing import Any, get_type_hints

from jsonschema_rs import is_valid
from pydantic import BaseModel, Field, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


class Form(BaseModel):
    """A form whose schema has no references: clients do not resolve them."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler.resolve_ref_schema(handler(core_schema))
        for name, one in schema.get("properties", {}).items():
            if "items" in one:
                one["items"] = resolved(one["items"], handler)
            title = name.replace("_", " ").title()
            schema["properties"][name] = {"title": title, **resolved(one, handler)}
        return schema


def resolved(schema: JsonSchemaValue, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """Return a schema with the choices that it refers to; their name is no title."""
    own = {key: value for key, value in schema.items() if key != "$ref"}
    if own == schema:
        return schema
    choices = handler.resolve_ref_schema(schema)
    return {key: value for key, value in choices.items() if key != "title"} | own


def model_of(form: type[Any]) -> type[BaseModel]:
    """Return a form as a model, which it may be already."""
    if issubclass(form, BaseModel):
        return form
    kinds = get_type_hints(form)
    asked = [one for one in dataclasses.fields(form) if one.init]
    own: Any = {one.name: (kinds[one.name], field_of(one)) for one in asked}
    return create_model(form.__name__, __base__=Form, **own)


def field_of(field: dataclasses.Field[Any]) -> Any:
    """Return a field of a dataclass for a model. What its `metadata` has is in its schema."""
    words = dict(field.metadata)
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory, json_schema_extra=words)
    default = ... if field.default is dataclasses.MISSING else field.default
    return Field(default, json_schema_extra=words)


def check(schema: dict[str, Any], content: Mapping[str, Any]) -> None:
    """Raise ValueError if an answer does not fit the schema of its form."""
    given = {key: item for key, item in content.items() if item is not None}
    if not is_valid(schema, given):
        raise ValueError(given)
