# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Forms that users fill in: dataclasses, or models of pydantic."""

import dataclasses
from typing import Any, get_type_hints

from pydantic import BaseModel, Field, create_model

LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
}


def model_of(form: type[Any]) -> type[BaseModel]:
    """Return a form as a model, which it may be already."""
    if issubclass(form, BaseModel):
        return form
    kinds = get_type_hints(form)
    own: Any = {
        one.name: (kinds[one.name], field_of(one)) for one in dataclasses.fields(form)
    }
    return create_model(form.__name__, **own)


def field_of(field: dataclasses.Field[Any]) -> Any:
    """Return a field of a dataclass for a model. What its `metadata` has is in its schema."""
    words = dict(field.metadata)
    limits: Any = {LIMITS[key]: words.pop(key) for key in LIMITS.keys() & words.keys()}
    if field.default_factory is not dataclasses.MISSING:
        return Field(
            default_factory=field.default_factory, json_schema_extra=words, **limits
        )
    default = ... if field.default is dataclasses.MISSING else field.default
    return Field(default, json_schema_extra=words, **limits)
