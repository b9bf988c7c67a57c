"""Settings, which the server reads from environment variables."""

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Self
from urllib.parse import urlsplit

from .command import SettingsError


def variable(
    name: str,
    parse: Callable[[str], Any] = str,
    *,
    default: str | None = None,
    required: bool = False,
    secret: bool = False,
) -> Any:
    """Return the field of a variable: `default` is a text, as the variable would have it.

    Without one, the value is None if the variable is not set, or an empty list.
    """
    about = {"name": name, "parse": parse, "required": required, "secret": secret}
    value = parse(default or "") if default or parse is items else None
    missing = MISSING if required else value
    return field(default=missing, repr=not secret, metadata=about)


@dataclass(frozen=True)
class EnvironmentSettings:
    """The variables that the spec declares. An empty one counts as not set."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read the variables. Raises SettingsError, which names all that are wrong."""
        values: dict[str, Any] = {}
        faults: list[str] = []
        for one in fields(cls):
            name, text = one.metadata["name"], environ.get(one.metadata["name"])
            if not text:
                if one.metadata["required"]:
                    faults.append(f"{name} is not set")
                continue
            try:
                values[one.name] = one.metadata["parse"](text)
            except ValueError as error:
                given = "" if one.metadata["secret"] else f", not {text!r:.80}"
                faults.append(f"{name} must be {error}{given}")
        if faults:
            raise SettingsError("; ".join(faults))
        return cls(**values)


def integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("a whole number") from None


def number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError("a number")
    return value


def boolean(text: str) -> bool:
    text = text.strip().lower()
    if text not in ("true", "yes", "on", "1", "false", "no", "off", "0"):
        raise ValueError("true or false")
    return text in ("true", "yes", "on", "1")


def url(text: str) -> str:
    text = text.strip()
    try:
        parts = urlsplit(text)
        is_url = parts.scheme and parts.hostname and parts.port != 0
    except ValueError:
        is_url = False
    if not is_url:
        raise ValueError("a URL")
    return text


def header(text: str) -> str:
    """Return a credential as a header can hold it."""
    if not (text.isascii() and text.isprintable() and text == text.strip()):
        raise ValueError("ASCII text on one line")
    return text


def items(text: str) -> tuple[str, ...]:
    """Return the items of a list that is separated by commas."""
    return tuple(item.strip() for item in text.split(",") if item.strip())
