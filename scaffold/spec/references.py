"""References of examples to the results of earlier ones: `${search.hits.0.source}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from scaffold.yaml.document import pointer

_REFERENCE = re.compile(r"\$\{([^.{}]+)\.([^{}]+)\}")


class Reference(NamedTuple):
    """A string at `pointer` in the arguments, for a part of a result.

    `source` is the name of an example or of a tool; `path` leads into its structured content.
    """

    pointer: str
    source: str
    path: tuple[str, ...]


def references(value: Any, *at: str | int) -> Iterator[Reference]:
    """Yield the references in a value, at any depth."""
    match value:
        case str():
            if found := _REFERENCE.fullmatch(value):
                yield Reference(pointer(*at), found[1], tuple(found[2].split(".")))
        case dict():
            for key, item in value.items():
                yield from references(item, *at, key)
        case list():
            for number, item in enumerate(value):
                yield from references(item, *at, number)
