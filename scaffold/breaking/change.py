"""Changes between two specs, as values, and the rules about them: their levels and remedies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from scaffold.base.diagnostics.explain import sections


class Level(StrEnum):
    """The effect of a change on callers: breaking, perhaps breaking, or only a difference."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Change(Struct, frozen=True, kw_only=True):
    """One difference between two specs, from the point of view of callers.

    `id` is a key of `rules()`. `where` is a JSON Pointer into the new spec, or into the old one if
    `is_gone`: the new spec has no such part. `kind` and `subject` name the entry: a `tool` and its
    name, a `resource` and its URI, a `variable`, or the `server`. `message` is one line, without a
    full stop; names in it are quoted with backticks.

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


class Rule(NamedTuple):
    """A rule: the usual level of its changes, which may be lower, and how to avoid them.

    There is no `remedy` for mere differences.
    """

    level: Level
    remedy: str


@cache
def rules() -> Mapping[str, Rule]:
    """Return the rules by id, from `scaffold/base/diagnostics/diagnostics.md`.

    A section about a rule begins with its level. Its last sentence is the remedy.
    """
    result = {}
    for id, text in sections().items():
        if match := re.match(r"\*(Error|Warning|Note) of `breaking`\.\*", text):
            level = Level.INFO if match[1] == "Note" else Level(match[1].lower())
            *_, last = re.split(r"(?<=\.)\s+", text)
            result[id] = Rule(level, "" if level is Level.INFO else last)
    return result


def change_of(id: str, kind: str, subject: str, where: str, message: str, **more: Any) -> Change:
    """Return a change by a rule, of its usual level if no other is given."""
    level = more.pop("level", rules()[id].level)
    return Change(
        id=id, level=level, where=where, kind=kind, subject=subject, message=message, **more
    )
