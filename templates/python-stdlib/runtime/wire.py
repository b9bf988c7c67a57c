"""Arguments as parts of HTTP requests, and the bodies of responses as results."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Container, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import quote, urlencode

from .content import (
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
)
from .handlers import ToolError
from .model import Model
from .model import plain as json_of
from .protocol import DECODER, ENCODER, logger
from .typed import reader
from .web import ApiError

Part: TypeAlias = "tuple[str | None, bytes, str | None]"
Result = TypeVar("Result")
JSON = "application/json"
# What needs no escape: in the names of cookies, in lists in headers, in queries.
IN_NAMES = "!#$&'*+^`|"
IN_HEADERS = " !\"#$&'()*+/:;<=>?@[\\]^`{|}"
IN_QUERIES = "!$'()*,/:;?@"
IN_PARTS = str.maketrans({'"': "%22", "\\": "\\\\", "\r": "%0D", "\n": "%0A"})


plain = json_of  # What handlers use is all in this module.


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
) -> list[tuple[str, str]]:
    """Headers as they are sent. Raises ToolError for a value that HTTP has no room for."""
    found = pairs(values)
    jar = (f"{quote(n, safe=IN_NAMES)}={encoded(item)}" for n, item in pairs(cookies))
    if joint := "; ".join(jar):
        found.append(("Cookie", joint))
    for name, item in found:
        if item != item.strip() or any(char < " " or char == "\x7f" for char in item):
            raise ToolError(f"{name} cannot have line ends, or spaces around it")
    return found


def joined(
    value: object, by: str = ",", equals: str = "", safe: str = ""
) -> Encoded | None:
    """A list or an object in one text, whose parts have no separator in them."""
    given = plain(value)
    if given is None:
        return None
    if isinstance(given, dict):
        rows = [(quote(k, safe), quote(text(v), safe)) for k, v in given.items()]
        found = [f"{key}{equals or by}{item}" for key, item in rows]
    else:
        found = [quote(text(item), safe) for item in items(given)]
    return Encoded(by.join(found)) if found else None


def field(value: object, equals: str = "") -> Encoded | None:
    """A list or an object in a header, where only commas are escaped."""
    return joined(value, ",", equals, safe=IN_HEADERS)


def reserved(value: object) -> list[Encoded]:
    """Texts that keep what is special elsewhere in a URL, but not in a query."""
    found = [text(item) for item in items(value) if item is not None]
    return [Encoded(quote(item, IN_QUERIES)) for item in found]


def json_text(value: object) -> str:
    return json.dumps(plain(value), ensure_ascii=False)


def as_json(value: object) -> str | None:
    return None if value is None else json_text(value)


def segment(value: object, by: str = ",", equals: str = "") -> str:
    """A value in a path: one that would lead to another path is refused."""
    found = joined(value, by, equals) or ""
    if found in ("", ".", ".."):
        raise ToolError(f"{found!r} cannot be part of a path")
    return found


def properties(value: object) -> dict[str, object]:
    """The properties of an object, each as a parameter of its own."""
    return dict(plain(value) or {})


def deep(name: str, value: object) -> dict[str, object]:
    """An object as `name[key]=value`, at every depth."""
    given = plain(value)
    if isinstance(given, list):
        given = {str(number): item for number, item in enumerate(given)}
    if not isinstance(given, dict):
        return {name: given}
    found: dict[str, object] = {}
    for key, below in given.items():
        found |= deep(f"{name}[{key}]", below)
    return found


def given(arguments: Model, without: Container[str] = ()) -> dict[str, Any]:
    """The arguments of a call as JSON; one that was not given is absent."""
    values = arguments.model_dump()
    return {name: value for name, value in values.items() if name not in without}


def renamed(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Properties under the names that they have in the API."""
    return {names.get(name, name): value for name, value in values.items()}


def form(
    values: Mapping[str, Any],
    nested: Container[str] = (),
    types: Mapping[str, str] = {},
    joint: Container[str] = (),
) -> dict[str, list[str]]:
    """The fields of a form; `types` has those that are JSON, `joint` lists in one field."""
    fields: dict[str, list[str]] = {}
    for name, value in values.items():
        if name in joint:
            value = ",".join(map(text, items(value)))
        plain_field = {name: json.dumps(value) if name in types else value}
        for key, item in pairs(deep(name, value) if name in nested else plain_field):
            fields.setdefault(key, []).append(item)
    return fields


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
            if item is None:
                continue
            if name in files:
                found.append((name, (name, b64decode(text(item)), kind)))
            else:
                usual = JSON if isinstance(item, dict) else None
                found.append((name, (None, text(item).encode(), kind or usual)))
    return found


def decoded(base64: str | None) -> bytes | None:
    """The bytes that an argument holds."""
    return None if base64 is None else b64decode(base64)


def body(
    *,
    json: Any = None,
    content: str | bytes | None = None,
    data: Mapping[str, list[str]] = {},
    files: Sequence[tuple[str, Part]] = (),
) -> tuple[str, bytes | None]:
    """The media type, if it is not told elsewhere, and the bytes of a body."""
    if data:
        form_text = urlencode(data, doseq=True)
        return "application/x-www-form-urlencoded", form_text.encode()
    if files:
        boundary = os.urandom(16).hex()
        return f"multipart/form-data; boundary={boundary}", multipart(files, boundary)
    if json is not None:
        return JSON, ENCODER.encode(plain(json)).encode()
    return "", content.encode() if isinstance(content, str) else content


def multipart(parts: Sequence[tuple[str, Part]], boundary: str) -> bytes:
    """The parts of a form in one body (RFC 7578)."""
    lines: list[bytes] = []
    for name, (filename, data, kind) in parts:
        head = f'Content-Disposition: form-data; name="{name.translate(IN_PARTS)}"'
        if filename is not None:
            head += f'; filename="{filename.translate(IN_PARTS)}"'
            kind = kind or "application/octet-stream"
        if kind is not None:
            head += f"\r\nContent-Type: {kind}"
        lines += [f"--{boundary}".encode(), head.encode(), b"", data]
    return b"\r\n".join([*lines, f"--{boundary}--".encode(), b""])


def read(kind: type[Result], body: bytes, key: str | None = None) -> Result:
    """The body of a response as a result, or as the property `key` of one.

    Raises ApiError if it is not what the spec says.
    """
    try:
        if key is None:
            value = DECODER.decode(body.decode())
        else:
            value = {key: DECODER.decode(body.decode())} if body else {}
        result: Result = reader(kind)(value)
        return result
    except (ValueError, RecursionError) as error:
        logger().warning("A response cannot be read: %s", error)
        raise ApiError("The API's response is not what it should be") from error


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)


def audio(body: bytes, media_type: str) -> AudioContent:
    return AudioContent(data=b64encode(body).decode(), mime_type=media_type)


def file(body: bytes, media_type: str) -> EmbeddedResource:
    blob = b64encode(body).decode()
    whole = BlobResourceContents(uri="response:body", mime_type=media_type, blob=blob)
    return EmbeddedResource(resource=whole)
