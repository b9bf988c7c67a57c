"""A second opinion on proofs: what the package `jsonschema`, which no server uses, says of a value."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend

from scaffold.schema.index import Index


def _encoding(validator: Any, rule: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Check `contentEncoding` as the servers do; it is an annotation in the package."""
    if rule == "base64" and isinstance(value, str):
        try:
            b64decode(value, validate=True)
        except ValueError as error:
            yield ValidationError(str(error))


def _is_date_time(value: object) -> bool:
    """Check a date and time, which the package does only with another package."""
    return not isinstance(value, str) or ("T" in value and bool(datetime.fromisoformat(value)))


def _is_time(value: object) -> bool:
    """Check a time as RFC 3339 has it: with an offset."""
    return not isinstance(value, str) or time.fromisoformat(value).tzinfo is not None


FORMATS = FormatChecker()
FORMATS.checks("date-time", ValueError)(_is_date_time)
FORMATS.checks("time", ValueError)(_is_time)

VALIDATORS = {
    draft: extend(
        draft,
        {"contentEncoding": _encoding, "dependencies": Draft7Validator.VALIDATORS["dependencies"]},
    )
    for draft in (Draft7Validator, Draft202012Validator)
}


def check(old: Any, new: Any, value: Any, refusal: str | None, *, is_result: bool) -> None:
    """Two validators agree that a value shows what an edit of a tool breaks, and there is a reason.

    Both tools have the schema of arguments, or that of results.
    """
    key = "outputSchema" if is_result else "inputSchema"
    first, second = (new[key], old[key]) if is_result else (old[key], new[key])
    for schema, answer in ((first, True), (second, False)):
        assert Index(schema).validator.is_valid(value) is answer
        assert accepts(schema, value) is answer
    assert refusal


def accepts(schema: Any, value: Any) -> bool:
    """Whether a value fits a schema of a tool."""
    draft = Draft7Validator if "draft-07" in schema.get("$schema", "") else Draft202012Validator
    return bool(VALIDATORS[draft](schema, format_checker=FORMATS).is_valid(value))
