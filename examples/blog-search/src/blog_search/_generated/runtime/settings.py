"""Settings, which the server reads from environment variables."""

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Self

from .command import SettingsError


@dataclass(frozen=True)
class EnvironmentSettings:
    """The variables that the spec declares. An empty one counts as not set."""

    @classmethod
    def from_environment(
        cls, environ: Mapping[str, str] = os.environ, token: str = ""
    ) -> Self:
        """Read the variables. Raises SettingsError, which names all that are wrong.

        `token` is the variable that HTTP needs, although others may do without it.
        """
        values: dict[str, Any] = {}
        faults: list[str] = []
        for field in fields(cls):
            variable = field.metadata["variable"]
            parse = field.metadata.get("parse", str)
            text = environ.get(variable, "").strip()
            if not text:
                why = ": HTTP needs the token" if variable == token else ""
                if why or field.default is MISSING:
                    faults.append(f"{variable} is not set{why}")
                continue
            try:
                values[field.name] = parse(text)
            except ValueError:
                faults.append(f"{variable}: it must be {KINDS.get(parse, 'valid')}")
        if faults:
            raise SettingsError("; ".join(faults))
        return cls(**values)


def number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def boolean(text: str) -> bool:
    yes, no = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
    return (yes + no).index(text.lower()) < len(yes)


def url(text: str) -> str:
    from urllib.parse import urlsplit  # Takes long to import.

    parts = urlsplit(text)
    if not (parts.scheme and parts.hostname and parts.port != 0):
        raise ValueError
    return text


def header(text: str) -> str:
    """Return a credential, as a header can hold it."""
    if not (text.isascii() and text.isprintable()):
        raise ValueError
    return text


def items(text: str) -> tuple[str, ...]:
    """Return the items of a list that is separated by commas."""
    return tuple(item.strip() for item in text.split(",") if item.strip())


KINDS: Mapping[Callable[[str], Any], str] = {
    int: "a whole number",
    number: "a number",
    boolean: "true or false",
    url: "a URL",
    header: "ASCII text on one line",
}
