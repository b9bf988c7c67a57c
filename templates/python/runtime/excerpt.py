"""The part of a large answer that a model needs: a projection, and lists that are cut."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from mcp_types import CallToolResult, TextContent
from pydantic_core import from_json, to_json

from . import bodies
from .answers import UndocumentedAnswer, read

Result = TypeVar("Result")


class Expression(Protocol):
    """What `jmespath.compile` returns."""

    def search(self, value: Any, /) -> Any: ...


def of(
    kind: type[Result],
    body: bytes,
    key: str | None = None,
    *,
    select: Expression | None = None,
    limit: int | None = None,
    strict: bool = False,
) -> CallToolResult:
    """Return a part of a body as a result, or as the property `key` of one.

    A sentence beside it says what is cut off. Raises what `read` does.
    """
    part, words = shortened(body, select, limit, key or "")
    data = bodies.plain(read(kind, part, key, strict=strict))
    texts = filter(None, (to_json(data).decode(), words))
    return CallToolResult(
        content=[TextContent(text=text) for text in texts], structured_content=data
    )


def text(
    body: bytes, *, select: Expression | None = None, limit: int | None = None
) -> str:
    """Return a part of a body as text, with a sentence that says what is cut off."""
    part, words = shortened(body, select, limit)
    return "\n\n".join(filter(None, (part.decode(errors="replace"), words)))


def shortened(
    body: bytes, select: Expression | None, limit: int | None, place: str = ""
) -> tuple[bytes, str]:
    """Return a part of a body, and what is cut off; a body that is not JSON is whole."""
    try:
        data = from_json(body)
    except ValueError:
        return body, ""
    try:
        if select and isinstance(data, list):
            data = [chosen(select, item) for item in data]
        elif select:
            data = chosen(select, data)
    except ValueError as error:  # Of a function, for a value of another type.
        raise UndocumentedAnswer("`select` does not fit it", body) from error
    if limit is None:
        return to_json(data), ""
    sizes: dict[str, int] = {}
    data = cut(data, limit, place, sizes)
    longer = [f"`{where or 'the list'}` has {size}" for where, size in sizes.items()]
    words = f"Only the first {limit} items of each list are shown: {', '.join(longer)}."
    return to_json(data), words if longer else ""


def chosen(select: Expression, value: Any) -> Any:
    """Return what an expression selects; a property that the value lacks is left out."""
    selected = select.search(value)
    if not isinstance(selected, dict):
        return selected
    given = value if isinstance(value, Mapping) else {}
    return {
        key: item for key, item in selected.items() if item is not None or key in given
    }


def cut(value: Any, limit: int, place: str, sizes: dict[str, int]) -> Any:
    """Return a value whose lists have `limit` items; note the sizes of longer ones."""
    if isinstance(value, list):
        if len(value) > limit:
            sizes[place] = max(len(value), sizes.get(place, 0))
        return [cut(item, limit, f"{place}[]", sizes) for item in value[:limit]]
    if isinstance(value, dict):
        start = f"{place}." if place else ""
        return {
            key: cut(item, limit, start + key, sizes) for key, item in value.items()
        }
    return value
