# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Functions that know nothing of this server, called by its handlers."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, validate_call
from pydantic_core import to_jsonable_python

from reading_list._generated.calls import run
from reading_list._generated.errors import ToolError

Result = TypeVar("Result")
checked = cache(validate_call)


async def call(function: Callable[..., Any], arguments: BaseModel | None = None) -> Any:
    """Call a function with arguments of the types in its signature.

    A plain one gets a thread. A ToolError of FastMCP or MCPServer is one of ours.
    """
    given = {}
    if arguments is not None:
        given = arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
    try:
        return await run(partial(checked(function), **given))
    except Exception as error:
        if any(kind.__name__ == "ToolError" for kind in type(error).__mro__):
            raise ToolError(str(error)) from error
        raise


def result(kind: type[Result], value: Any, key: str | None = None) -> Result:
    """What a function returned as a result, or as the property `key` of one."""
    plain: Any = to_jsonable_python(value)
    is_whole = key is None or (isinstance(plain, dict) and key in plain)
    return TypeAdapter(kind).validate_python(plain if is_whole else {key: plain})
