"""Forms that users fill in: dataclasses, or models of pydantic."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Generic, TypeVar, get_type_hints

from mcp.server.elicitation import render_elicitation_schema
from pydantic import BaseModel, Field, create_model

from .catalog import Schema

Form = TypeVar("Form")


class FormOf(Generic[Form]):
    """A form: the schema that a client shows, and the answers that fit it."""

    def __init__(self, form: type[Form]) -> None:
        self.form = form
        self.model = model_of(form)
        whole = render_elicitation_schema(self.model)
        self.schema: dict[str, Any] = {
            "type": "object",
            "properties": whole["properties"],
            "required": whole.get("required", []),
        }

    def filled_in(self, content: Mapping[str, Any]) -> Form:
        """Return an answer as a form. Raises ValueError if it does not fit."""
        given = {key: item for key, item in content.items() if item is not None}
        if faults := Schema(self.schema).faults(given):
            raise ValueError(faults)
        filled = self.model.model_validate(content)
        return filled if isinstance(filled, self.form) else self.form(**vars(filled))


def model_of(form: type[Any]) -> type[BaseModel]:
    """Return a form as a model, which it may be already."""
    if issubclass(form, BaseModel):
        return form
    kinds = get_type_hints(form)
    asked = [one for one in dataclasses.fields(form) if one.init]
    own: Any = {one.name: (kinds[one.name], field_of(one)) for one in asked}
    return create_model(form.__name__, **own)


def field_of(field: dataclasses.Field[Any]) -> Any:
    """Return a field of a dataclass for a model. What its `metadata` has is in its schema."""
    words = dict(field.metadata)
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory, json_schema_extra=words)
    default = ... if field.default is dataclasses.MISSING else field.default
    return Field(default, json_schema_extra=words)
