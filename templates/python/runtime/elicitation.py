"""Forms that the user fills in: dataclasses, or models of pydantic."""

import dataclasses
from typing import Any, Literal, TypeVar, get_type_hints

import mcp_types as types
from mcp.server.elicitation import render_elicitation_schema
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, Field, create_model

from .catalog import Schema
from .handlers import Shared
from .questions import AskingContext

Form = TypeVar("Form")

FORM_KEYS = ("type", "properties", "required")


class ElicitingContext(AskingContext[Shared]):
    """A context that can ask the user to fill in a form."""

    async def elicit(
        self, message: str, form: type[Form], name: str | None = None
    ) -> Form | Literal["decline", "cancel"]:
        """Ask the user to fill in a form: text, numbers, flags and choices.

        Return the form as it was filled in, or what the user chose instead. The name of
        the question is that of the form, unless `name` is given.
        """
        name, model = name or form.__name__, model_of(form)
        rendered = render_elicitation_schema(model)
        schema = {key: rendered[key] for key in FORM_KEYS if key in rendered}
        params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
        question = types.ElicitRequest(params=params)
        answer = await self.ask("elicitation", name, question, types.ElicitResult)
        if answer.action != "accept":
            return answer.action
        content = {
            key: value
            for key, value in (answer.content or {}).items()
            if value is not None
        }
        try:
            if faults := Schema(schema).faults(content):
                raise ValueError(faults)
            filled = model.model_validate(content)
            return filled if isinstance(filled, form) else form(**vars(filled))
        except ValueError:
            wrong = f"The answer does not fit the form: {name}"
            raise MCPError(types.INVALID_PARAMS, wrong) from None


def model_of(form: type[Any]) -> type[BaseModel]:
    """Return a form as a model; what the `metadata` of a field has is in its schema."""
    if issubclass(form, BaseModel):
        return form
    kinds = get_type_hints(form)
    asked = [one for one in dataclasses.fields(form) if one.init]
    own: Any = {one.name: (kinds[one.name], field_of(one)) for one in asked}
    return create_model(form.__name__, **own)


def field_of(field: dataclasses.Field[Any]) -> Any:
    extra = dict(field.metadata)
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory, json_schema_extra=extra)
    default = ... if field.default is dataclasses.MISSING else field.default
    return Field(default, json_schema_extra=extra)
