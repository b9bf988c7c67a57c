"""Forms that the user fills in: dataclasses, or models of pydantic."""

import dataclasses
from typing import Any, Literal, Self, TypeVar, get_type_hints

import mcp_types as types
from mcp.server.elicitation import render_elicitation_schema
from pydantic import BaseModel, Field, create_model, model_validator

from .handlers import Shared
from .questions import AskingContext
from .schema import Schema

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

        def filled(answer: types.ElicitResult) -> Form:
            given = (answer.content or {}).items()
            content = {key: value for key, value in given if value is not None}
            if faults := Schema(schema).faults(content):
                raise ValueError(faults)
            values = model.model_validate(content)
            return values if isinstance(values, form) else form(**vars(values))

        class FormResult(types.ElicitResult):
            """An answer whose values fit, whoever reads it."""

            @model_validator(mode="after")
            def fits(self) -> Self:
                if self.action == "accept":
                    filled(self)
                return self

        answer = await self.ask("elicitation", name, question, FormResult)
        return filled(answer) if answer.action == "accept" else answer.action


def model_of(form: type[Any]) -> type[BaseModel]:
    """Return a form as a model; what the `metadata` of a field has is in its schema."""
    if issubclass(form, BaseModel):
        return form
    kinds = get_type_hints(form)
    asked = [field for field in dataclasses.fields(form) if field.init]
    own: Any = {field.name: (kinds[field.name], field_of(field)) for field in asked}
    return create_model(form.__name__, **own)


def field_of(field: dataclasses.Field[Any]) -> Any:
    extra = dict(field.metadata)
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory, json_schema_extra=extra)
    default = ... if field.default is dataclasses.MISSING else field.default
    return Field(default, json_schema_extra=extra)
