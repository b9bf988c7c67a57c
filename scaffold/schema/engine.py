"""The engine that validates values: jsonschema-rs, with the options of the generated servers."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import jsonschema_rs
from jsonschema_rs import ValidationError, Validator
from jsonschema_rs import ValidationErrorKind as Kind

from scaffold.base.diagnostics import FAULTS

VALIDATORS: Mapping[str, Any] = {
    "2020-12": jsonschema_rs.Draft202012Validator,
    "draft-07": jsonschema_rs.Draft7Validator,
}

_MAX_CHARACTERS = 500_000
"""For a longer value, only the first error is reported: the engine keeps all errors in memory."""

_MAX_MESSAGE_LENGTH = 300
"""The maximum length of an error message, which can quote a long value."""


class _ContentEncoding:
    """`contentEncoding`, which the engine itself checks in draft-07 only."""

    def __init__(self, parent_schema: Any, value: Any, schema_path: Any) -> None:
        self.is_base64 = value == "base64"

    def validate(self, instance: Any) -> None:
        if self.is_base64 and isinstance(instance, str):
            b64decode(instance, validate=True)


OPTIONS: dict[str, Any] = {
    "offline": True,
    "validate_formats": True,
    "keywords": {"contentEncoding": _ContentEncoding},
}


def validator(schema: Any) -> Validator:
    """Compile a schema in the dialect of its `$schema`. Raises ValueError if it is not valid."""
    return jsonschema_rs.validator_for(schema, **OPTIONS)


def errors(engine: Validator, value: Any, most: int = FAULTS) -> list[ValidationError]:
    """Return the errors of a value, at most `most`; none if it is valid."""
    if engine.is_valid(value):
        return []
    most = most if len(json.dumps(value)) <= _MAX_CHARACTERS else 1
    if most > 1:
        return list(islice(engine.iter_errors(value), most))
    try:
        engine.validate(value)
    except ValidationError as error:
        return [error]
    return []


def nearest(error: ValidationError) -> list[ValidationError]:
    """Return the errors of the alternative that a value comes closest to.

    The list is empty if the error is not about alternatives, or if none has the type of the value.
    """
    here = len(error.instance_path)

    def is_other(alternative: list[ValidationError]) -> bool:
        """Return whether the alternative is for values of another type or kind."""
        return any(
            isinstance(fault.kind, Kind.Constant)
            or (isinstance(fault.kind, Kind.Type) and len(fault.instance_path) == here)
            for fault in alternative
        )

    alternatives = getattr(error.kind, "context", None) or []
    if not all(alternatives):  # It fits several of `oneOf`.
        return []
    fitting = [alternative for alternative in alternatives if not is_other(alternative)]
    return min(fitting, key=len, default=[])


def values(error: ValidationError) -> list[Any]:
    """Return the values that `enum` or `const` allows, if the error is about one of these."""
    match error.kind:
        case Kind.Constant(expected_value=value):
            return [value]
        case Kind.Enum(options=options):
            return list(options)
    return []


def choices(error: ValidationError) -> tuple[ValidationError, list[Any]] | None:
    """Return an error about the property by which alternatives differ, and all its known values.

    An example is `{kind: triangle}` for circles and squares. The result is None unless each
    alternative refuses the value of the same property.
    """
    alternatives = getattr(error.kind, "context", None) or []
    refused = [{(*e.instance_path,): e for e in some if values(e)} for some in alternatives]
    for path, first in refused[0].items() if refused else ():
        if all(path in errors for errors in refused):
            known = [value for errors in refused for value in values(errors[path])]
            return first, [*{json.dumps(value): value for value in known}.values()]
    return None


def types(error: ValidationError) -> list[str]:
    """Return the types of the alternatives, if the value fails only because of its type."""
    names: list[str] = []
    for alternative in getattr(error.kind, "context", ()):
        here = [fault.kind for fault in alternative if fault.instance_path == error.instance_path]
        refused = [types for kind in here if isinstance(kind, Kind.Type) for types in kind.types]
        if not refused:
            return []
        names += refused
    return names


def properties(error: ValidationError) -> list[str]:
    """Return the names of the properties that are missing, or that are not allowed."""
    match error.kind:
        case Kind.Required(property=name):
            return [name]
        case Kind.AdditionalProperties(unexpected=names):
            return list(names)
    return []


def message(error: ValidationError) -> str:
    """Return the engine's message, without the middle of a long one."""
    text, half = error.message, _MAX_MESSAGE_LENGTH // 2
    return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[:half]} … {text[-half:]}"


def lines(errors: Iterable[ValidationError]) -> list[str]:
    """Return a line for each error, such as `/day: …`; for alternatives, those of the closest."""
    texts: dict[str, None] = {}
    for error in errors:
        if inner := nearest(error):
            texts |= dict.fromkeys(lines(inner))
        else:
            texts[f"/{'/'.join(map(str, error.instance_path))}: {message(error)}"] = None
    return list(texts)
