from typing import Any, Literal

from tests.python.models import Model


class AllArguments(Model):
    name: str
    size: int


class SomeArguments(Model):
    mode: Literal["a", "b"]
    x: int | str | None = None
    z: Any = None
    y: Any = None
