"""The objects in a JSON document, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from scaffold.yaml.document import Document, pointer


class Spot(NamedTuple):
    """An object in a JSON document, and its JSON Pointer."""

    value: Mapping[str, Any]
    at: str

    def text(self, key: str) -> str | None:
        """Return the text of a key, if it is one."""
        found = self.value.get(key)
        return found if isinstance(found, str) else None

    def below(self, key: str) -> Spot | None:
        """Return the object of a key, if it is one."""
        found = self.value.get(key)
        return Spot(found, self.at + pointer(key)) if isinstance(found, dict) else None

    def items(self, key: str) -> Iterator[Spot]:
        """Yield the objects in the list of a key."""
        found = self.value.get(key)
        for number, item in enumerate(found if isinstance(found, list) else ()):
            if isinstance(item, dict):
                yield Spot(item, self.at + pointer(key, number))


def root_of(document: Document) -> Spot:
    """Return the whole of a JSON document."""
    return Spot(document.value if isinstance(document.value, dict) else {}, "")
