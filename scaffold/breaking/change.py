"""Changes between two specs, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct


class Level(StrEnum):
    """What a change does to callers: break them, perhaps break them, or only differ."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Change(Struct, frozen=True, kw_only=True):
    """One difference between two specs, from the point of view of callers.

    `id` is a key of `RULES`. `where` is a JSON Pointer into the new spec, or into the old one if
    `is_gone`: what it is about is no longer there. `kind` and `subject` name the entry: a `tool`
    and its name, a `resource` and its URI, a `variable`, or the `server`. `message` is one line,
    without a full stop; names in it are quoted with backticks.

    `is_proved` is false if it could not be decided whether the change breaks anything; the level is
    a warning then. Changes of schemas are proved by an example: `witness` are arguments that the
    old server accepts and the new one refuses, or a result that the new one may send and the old
    schema refuses. `refusal` is why. Both are None for other changes.
    A witness can also be `null` in JSON: there is one if `refusal` is not None.
    """

    id: str
    level: Level
    where: str
    kind: str
    subject: str
    message: str
    witness: Any = None
    refusal: str | None = None
    is_proved: bool = True
    is_gone: bool = False
