"""References of examples to the results of others: `${search.hits.0.source}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from scaffold.yaml.document import pointer

_REFERENCE = re.compile(r"\$\{([^.{}]+)\.([^{}]+)\}")


class Reference(NamedTuple):
    """A reference in a text at `pointer`, to a part of a result.

    `source` is the name of an example or of a tool; `path` leads into its structured content. The
    part replaces the text if it is the `whole` text; else it is inserted.
    """

    pointer: str
    source: str
    path: tuple[str, ...]
    whole: bool


def references(value: Any, *at: str | int) -> Iterator[Reference]:
    """Yield the references in a value, at any depth."""
    match value:
        case str():
            for found in _REFERENCE.finditer(value):
                path = tuple(found[2].split("."))
                yield Reference(pointer(*at), found[1], path, found[0] == value)
        case dict():
            for key, item in value.items():
                yield from references(item, *at, key)
        case list():
            for number, item in enumerate(value):
                yield from references(item, *at, number)


def without_references(text: str) -> str:
    """Return a text with an `x` for each reference."""
    return _REFERENCE.sub("x", text)
