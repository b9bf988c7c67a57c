# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Arguments as parts of HTTP requests, and the bodies of responses as results."""

import json
import logging
from base64 import b64decode, b64encode
from collections.abc import Container, Mapping
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import quote

from mcp_types import ImageContent
from pydantic import BaseModel, TypeAdapter
from pydantic_core import from_json

from library._generated.calls import Value, whole
from library._generated.errors import ApiError, ToolError

logger = logging.getLogger(__name__)

ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
JSON = "application/json"

# What needs no escape: in the names of cookies, in lists in headers.
IN_NAMES = "!#$&'*+^`|"
IN_HEADERS = " !\"#$&'()*+/:;<=>?@[\\]^`{|}"
Result = TypeVar("Result")


def plain(value: object) -> Any:
    """A value as JSON, with what was set in models and no more."""
    return whole(ANYTHING.dump_python(value, mode="json", exclude_unset=True))


class Encoded(str):
    """Text that is percent-encoded already."""


def text(value: object) -> str:
    """A string as it is, any other value as JSON."""
    value = value if isinstance(value, str) else plain(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def encoded(text: str) -> str:
    return text if isinstance(text, Encoded) else quote(text, safe="")


def items(value: object) -> list[object]:
    """A list as it is, any other value as the only item of one."""
    return cast("list[object]", value) if isinstance(value, list) else [value]


def pairs(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """Names and texts: one pair for each item of a list, none for None."""
    return [
        (name, text(item))
        for name, value in values.items()
        for item in items(value)
        if item is not None
    ]


def query(values: Mapping[str, object]) -> str:
    """The query of a URL with its question mark, empty if it has no parameters."""
    found = (f"{encoded(name)}={encoded(item)}" for name, item in pairs(values))
    return f"?{joint}" if (joint := "&".join(found)) else ""


def headers(
    values: Mapping[str, object], cookies: Mapping[str, object]
) -> list[tuple[bytes, bytes]]:
    """Headers as they are sent. Raises ToolError for a value that HTTP has no room for."""
    found = pairs(values)
    jar = (f"{quote(n, safe=IN_NAMES)}={encoded(item)}" for n, item in pairs(cookies))
    if joint := "; ".join(jar):
        found.append(("Cookie", joint))
    for name, item in found:
        if item != item.strip() or any(char < " " or char == "\x7f" for char in item):
            raise ToolError(f"{name} cannot have line ends, or spaces around it")
    return [(name.encode(), item.encode()) for name, item in found]


def joined(
    value: object, by: str = ",", equals: str = "", safe: str = ""
) -> Encoded | None:
    """A list or an object in one text, whose parts have no separator in them."""
    given: Value = plain(value)
    if given is None:
        return None
    if isinstance(given, dict):
        texts = {
            quote(key, safe): quote(text(item), safe) for key, item in given.items()
        }
        found = [f"{key}{equals or by}{item}" for key, item in texts.items()]
    else:
        found = [quote(text(item), safe) for item in items(given)]
    return Encoded(by.join(found)) if found else None


def field(value: object, equals: str = "") -> Encoded | None:
    """A list or an object in a header, where only commas are escaped."""
    return joined(value, ",", equals, safe=IN_HEADERS)


def segment(value: object, by: str = ",", equals: str = "") -> str:
    """A value in a path: one that would lead to another path is refused."""
    found = joined(value, by, equals) or ""
    if found in ("", ".", ".."):
        raise ToolError(f"{found!r} cannot be part of a path")
    return found


def deep(name: str, value: object) -> dict[str, object]:
    """An object as `name[key]=value`, at every depth."""
    given: Value = plain(value)
    if isinstance(given, list):
        given = {str(number): item for number, item in enumerate(given)}
    if not isinstance(given, dict):
        return {name: given}
    found: dict[str, object] = {}
    for key, below in given.items():
        found |= deep(f"{name}[{key}]", below)
    return found


def given(arguments: BaseModel, without: Container[str] = ()) -> dict[str, Any]:
    """The arguments of a call as JSON; one that was not given is absent."""
    values: dict[str, Any] = plain(arguments)
    return {name: value for name, value in values.items() if name not in without}


Part: TypeAlias = tuple[str | None, bytes, str | None]


def parts(
    values: Mapping[str, Any],
    files: Container[str] = (),
    types: Mapping[str, str] = {},
) -> list[tuple[str, Part]]:
    """The parts of a multipart form; `files` are in base64, `types` are media types."""
    found: list[tuple[str, Part]] = []
    for name, value in values.items():
        kind = types.get(name)
        if kind == JSON:
            found.append((name, (None, json.dumps(value).encode(), kind)))
            continue
        for item in items(value):
            if name in files:
                found.append((name, (name, b64decode(text(item)), kind)))
            elif item is not None:
                data = text(item).encode()
                usual = JSON if isinstance(item, dict) else None
                found.append((name, (None, data, kind or usual)))
    return found


def read(kind: type[Result], body: bytes, key: str | None = None) -> Result:
    """The body of a response as a result, or as the property `key` of one.

    Raises ApiError if it is not what the spec says.
    """
    try:
        if key is not None:
            value = {key: from_json(body)} if body else {}
        else:
            value = from_json(body)
        return TypeAdapter(kind).validate_python(value)
    except ValueError as error:
        logger.warning("A response cannot be read: %s", type(error).__name__)
        raise ApiError("The API's response is not what it should be") from error


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)
