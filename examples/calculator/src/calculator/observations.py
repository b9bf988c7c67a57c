"""The observations that ship with the server, found by the names of their places."""

import json
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from typing import Self

from calculator._generated.contract import UnknownPlace


@dataclass(frozen=True)
class Observation:
    """Temperature in °C, wind speed in m/s, humidity in per cent, degrees north and east."""

    place: str
    latitude: float
    longitude: float
    observed: str
    conditions: str
    temperature: float
    wind_speed: float
    wind_direction: str
    humidity: int


@dataclass(frozen=True)
class Observations:
    by_name: dict[str, Observation]

    @classmethod
    def shipped(cls) -> Self:
        text = files("calculator").joinpath("observations.json").read_text("utf-8")
        rows = [Observation(**row) for row in json.loads(text)]
        return cls({plain(row.place): row for row in rows})

    def at(self, location: str) -> Observation:
        """The one at a place, whose country may follow after a comma: `Paris, France`."""
        name = plain(location.partition(",")[0])
        if name not in self.by_name:
            similar = get_close_matches(name, self.by_name) or self.by_name
            places = ", ".join(self.by_name[name].place for name in similar)
            raise UnknownPlace(location=location, places=places)
        return self.by_name[name]


def plain(name: str) -> str:
    """Without case, accents and blanks around it."""
    letters = unicodedata.normalize("NFKD", name)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return bare.casefold().strip()
