"""Field types for the models of the format, each with its validation and JSON Schema.

They use pydantic's core schemas. Its annotations such as `Strict` and `Ge` import twice as much,
and accept null for every optional key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from msgspec import Struct, field
from pydantic import GetCoreSchemaHandler as CoreHandler
from pydantic import GetJsonSchemaHandler as JsonHandler
from pydantic_core import CoreSchema, PydanticCustomError, ValidationError
from pydantic_core import core_schema as core

from scaffold.schema.index import Index

T = TypeVar("T")

JsonObject: TypeAlias = Mapping[str, Any]
"""A JSON object as it was written. Do not mutate it: parts may be shared."""


class Reading(Struct, frozen=True):
    """The validation context for one document.

    `lenient` accepts invalid values of the right type, such as a name with spaces, so that rules
    can check the rest of an entry. `indexes` caches the index of each schema by its `id()`, because
    aliases can repeat a schema many times.
    """

    indexes: dict[int, Index] = field(default_factory=dict)
    lenient: bool = False

    def index(self, schema: JsonObject) -> Index:
        """Return the index of a schema, cached."""
        if id(schema) not in self.indexes:
            self.indexes[id(schema)] = Index.of(schema)
        return self.indexes[id(schema)]


class NotSent:
    """A marker for keys that are for the generator and not sent to clients."""


class _NotNull:
    """A marker that removes null from an optional type: a key can be absent, but not null."""

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        [inner] = [part for part in get_args(source) if part is not type(None)]
        return handler.generate_schema(inner)


class Core(Struct, frozen=True, eq=False):
    """A field that is validated by a core schema."""

    schema: CoreSchema

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        return self.schema


class Pattern(Struct, frozen=True):
    """A string that must match `regex`; messages use `title` and `hint`."""

    title: str
    regex: str
    hint: str
    max_length: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        text = core.str_schema(pattern=self.regex, max_length=self.max_length)
        return core.with_info_wrap_validator_function(_match, text)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        return {"title": self.title, **handler(schema), "patternErrorMessage": self.hint}


class Raw(Struct, frozen=True, eq=False):
    """A value of one of the given Python types, kept as it was written."""

    types: tuple[type, ...]
    json_schema: JsonObject

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        return core.no_info_plain_validator_function(self._check)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        return dict(self.json_schema)

    def _check(self, value: Any) -> Any:
        if not isinstance(value, self.types):
            raise PydanticCustomError("type", "the value is of a wrong type")
        return value


class Indexed(Struct, frozen=True):
    """A JSON Schema, as its index; `of_object` requires `type: object` at the root."""

    of_object: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        return core.with_info_plain_validator_function(self._index)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        if not self.of_object:
            return {"type": "object"}
        return {
            "type": "object",
            "properties": {"type": {"const": "object"}},
            "required": ["type"],
            "examples": [{"type": "object", "additionalProperties": False}],
        }

    def _index(self, value: Any, info: core.ValidationInfo[Reading]) -> Index:
        if not isinstance(value, dict):
            raise PydanticCustomError("type", "the value is of a wrong type")
        if self.of_object and not info.context.lenient and value.get("type") != "object":
            raise PydanticCustomError("type_object", "the schema is not of an object")
        return info.context.index(value)


class Items(Struct, frozen=True):
    """A list as a tuple. Validation stops at the first error, in case a list has too many."""

    min_length: int | None = None
    unique: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: CoreHandler) -> CoreSchema:
        item, _ = get_args(source)
        items = core.tuple_schema(
            [handler.generate_schema(item)],
            variadic_item_index=0,
            min_length=self.min_length,
            fail_fast=True,
        )
        return core.no_info_after_validator_function(_distinct, items) if self.unique else items

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> Any:
        return {**handler(schema), **({"uniqueItems": True} if self.unique else {})}


def whole(minimum: int, maximum: int | None = None) -> Core:
    """Return the core schema of an integer within bounds; 1.0 counts, as in JSON Schema."""
    number = core.int_schema(strict=True, ge=minimum, le=maximum)
    return Core(core.no_info_before_validator_function(_whole, number))


def _match(
    value: Any, handler: core.ValidatorFunctionWrapHandler, info: core.ValidationInfo[Reading]
) -> Any:
    try:
        return handler(value)
    except ValidationError:
        if info.context.lenient and isinstance(value, str):
            return value
        raise


def _distinct(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(set(values)) < len(values):
        raise PydanticCustomError("unique", "the list holds a value twice")
    return values


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Maybe = Annotated[T | None, _NotNull()]
"""A value that can be absent (None), but not null."""

Many = Annotated[tuple[T, ...], Items()]
Listed = Annotated[tuple[T, ...], Core(core.list_schema())]
"""A top-level list. Its items are validated one by one, elsewhere."""

Unsent = Annotated[T, NotSent()]
Flag = Annotated[bool, Core(core.bool_schema(strict=True))]
AnyObject = Annotated[JsonObject, Raw((dict,), {"type": "object"})]
