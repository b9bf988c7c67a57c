"""Functions that know nothing of this server, called by its handlers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from functools import cache, partial
from inspect import isawaitable, iscoroutinefunction, signature
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from .content import (
    AudioContent,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    PromptMessage,
    ResourceLink,
    TextContent,
)
from .handlers import ToolError
from .lifespan import in_thread
from .model import Model, plain
from .protocol import encoded
from .typed import Read, expect, from_text, items, reader, unknown

if TYPE_CHECKING:
    from .prompts import PromptResult
    from .resources import ResourceResult
    from .tools import ToolResult

Result = TypeVar("Result")
BLOCKS: dict[str, type[ContentBlock]] = {
    "text": TextContent,
    "image": ImageContent,
    "audio": AudioContent,
    "resource_link": ResourceLink,
    "resource": EmbeddedResource,
}


async def call(function: Callable[..., Any], arguments: Model | None = None) -> Any:
    """Call a function with arguments of the types in its signature.

    A plain one keeps no event loop waiting. A ToolError of FastMCP or MCPServer is one of ours.
    """
    given = arguments.model_dump() if arguments is not None else {}
    readers = parameters(function)
    values = {k: readers[k](v) if k in readers else v for k, v in given.items()}
    try:
        if iscoroutinefunction(function):
            return await function(**values)
        value = await in_thread(lambda: function(**values))
        return await value if isawaitable(value) else value
    except Exception as error:
        if any(kind.__name__ == "ToolError" for kind in type(error).__mro__):
            raise ToolError(str(error)) from error
        raise


@cache
def parameters(function: Callable[..., Any]) -> Mapping[str, Read]:
    """Return what reads the arguments of a function, as far as its signature has types."""
    found = signature(function, eval_str=True).parameters.values()
    return {
        one.name: read_by(one.annotation)
        for one in found
        if one.annotation is not one.empty
    }


def read_by(kind: Any) -> Read:
    return reader(kind, other=of_functions)


def of_functions(kind: Any) -> Read:
    """Return what reads a type that functions take, and models do not have."""
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if isinstance(kind, TypeVar):
        return read_by(Any)
    if origin is Annotated:
        return read_by(parts[0])
    for name in ("__supertype__", "__value__"):  # Another name for a type.
        if hasattr(kind, name):
            return read_by(getattr(kind, name))
    if kind is Decimal:
        return decimal
    if origin in TEXTS:
        return partial(from_text, TEXTS[origin])
    if origin is tuple and parts and parts[-1] is not Ellipsis:
        return partial(row, [read_by(part) for part in parts])
    if origin in LISTS:
        return partial(items, LISTS[origin], read_by(parts[0] if parts else Any))
    if is_dataclass(kind) or is_typeddict(kind):
        return partial(record, kind)
    if hasattr(kind, "model_validate"):  # Of pydantic.
        validate: Read = kind.model_validate
        return validate
    return unknown(kind)


def decimal(value: Any) -> Decimal:
    """Return a number, or a text that is one, as it is written."""
    try:
        return Decimal(str(value))
    except ArithmeticError:
        raise ValueError("decimal number expected") from None


def row(readers: Sequence[Read], value: Any) -> tuple[Any, ...]:
    expect(isinstance(value, list), list)
    return tuple(read(item) for read, item in zip(readers, value, strict=True))


def record(kind: Any, value: Any) -> Any:
    """Return a dataclass or a TypedDict, whose properties have types of their own."""
    expect(isinstance(value, dict), kind)
    readers = readers_of(kind)
    read = {k: readers[k](item) if k in readers else item for k, item in value.items()}
    try:
        return kind(**read)
    except TypeError as error:
        raise ValueError(str(error)) from None


@cache
def readers_of(kind: Any) -> Mapping[str, Read]:
    return {name: read_by(hint) for name, hint in get_type_hints(kind).items()}


TEXTS: dict[Any, Callable[[str], Any]] = {bytes: str.encode, Path: Path}
LISTS: dict[Any, Read] = {
    **dict.fromkeys((Collection, Iterable), list),
    frozenset: frozenset,
    set: set,
    tuple: tuple,
}


def as_json(value: Any) -> Any:
    """Return what a function returned as JSON. Raises TypeError if it cannot be."""
    match value:
        case Enum():
            return as_json(value.value)
        case bytes():
            return value.decode()
        case Decimal() | Path():
            return str(value)
        case None | str() | int() | float() | dt.date() | dt.time() | UUID() | Model():
            return plain(value)
    if is_dataclass(value):
        return {one.name: as_json(getattr(value, one.name)) for one in fields(value)}
    if hasattr(value, "model_dump"):  # Of pydantic.
        return value.model_dump(mode="json", by_alias=True)
    if hasattr(value, "items"):
        return {name_of(key): as_json(item) for key, item in value.items()}
    if hasattr(value, "__iter__"):
        return [as_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def name_of(key: Any) -> str:
    name = as_json(key)
    return name if isinstance(name, str) else encoded(name).decode()


def result(kind: type[Result], value: Any, key: str | None = None) -> Result:
    """What a function returned as a result, or as the property `key` of one."""
    data: Any = as_json(value)
    is_whole = key is None or (isinstance(data, dict) and key in data)
    made: Result = reader(kind)(data if is_whole else {key: data})
    return made


def content(value: Any) -> ToolResult:
    """What a function returned, without a schema: images and sounds as content blocks."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        items = [block(item) for item in cast("list[Any]", value)]
        are_blocks = all(isinstance(item, ContentBlock) for item in items)
        return items if are_blocks else as_json(items)
    found = block(value)
    return found if isinstance(found, ContentBlock) else as_json(found)


def block(value: Any) -> Any:
    """Return a text, or an image, a sound or a block of the SDK, as a block; else the value."""
    if isinstance(value, str):
        return TextContent(text=value)
    for name in ("to_image_content", "to_audio_content"):
        if hasattr(value, name):
            value = getattr(value, name)()
    is_known = getattr(value, "type", "") in BLOCKS
    if not is_known or not hasattr(value, "model_dump"):
        return value
    return value if isinstance(value, ContentBlock) else block_of(as_json(value))


def text(value: Any) -> ResourceResult:
    """Text and bytes as they are, any other value as JSON."""
    return value if isinstance(value, str | bytes) else encoded(as_json(value)).decode()


def messages(value: Any) -> PromptResult:
    """Text, or messages: a text in a list is one of the user."""
    value = getattr(value, "messages", value)
    if isinstance(value, str):
        return value
    rows = cast("list[Any]", value) if isinstance(value, list | tuple) else [value]
    return [message(row) for row in rows]


def message(value: Any) -> PromptMessage:
    row: Any = as_json(value)
    row = {"role": "user", "content": row} if isinstance(row, str) else row
    said = row["content"]
    said = {"type": "text", "text": said} if isinstance(said, str) else said
    return PromptMessage(role=row["role"], content=block_of(said))


def block_of(data: dict[str, Any]) -> ContentBlock:
    """Return a content block of JSON; raises KeyError or ValueError if it is none."""
    return BLOCKS[data["type"]].model_validate(data)
