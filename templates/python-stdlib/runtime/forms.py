"""Forms that users fill in: dataclasses of text, numbers, flags, dates and choices.

A model of pydantic does too, if the server has pydantic.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from .asking import AskingContext, Shared
from .formats import FORMATS
from .protocol import INVALID_PARAMS, MCPError
from .schema import Schema

Form = TypeVar("Form")
TYPES: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    dt.date: {"type": "string", "format": "date"},
    dt.datetime: {"type": "string", "format": "date-time"},
}


class FormContext(AskingContext[Shared]):
    async def elicit(
        self, message: str, form: type[Form], name: str | None = None
    ) -> Form | Literal["decline", "cancel"]:
        """Return the form as the user filled it in, or what the user chose instead.

        A question's name is that of the form, unless another one is given.
        """
        name, schema = name or form.__name__, schema_of(form)
        params = {"message": message, "requestedSchema": schema}
        if self.request.is_modern or self.request.server.version >= "2025-11-25":
            params["mode"] = "form"
        answer = await self.ask("elicitation", "elicitation/create", params, name)
        misfit = f"The answer does not fit the form: {name}"
        match answer.get("action"):
            case "decline":
                return "decline"
            case "cancel":
                return "cancel"
            case "accept":
                content = answer.get("content", {})
                if Schema(schema, FORMATS, {}).faults(content):
                    raise MCPError(INVALID_PARAMS, misfit)
                return form_of(form, content)
        raise self.wrong(misfit)


def schema_of(form: type[Any]) -> dict[str, Any]:
    """Return the schema of a form. What the `metadata` of a field has is in its schema."""
    if hasattr(form, "model_json_schema"):
        return without_null(form.model_json_schema())
    if not is_dataclass(form):
        raise TypeError(f"{form.__name__} is not a dataclass")
    hints, asked = get_type_hints(form), [one for one in fields(form) if one.init]
    has_none = MISSING, None
    return {
        "type": "object",
        "properties": {
            one.name: {
                "title": one.name.replace("_", " ").title(),
                **schema_of_type(hints[one.name]),
                **one.metadata,
                **(
                    {} if one.default in has_none else {"default": as_json(one.default)}
                ),
            }
            for one in asked
        },
        "required": [
            one.name
            for one in asked
            if one.default is MISSING and one.default_factory is MISSING
        ],
    }


def without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a model of pydantic without null, which forms do not have."""
    properties = {}
    for name, part in schema["properties"].items():
        kinds = [one for one in part.get("anyOf", ()) if one != {"type": "null"}]
        is_plain = len(kinds) == 1
        left_out = {"anyOf"} if is_plain else set[str]()
        left_out |= {"default"} if part.get("default", 0) is None else set()
        told = {key: value for key, value in part.items() if key not in left_out}
        properties[name] = {**told, **kinds[0]} if is_plain else told
    needed = schema.get("required", [])
    return {"type": "object", "properties": properties, "required": needed}


def schema_of_type(hint: Any) -> dict[str, Any]:
    hint = present(hint)
    if hint in TYPES:
        return TYPES[hint]
    if get_origin(hint) is list:
        return {"type": "array", "items": schema_of_type(get_args(hint)[0])}
    choices = [*get_args(hint)] if get_origin(hint) is Literal else []
    if isinstance(hint, type) and issubclass(hint, Enum):
        choices = [item.value for item in hint]
    kinds = {type(choice) for choice in choices}
    if len(kinds) == 1 and kinds <= TYPES.keys():
        return {**TYPES[kinds.pop()], "enum": choices}
    raise TypeError(f"a form has no fields of the type {hint}")


def present(hint: Any) -> Any:
    """Return the type of a value that is not None."""
    kinds = [one for one in get_args(hint) if one is not NoneType]
    return kinds[0] if len(kinds) == 1 and NoneType in get_args(hint) else hint


def as_json(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, dt.date) else value


def form_of(form: type[Form], content: Mapping[str, Any]) -> Form:
    """Return a form as the user filled it in, without what was not asked for."""
    if validate := getattr(form, "model_validate", None):
        model: Form = validate(content)
        return model
    hints, kind = get_type_hints(form), cast("Any", form)
    asked = {one.name for one in fields(kind) if one.init}
    given = {key: value for key, value in content.items() if key in asked}
    return form(**{key: read(hints[key], value) for key, value in given.items()})


def read(hint: Any, value: Any) -> Any:
    """Return a valid value as its type."""
    hint = present(hint)
    if get_origin(hint) is list:
        return [read(get_args(hint)[0], item) for item in value]
    if isinstance(hint, type) and issubclass(hint, dt.date):
        return hint.fromisoformat(value.upper())
    is_made = isinstance(hint, type) and (issubclass(hint, Enum) or hint is int)
    return hint(value) if is_made else value
