"""Settings, which are read from environment variables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


def integer(text: str) -> int:
    return int(text)


def number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def boolean(text: str) -> bool:
    text = text.strip().lower()
    if text not in ("true", "yes", "on", "1", "false", "no", "off", "0"):
        raise ValueError
    return text in ("true", "yes", "on", "1")


def url(text: str) -> str:
    from urllib.parse import urlsplit  # Takes long to import.

    parts = urlsplit(text.strip())
    if not (parts.scheme and parts.hostname and parts.port != 0):
        raise ValueError
    return text.strip()


def header(text: str) -> str:
    """A credential as a header can hold it."""
    if not (text.isascii() and text.isprintable() and text == text.strip()):
        raise ValueError
    return text


def items(text: str) -> tuple[str, ...]:
    """Return the items of a list that is separated by commas."""
    return tuple(item.strip() for item in text.split(",") if item.strip())


KINDS: Mapping[Callable[[str], Any], str] = {
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    url: "a URL",
    header: "ASCII text on one line",
}


class Variable(NamedTuple):
    """An environment variable; an empty one counts as not set."""

    name: str
    parse: Callable[[str], Any] = str
    default: str | None = None
    is_required: bool = False


def read(
    variables: Mapping[str, Variable], environ: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values of variables. Raises SettingsError, which names all that are wrong."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for attribute, one in variables.items():
        text = environ.get(one.name, "").strip() or one.default
        if text is None and one.is_required:
            faults.append(f"{one.name} is not set")
        elif text is None:
            values[attribute] = () if one.parse is items else None
        else:
            try:
                values[attribute] = one.parse(text)
            except ValueError:
                faults.append(f"{one.name}: it must be {KINDS.get(one.parse)}")
    if faults:
        raise SettingsError("; ".join(faults))
    return values
