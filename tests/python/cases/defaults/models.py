import datetime as dt
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import Field
from tests.python.models import Model

Unit: TypeAlias = Literal["m", "km"]


class Point(Model):
    x: int = 1
    y: int


class FindEmpty(Model):
    z: Any = "z"


class FindOdd(Model):
    two_words: Annotated[int | None, Field(alias="two words")] = None


class FindArguments(Model):
    top_k: int = 5
    whole: int = 7
    too_many: int | None = None
    nothing: str | None = None
    required: str
    referred: Unit = "m"
    misreferred: Unit | None = None
    since: dt.date = dt.date.fromisoformat("2026-01-31")
    at: dt.datetime = dt.datetime.fromisoformat("2026-01-31T12:00:00+00:00")
    leap: dt.time | None = None
    id: UUID = UUID("12345678-1234-1234-1234-123456789abc")
    tags: list[str] = Field(default_factory=lambda: ["a"])
    anything: Any = Field(default_factory=lambda: {"a": [1, None]})
    always: Any = None
    given: Point | None = None
    made: Point = Field(default_factory=lambda: Point(y=2))
    more: Point = Field(
        default_factory=lambda: Point.model_validate({"y": 2, "unknown": 3})
    )
    unfit: Point | None = None
    many: list[Point | None] = Field(
        default_factory=lambda: list[Point | None]([Point(y=3), None])
    )
    by_name: dict[str, Point] = Field(default_factory=lambda: {"a": Point(y=4)})
    either: int | Point = Field(default_factory=lambda: Point(y=5))
    empty: FindEmpty = Field(default_factory=FindEmpty)
    odd: FindOdd = Field(
        default_factory=lambda: FindOdd.model_validate({"two words": 6})
    )
    endless: "FindArguments | None" = None
