"""Names that are unique among their kind, and descriptions as short as models need them."""

from __future__ import annotations

import re
from collections.abc import Collection
from hashlib import sha256
from itertools import count

MAX_NAME_LENGTH = 64
"""The maximum characters of a name: some clients refuse longer ones."""

MAX_TEXT_LENGTH = 1024
"""The maximum characters of a description."""


def unique(wanted: str, taken: Collection[str]) -> str:
    """Return `wanted`, at most `MAX_NAME_LENGTH` characters of it, or with a number if it is taken."""
    wanted = wanted[:MAX_NAME_LENGTH].rstrip("_-.")
    if wanted not in taken:
        return wanted
    ends = (f"_{number}" for number in count(2))
    return next(
        name for end in ends if (name := wanted[: MAX_NAME_LENGTH - len(end)] + end) not in taken
    )


def hashed(wanted: str, key: str) -> str:
    """Return a name with a hash of `key` as its suffix, independent of other names."""
    end = f"_{sha256(key.encode()).hexdigest()[:6]}"
    return wanted[: MAX_NAME_LENGTH - len(end)].rstrip("_-.") + end


def safe(text: str) -> str:
    """Return a text with only letters, digits, `_`, `-` and `.`: `filter[name]` is `filter_name`."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", text).strip("_.-")


def method_path(method: str, path: str) -> str:
    """Return a name for an operation without one: `get_pets_petId`."""
    return re.sub("[^A-Za-z0-9-]+", "_", f"{method.lower()}{path}").strip("_")


def camel(text: str) -> str:
    """Return a short text as the name of a class: `Pet not found` is `PetNotFound`."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall("[A-Za-z0-9]+", text))


def shortened(text: str, longest: int = MAX_TEXT_LENGTH) -> str:
    """Return a text, or its first paragraph if it is too long, or the beginning of that."""
    text = text.strip()
    if len(text) <= longest:
        return text
    first = re.split(r"\n\s*\n", text, maxsplit=1)[0].strip()
    if len(first) <= longest:
        return first
    cut = first[: longest - 1]
    return cut[: cut.rfind(" ")].rstrip(" ,;:") + "…" if " " in cut else cut + "…"


def sentence(text: str, longest: int = 200) -> str:
    """Return the first paragraph of a text on one line, shortened to a few words if need be.

    Headings before it are left out.
    """
    text = re.sub(r"\A(#+ .*\n\s*)+", "", text.strip())
    first = re.split(r"\n\s*\n", text, maxsplit=1)[0]
    return shortened(" ".join(first.split()), longest)
