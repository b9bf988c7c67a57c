from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from tests.python.models import Model
from typing_extensions import TypeAliasType


class PlaceCountry(Model):
    code: str | None = None


class Place(Model):
    city: str | None = None
    country: PlaceCountry | None = None


Unit: TypeAlias = Literal["m", "km"]
"""Of lengths."""


class AddArguments(Model):
    place: Place | None = None
    unit: Unit | None = None


class Node(Model):
    next: "Node | None" = None


class MoveOwner(Model):
    name: str | None = None


class MoveArguments(Model):
    to: Place | None = None
    tree: Node | None = None
    owner: MoveOwner | None = None


class PlantOwner(Model):
    id: int | None = None


class PlantSeed(Model):
    of: PlantOwner | None = None


class PlantArguments(Model):
    tree: Node | None = None
    owner: PlantOwner | None = None
    seed: PlantSeed | None = None


class SowOwner(Model):
    name: str | None = None


class SowSeed(Model):
    of: SowOwner | None = None


class SowArguments(Model):
    owner: SowOwner | None = None
    seed: SowSeed | None = None


class Thing(Model):
    x: int | None = None


Status: TypeAlias = Literal["on", "off"]
"""On or off."""


class ReferGItem(Model):
    x: str | None = None


Json = TypeAliasType("Json", "str | list[Json] | dict[str, Json] | None")


Maybe = TypeAliasType("Maybe", "ReferArguments | None")


class Refer1st(Model):
    y: str | None = None


class ReferArguments(Model):
    a: Thing | None = None
    b: Thing | None = None
    c: int = 1
    d: list[bool] | None = None
    e: Status | None = None
    f: ReferGItem | None = None
    g: list[ReferGItem] | None = None
    itself: "ReferArguments | None" = None
    json_: Annotated[Json | None, Field(alias="json")] = None
    maybe: Maybe | None = None
    value_1st: Annotated[Refer1st | None, Field(alias="1st")] = None
