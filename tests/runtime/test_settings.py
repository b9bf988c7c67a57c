"""Environment variables into settings of their types, and what is said of those that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from templates.python.runtime.command import SettingsError
from templates.python.runtime.settings import (
    EnvironmentSettings,
    boolean,
    header,
    items,
    number,
    url,
)


def of(variable: str, parse: Callable[[str], Any]) -> dict[str, Any]:
    return {"variable": variable, "parse": parse}


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    folder: Path = field(metadata=of("FOLDER", Path))
    pin: int = field(repr=False, metadata=of("PIN", int))
    days: int = field(default=7, metadata=of("DAYS", int))
    factor: float | None = field(default=None, metadata=of("FACTOR", number))
    strict: bool = field(default=False, metadata=of("STRICT", boolean))
    service: str | None = field(default=None, metadata=of("SERVICE", url))
    key: str | None = field(default=None, repr=False, metadata=of("KEY", header))
    tags: tuple[str, ...] = field(default=(), metadata=of("TAGS", items))
    word: str | None = field(default=None, metadata=of("WORD", str))


REQUIRED = {"FOLDER": "/srv", "PIN": "17"}


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, {}),
        ({"DAYS": "", "STRICT": " "}, {}),
        (
            {"DAYS": "30", "FACTOR": "0.5", "STRICT": "True", "WORD": "7"},
            {"days": 30, "factor": 0.5, "strict": True, "word": "7"},
        ),
        (
            {"SERVICE": "https://example.org/x", "TAGS": "a, b,,c ", "KEY": "open sesame\n"},
            {"service": "https://example.org/x", "tags": ("a", "b", "c"), "key": "open sesame"},
        ),
    ],
    ids=["defaults", "empty", "values", "texts"],
)
def test_a_setting_has_its_type(env: dict[str, str], expected: dict[str, Any]) -> None:
    settings = Settings.from_environment(REQUIRED | env)
    given: dict[str, Any] = {"folder": Path("/srv"), "pin": 17} | expected
    assert settings == Settings(**given)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("DAYS", "seven"),
        ("FACTOR", "nan"),
        ("STRICT", "maybe"),
        ("SERVICE", "example.org"),
        ("SERVICE", "http://it:port"),
        ("KEY", "two\nlines"),
        ("PIN", "hunter2"),
    ],
)
def test_an_invalid_setting_is_reported_with_its_variable_but_not_its_value(
    variable: str, text: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        Settings.from_environment(REQUIRED | {variable: text})
    assert str(raised.value).startswith(f"{variable}: ")
    assert variable != "PIN" or text not in str(raised.value)


def test_all_invalid_settings_are_reported_at_once() -> None:
    with pytest.raises(SettingsError) as raised:
        Settings.from_environment({"PIN": "", "DAYS": "seven"})
    faults = str(raised.value).split("; ")
    assert faults[:2] == ["FOLDER is not set", "PIN is not set"]
    assert faults[2].startswith("DAYS: ")


def test_a_secret_is_not_shown() -> None:
    assert "17" not in repr(Settings.from_environment(REQUIRED))


def test_a_custom_parser_reports_errors_as_the_built_in_ones_do() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Own(EnvironmentSettings):
        day: date = field(metadata=of("DAY", date.fromisoformat))
        word: str = field(metadata={"variable": "WORD"})

    with pytest.raises(SettingsError, match="DAY: it must be valid; WORD is not set"):
        Own.from_environment({"DAY": "x"})
