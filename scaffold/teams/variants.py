"""The answers to a pack's questions that `pack check` tries, beside the pack's defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from scaffold.diagnostics import Place, ScaffoldError
from scaffold.teams.copying import QUESTIONS, RefusedError, config

AWKWARD = 'O\'Neil "& Söhne" \\ <x> # 1: a | $b'
"""A text that breaks most formats unless it is quoted."""


DEFAULTS = "defaults"
"""The name of the variant with the pack's own answers."""


class Variant(Struct, frozen=True):
    """Answers that differ from the defaults, and a name for them.

    The answer to an `awkward` question is a text that the pack may refuse.
    """

    name: str = DEFAULTS
    given: Mapping[str, Any] = field(default_factory=dict)
    awkward: str | None = None


def variants(folder: Path, defaults: Mapping[str, Any]) -> Iterator[Variant]:
    """Yield the variants of the pack in `folder`, one for each choice that is no default.

    `defaults` are the answers of the pack itself. Each question for free text gets an awkward one.
    Raises ScaffoldError (`pack-questions`) if the questions cannot be read.
    """
    yield Variant()
    for name, question in _questions(folder).items():
        details = question if isinstance(question, Mapping) else {"default": question}
        if not details.get("when", True):
            continue
        for value in _choices(details):
            answer = [value] if details.get("multiselect") else value
            if answer != defaults.get(name):
                yield Variant(f"{name}={value}", {name: answer})
        if details.get("type", "str") == "str" and "choices" not in details:
            yield Variant(f"{name}=awkward", {name: AWKWARD}, name)


def _questions(folder: Path) -> dict[str, Any]:
    if not any((folder / name).exists() for name in QUESTIONS):
        return {}
    try:
        found = config(folder)
    except RefusedError as refusal:
        said = refusal.said
        place = Place(str(folder / (said["path"] or QUESTIONS[0])), said["line"] or None)
        raise ScaffoldError.of(said["id"], said["message"], place) from refusal
    return {name: value for name, value in found.items() if not name.startswith("_")}


def _choices(question: Mapping[str, Any]) -> list[Any]:
    """Return the values to choose from; none if a template computes them."""
    if question.get("type") == "bool":
        return [True, False]
    choices = question.get("choices", [])
    if isinstance(choices, Mapping):
        choices = list(choices.values())
    elif isinstance(choices, list):
        choices = [one[1] if isinstance(one, list) and len(one) == 2 else one for one in choices]
    else:
        return []
    return [one.get("value") if isinstance(one, Mapping) else one for one in choices]
