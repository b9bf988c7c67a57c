"""The place of a type in a schema, from which its name is derived."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from scaffold.languages.names import pascal, words
from scaffold.languages.python.names import singular
from scaffold.schema.index import Index
from scaffold.schema.resolver import Subschema


class Place(Struct, frozen=True):
    """Where a type is in the schema of a handler's arguments or result.

    `path` has the words of its name: of the properties around it, the innermost last. `defined`
    says whether it begins with the name of a definition, such as one in `$defs`. `exact` tells
    apart places whose words are the same.
    """

    path: tuple[str, ...] = ()
    exact: str = ""
    defined: bool = False

    def inside(self, part: str) -> Place:
        """Return the place of a property."""
        return replace(self, path=(*self.path, _name_of(part)), exact=f"{self.exact}/{part}")

    def item(self) -> Place:
        """Return the place of the items of a list."""
        name = singular(self._last)
        return self.beside("Item") if name is None else self._ending(name, "Item")

    def value(self) -> Place:
        """Return the place of the values of an object."""
        return self.beside("Value")

    def beside(self, part: str) -> Place:
        """Return the place of one of several alternatives."""
        return self._ending(self._last + pascal(words(part)), part)

    @property
    def _last(self) -> str:
        return self.path[-1] if self.path else ""

    def _ending(self, last: str, part: str) -> Place:
        return replace(self, path=(*self.path[:-1], last), exact=f"{self.exact}:{part}")


def place_of(index: Index, schema: Subschema) -> Place:
    """Return the place of the target of a reference, the same for all references to it."""
    place = Place()
    at = ""
    for token in schema.pointer.split("/")[1:]:
        at += f"/{token}"
        match index.all.get(at):
            case Subschema(keyword="properties", name=name):
                place = place.inside(name)
            case Subschema(keyword="items" | "prefixItems" | "additionalItems"):
                place = place.item()
            case Subschema(keyword="additionalProperties" | "patternProperties"):
                place = place.value()
            case Subschema(keyword="anyOf" | "oneOf") as branch:
                place = place.beside(label_of(branch) or str(int(branch.name) + 1))
            case Subschema(keyword="$defs" | "definitions" | "", name=name):
                place = Place((_name_of(name),), at, defined=True)
    return place


def label_of(branch: Subschema) -> str:
    """Return the label of an alternative: its title, or the constant of a property."""
    if title := pascal(words(str(branch.keywords.get("title", "")))):
        return title
    for value in branch.keywords.get("properties", {}).values():
        match value:
            case {"const": str(text)} | {"enum": [str(text)]}:
                return pascal(words(text))
    return ""


@lru_cache(maxsize=1000)  # the tools of a server share many names
def _name_of(part: str) -> str:
    """Return a class name for the value of a property or a definition."""
    return pascal(words(part)) or "Value"
