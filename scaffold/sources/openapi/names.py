"""Names for tools, arguments, errors and definitions, each unique among its kind."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import count

LONGEST = 64
"""The maximum characters of a name: some clients refuse longer ones."""


def unique(wanted: str, taken: Collection[str]) -> str:
    """Return `wanted`, at most `LONGEST` characters of it, or with a number if it is taken."""
    wanted = wanted[:LONGEST].rstrip("_-.")
    if wanted not in taken:
        return wanted
    ends = (f"_{number}" for number in count(2))
    return next(name for end in ends if (name := wanted[: LONGEST - len(end)] + end) not in taken)


def safe(text: str) -> str:
    """Return a text with only letters, digits, `_`, `-` and `.`: `filter[name]` is `filter_name`."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", text).strip("_.-")


def method_path(method: str, path: str) -> str:
    """Return a name for an operation without one: `get_pets_petId`."""
    return re.sub("[^A-Za-z0-9-]+", "_", f"{method.lower()}{path}").strip("_")


def camel(text: str) -> str:
    """Return a short text as the name of a class: `Pet not found` is `PetNotFound`."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall("[A-Za-z0-9]+", text))
