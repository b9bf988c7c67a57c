"""Forms that users fill in: dataclasses of text, numbers, flags, dates and choices.

A model of pydantic does too, if the server has pydantic.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from .formats import FORMATS
from .model import plain
from .protocol import INVALID_PARAMS, MCPError
from .questions import AskingContext, Shared
from .schema import Schema
from .typed import reader

Form = TypeVar("Form")
FORM_KEYS = ("type", "properties", "required")
TYPES: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    dt.date: {"type": "string", "format": "date"},
    dt.datetime: {"type": "string", "format": "date-time"},
}


class ElicitingContext(AskingContext[Shared]):
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
        rendered = form.model_json_schema()
        rendered["properties"] = {
            name: without_null(part) for name, part in rendered["properties"].items()
        }
        return {key: rendered[key] for key in FORM_KEYS if key in rendered}
    if not is_dataclass(form):
        raise TypeError(f"{form.__name__} is not a dataclass")
    hints, asked = get_type_hints(form), [field for field in fields(form) if field.init]
    needed = [
        field.name
        for field in asked
        if field.default is MISSING and field.default_factory is MISSING
    ]
    properties = {field.name: property_of(field, hints[field.name]) for field in asked}
    return {"type": "object", "properties": properties, "required": needed}


def property_of(field: Field[Any], hint: Any) -> dict[str, Any]:
    title = field.name.replace("_", " ").title()
    schema = {"title": title, **schema_of_type(hint), **field.metadata}
    has_default = field.default is not MISSING and field.default is not None
    return (
        {**schema, "default": plain(getattr(field.default, "value", field.default))}
        if has_default
        else schema
    )


def without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field of pydantic without null, which forms do not have."""
    result = {**schema}
    kinds = [branch for branch in schema.get("anyOf", ()) if branch != {"type": "null"}]
    if len(kinds) == 1:
        del result["anyOf"]
        result |= kinds[0]
    if result.get("default", 0) is None:
        del result["default"]
    return result


def schema_of_type(hint: Any) -> dict[str, Any]:
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    if NoneType in get_args(hint) and len(kinds) == 1:
        return schema_of_type(kinds[0])
    if hint in TYPES:
        return TYPES[hint]
    if get_origin(hint) is list:
        return {"type": "array", "items": schema_of_type(kinds[0])}
    if get_origin(hint) is Literal and len({*map(type, kinds)}) == 1:
        return {**TYPES[type(kinds[0])], "enum": kinds}
    if members := getattr(hint, "__members__", None):
        return {"type": "string", "enum": [member.value for member in members.values()]}
    raise TypeError(f"a form has no fields of the type {hint}")


def form_of(form: type[Form], content: Mapping[str, Any]) -> Form:
    """Return a form as the user filled it in, without what was not asked for."""
    if validate := getattr(form, "model_validate", None):
        model: Form = validate(content)
        return model
    hints, kind = get_type_hints(form), cast("Any", form)
    asked = [each.name for each in fields(kind) if each.init and each.name in content]
    return form(**{name: reader(hints[name])(content[name]) for name in asked})
