"""Calls of existing functions by handlers: their arguments and results."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias, TypeVar

from mcp_types import ContentBlock, PromptMessage, TextContent
from pydantic import BaseModel, TypeAdapter, validate_call
from pydantic_core import to_json, to_jsonable_python

from .handlers import ToolError, current_calls

Result = TypeVar("Result")
Content: TypeAlias = (
    str | Mapping[str, Any] | BaseModel | ContentBlock | Sequence[ContentBlock] | None
)

checked = cache(validate_call)


async def call(function: Callable[..., Any], arguments: BaseModel | None = None) -> Any:
    """Call a function with arguments of the types in its signature.

    A plain one gets a thread. A ToolError of FastMCP or MCPServer becomes one of ours.
    """
    given = {}
    if arguments is not None:
        given = arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
    try:
        return await current_calls.get().work(partial(checked(function), **given))
    except Exception as error:
        if any(kind.__name__ == "ToolError" for kind in type(error).__mro__):
            raise ToolError(str(error)) from error
        raise


def result(kind: type[Result], value: Any, key: str | None = None) -> Result:
    """Return what a function returned as a result, or as the property `key` of one."""
    plain: dict[str, Any] | str | None = to_jsonable_python(value)
    is_whole = key is None or (isinstance(plain, dict) and key in plain)
    given = plain if is_whole else {key: plain}
    return TypeAdapter(kind).validate_python(given, by_alias=True, by_name=False)


def content(value: Any) -> Content:
    """Return what a function returned without a schema; images and sounds are blocks."""
    if isinstance(value, list | tuple):
        items: list[Any] = [*value]
        return [block(TextContent(text=i) if isinstance(i, str) else i) for i in items]
    result: Content = block(value)
    return result


def block(value: Any) -> Any:
    """Return a value, an image of FastMCP for example, as a model or as JSON."""
    for name in ("to_image_content", "to_audio_content"):
        if hasattr(value, name):
            return getattr(value, name)()
    return value if isinstance(value, BaseModel) else to_jsonable_python(value)


def text(value: Any) -> str | bytes:
    """Return text and bytes as they are, any other value as JSON."""
    return value if isinstance(value, str | bytes) else to_json(value).decode()


def messages(value: Any) -> str | list[PromptMessage]:
    """Return text, or messages: a text in a list is one of the user."""
    value = getattr(value, "messages", value)
    if isinstance(value, str):
        return value
    rows: list[Any] = [*value] if isinstance(value, list | tuple) else [value]
    return [message(row) for row in rows]


def message(value: Any) -> PromptMessage:
    row: dict[str, Any] | str = to_jsonable_python(value)
    if isinstance(row, str):
        row = {"role": "user", "content": row}
    if isinstance(row["content"], str):
        row["content"] = {"type": "text", "text": row["content"]}
    return PromptMessage.model_validate(row)
