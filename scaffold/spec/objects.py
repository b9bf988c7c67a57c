"""The base classes of all objects in the format."""

from functools import cached_property
from typing import Self

from pydantic import BaseModel, ConfigDict, PrivateAttr

from scaffold.spec.fields import JsonObject, Reading


class Model(BaseModel):
    """An object of the format. Unknown keys are errors."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True)


class Item(Model):
    """An item of one of the lists at the root; keys that begin with `x-` belong to the user."""

    model_config = ConfigDict(json_schema_extra={"patternProperties": {"^x-": True}})

    _pointer: str = PrivateAttr("")
    _written: JsonObject = PrivateAttr(default_factory=dict)

    @classmethod
    def read(cls, written: JsonObject, pointer: str, reading: Reading) -> Self:
        """Return the validated object at a JSON Pointer. Raises pydantic's ValidationError."""
        item = cls.model_validate(known(written), context=reading)
        item._pointer, item._written = pointer, written
        return item

    @classmethod
    def needs(cls, key: str) -> bool:
        """Return whether the key is required."""
        return any(key == (f.alias or n) and f.is_required() for n, f in cls.model_fields.items())

    @cached_property  # reading a private attribute of a model is slow
    def pointer(self) -> str:
        """The JSON Pointer of the object in the document."""
        return self._pointer

    @cached_property
    def written(self) -> JsonObject:
        """The object as it was written, without the keys that begin with `x-`."""
        return known(self._written)

    @property
    def whole(self) -> JsonObject:
        """The object as it was written."""
        return self._written


def known(written: JsonObject) -> JsonObject:
    """Return the object without the keys that begin with `x-`."""
    return {key: value for key, value in written.items() if not key.startswith("x-")}
