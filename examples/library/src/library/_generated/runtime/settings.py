"""Settings, which the server reads from environment variables."""

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, Self, TypeAlias, get_type_hints
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, TypeAdapter, ValidationError

from .command import SettingsError


@dataclass(frozen=True)
class EnvironmentSettings:
    """The variables that the spec declares. An empty one counts as not set."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read the variables. Raises SettingsError, which names all that are wrong."""
        kinds = get_type_hints(cls, include_extras=True)
        values: dict[str, Any] = {}
        faults: list[str] = []
        for field in fields(cls):
            variable = field.metadata["variable"]
            text = environ.get(variable, "").strip()
            if not text:
                if field.default is MISSING:
                    faults.append(f"{variable} is not set")
                continue
            try:
                adapter = TypeAdapter[Any](kinds[field.name])
                values[field.name] = adapter.validate_python(text)
            except ValidationError as error:
                faults.append(f"{variable}: {error.errors()[0]['msg']}")
        if faults:
            raise SettingsError("; ".join(faults))
        return cls(**values)


def check_url(text: str) -> str:
    parts = urlsplit(text)
    if not (parts.scheme and parts.hostname and parts.port != 0):
        raise ValueError("it must be a URL")
    return text


def check_header(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise ValueError("it must be ASCII text on one line")
    return text


def split(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


Url: TypeAlias = Annotated[str, AfterValidator(check_url)]
Header: TypeAlias = Annotated[str, AfterValidator(check_header)]
"""A credential, as a header can hold it."""
Items: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(split)]
"""Items that are separated by commas."""
