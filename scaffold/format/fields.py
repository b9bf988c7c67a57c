"""The base classes and the types of keys of the format's models.

The models convert values and describe them. Their JSON Schema decides which values are valid
(`draft.py`). So a type of a key only adds to that schema, and costs nothing when a spec is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Self, TypeAlias, TypeVar

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, PrivateAttr
from pydantic import GetCoreSchemaHandler as CoreHandler
from pydantic import GetJsonSchemaHandler as JsonHandler
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core import core_schema as core

from scaffold.schema.index import Index

T = TypeVar("T")

JsonObject: TypeAlias = Mapping[str, Any]
"""A JSON object as it was written. Do not mutate it: parts may be shared."""


class Model(BaseModel):
    """An object of the format. Unknown keys are errors."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True)


class Item(Model):
    """An item of one of the lists at the root; keys that begin with `x-` belong to the user."""

    model_config = ConfigDict(json_schema_extra={"patternProperties": {"^x-": True}})

    _pointer: str = PrivateAttr("")
    _written: JsonObject = PrivateAttr(default_factory=dict)

    @classmethod
    def read(cls, written: JsonObject, pointer: str) -> Self:
        """Return the object at a JSON Pointer.

        Raises pydantic's ValidationError if a key is missing, unknown or of a wrong type.
        """
        item = cls.model_validate(known(written))
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


class NotSent:
    """A marker for keys that are for the generator and not sent to clients."""


class Limits(Struct, frozen=True, eq=False):
    """Keywords that a type's JSON Schema has in addition."""

    keywords: JsonObject

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        return {**handler(schema), **self.keywords}


class Pattern(Struct, frozen=True):
    """A string that must match `regex`; messages use `title` and `hint`.

    A string that `is_plain` needs no quotes in any language.
    """

    title: str
    regex: str
    hint: str
    max_length: int | None = None
    is_plain: bool = False

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        longest = {} if self.max_length is None else {"maxLength": self.max_length}
        pattern = {"pattern": self.regex, "patternErrorMessage": self.hint}
        return {"title": self.title, **handler(schema), **longest, **pattern}


class Raw(Struct, frozen=True, eq=False):
    """A value that is kept as it was written, with its JSON Schema."""

    json_schema: JsonObject

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        return core.any_schema()

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        return dict(self.json_schema)


class Indexed(Struct, frozen=True):
    """A JSON Schema, as its index; `of_object` requires `type: object` at the root."""

    of_object: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        return core.no_info_plain_validator_function(_index)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        if not self.of_object:
            return {"type": "object"}
        return {
            "type": "object",
            "properties": {"type": {"const": "object"}},
            "required": ["type"],
            "examples": [{"type": "object", "additionalProperties": False}],
        }


def _index(value: Any) -> Index:
    if not isinstance(value, dict):
        raise PydanticCustomError("type", "the value is of a wrong type")
    return Index(value)


UNIQUE = Limits({"uniqueItems": True})

Listed = Annotated[tuple[T, ...], Raw({"type": "array", "items": {}})]
"""A top-level list. Its items are read one by one, elsewhere."""

Unsent = Annotated[T, NotSent()]
AnyObject = Annotated[JsonObject, Raw({"type": "object"})]
Texts = Annotated[
    Mapping[str, str],
    Raw({"type": "object", "additionalProperties": {"type": "string"}}),
]
