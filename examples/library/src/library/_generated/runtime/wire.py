"""Arguments as parts of HTTP requests."""

import codecs
import json
import re
from base64 import b64decode
from collections.abc import Container, Mapping
from itertools import zip_longest
from mimetypes import guess_type
from typing import Any, TypeAlias
from urllib.parse import quote

from . import answers, bodies
from .handlers import ToolError

Part: TypeAlias = tuple[str | None, bytes, str | None]
"""A file name, data and a media type."""
Json: TypeAlias = dict[str, Any] | list[Any] | str | float | None

JSON = "application/json"

# Handlers find all that they need in this module.
plain, read = bodies.plain, answers.read
audio, file, image = bodies.audio, bodies.file, bodies.image

# What needs no escape: in the names of cookies, in lists in headers.
IN_NAMES = "!#$&'*+^`|"
IN_HEADERS = " !\"#$&'()*+/:;<=>?@[\\]^`{|}"

TEXTS = re.compile(r"text/|application/(\S+\+)?(json|xml)", re.IGNORECASE)
CHARSET = re.compile(
    r"charset=\"?(utf-(?:16|32)(?:le|be)?|(?:iso-8859|windows|koi8|euc)-\w+|shift_jis|big5)",
    re.IGNORECASE,
)
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class Encoded(str):
    """Text that is percent-encoded already."""


def text(value: object) -> str:
    """Return a string as it is, any other value as JSON."""
    value = value if isinstance(value, str) else plain(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def encoded(text: str) -> str:
    return text if isinstance(text, Encoded) else quote(text, safe="")


def items(value: object) -> list[Any]:
    """Return a list as it is, any other value as the only item of one."""
    result: list[Any] = [*value] if isinstance(value, list) else [value]
    return result


def pairs(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return names and texts: one pair for each item of a list, none for None."""
    return [
        (name, text(item))
        for name, value in values.items()
        for item in items(value)
        if item is not None
    ]


# The parts of a URL, and headers.


def query(values: Mapping[str, object]) -> str:
    """Return the query of a URL with its question mark, or nothing if it is empty."""
    fields = (f"{encoded(name)}={encoded(item)}" for name, item in pairs(values))
    return f"?{joint}" if (joint := "&".join(fields)) else ""


def headers(
    values: Mapping[str, object], cookies: Mapping[str, object]
) -> list[tuple[str, str]]:
    """Return headers as they are sent.

    Raises ToolError for a value that HTTP has no room for.
    """
    result = pairs(values)
    jar = (f"{quote(n, safe=IN_NAMES)}={encoded(item)}" for n, item in pairs(cookies))
    if joint := "; ".join(jar):
        result.append(("Cookie", joint))
    for name, item in result:
        if item != item.strip() or any(char < " " or char == "\x7f" for char in item):
            raise ToolError(f"{name} cannot have line ends, or spaces around it")
    return result


def joined(value: object, equals: str = ",", safe: str = "") -> Encoded | None:
    """Return a list or an object as one text; its parts have no commas but between them."""
    given: Json = plain(value)
    if given is None:
        return None
    if isinstance(given, dict):
        texts = {quote(k, safe): quote(text(item), safe) for k, item in given.items()}
        parts = [f"{key}{equals}{item}" for key, item in texts.items()]
    else:
        parts = [quote(text(item), safe) for item in items(given)]
    return Encoded(",".join(parts)) if parts else None


def field(value: object, equals: str = ",") -> Encoded | None:
    """Return a list or an object for a header, where only commas are escaped."""
    return joined(value, equals, safe=IN_HEADERS)


def segment(value: object, equals: str = ",") -> str:
    """Return a value for a path. Raises ToolError if it would lead to another path."""
    result = joined(value, equals) or ""
    if result in ("", ".", ".."):
        raise ToolError(f"{result!r} cannot be part of a path")
    return result


def json_text(value: object) -> str:
    return json.dumps(plain(value), ensure_ascii=False)


def as_json(value: object) -> str | None:
    """Return a value as JSON, or None if there is none."""
    return None if value is None else json_text(value)


def properties(value: object) -> dict[str, object]:
    """Return the properties of an object, each as a parameter of its own."""
    return dict(plain(value) or {})


def deep(name: str, value: object) -> dict[str, object]:
    """Return an object as `name[key]=value`, at every depth."""
    given: Json = plain(value)
    if isinstance(given, list):
        given = {str(number): item for number, item in enumerate(given)}
    if not isinstance(given, dict):
        return {name: given}
    result: dict[str, object] = {}
    for key, below in given.items():
        result |= deep(f"{name}[{key}]", below)
    return result


# Bodies of requests.


def given(arguments: object, without: Container[str] = ()) -> dict[str, Any]:
    """Return the arguments of a call as JSON; one that was not given is absent."""
    values: dict[str, Any] = plain(arguments)
    return {name: value for name, value in values.items() if name not in without}


def renamed(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return properties under the names that they have in the API."""
    return {names.get(name, name): value for name, value in values.items()}


def form(
    values: Mapping[str, Any],
    nested: Container[str] = (),
    types: Mapping[str, str] = {},
    joint: Container[str] = (),
) -> dict[str, list[str]]:
    """Return the fields of a form.

    `nested` are objects with a field for each property; those in `types` are JSON. The items of
    `joint` ones are in one field, with commas between them.
    """
    fields: dict[str, list[str]] = {}
    for name, value in values.items():
        if name in joint:
            value = ",".join(map(text, items(value)))
        whole = {name: json.dumps(value) if name in types else value}
        for key, item in pairs(deep(name, value) if name in nested else whole):
            fields.setdefault(key, []).append(item)
    return fields


def parts(
    values: Mapping[str, Any],
    files: Container[str] = (),
    types: Mapping[str, str] = {},
    names: Mapping[str, str] = {},
) -> list[tuple[str, Part]]:
    """Return the parts of a multipart form.

    `files` are in base64, `types` are media types. `names` are, by file, the values that
    hold file names; without one, a file has the name of its part.
    """
    result: list[tuple[str, Part]] = []
    for name in (name for name in values if name not in names.values()):
        value, kind = values[name], types.get(name)
        if kind == JSON and name not in files:
            result.append((name, (None, json.dumps(value).encode(), kind)))
            continue
        filenames = values.get(names[name]) if name in names else None
        for item, filename in zip_longest(items(value), items(filenames)):
            if item is None:
                continue
            if name in files:
                filename = text(filename or name)
                data = b64decode(text(item))
                result.append((name, (filename, data, media_type(filename, kind))))
            else:
                data = text(item).encode()
                usual = JSON if isinstance(item, dict) else None
                result.append((name, (None, data, kind or usual)))
    return result


def media_type(filename: str, types: str | None) -> str | None:
    """Return the media type that a file's name has, or of other `types` the first."""
    kind, _ = guess_type(filename)
    allowed = [name.strip() for name in types.split(",")] if types else [kind]
    return kind if kind in allowed else allowed[0]


def utf8(body: bytes, content_type: str) -> bytes:
    """Return the body of a response in UTF-8 without a byte order mark, if it is text."""
    if not TEXTS.match(content_type):
        return body
    declared = CHARSET.search(content_type)
    charset = declared[1] if declared else "utf-8"
    for mark, meaning in MARKS.items():
        if body.startswith(mark):
            body, charset = body.removeprefix(mark), meaning
    try:
        return body if charset == "utf-8" else body.decode(charset).encode()
    except (LookupError, ValueError):
        return body


def decoded(base64: str | None) -> bytes | None:
    """Return the bytes that an argument holds."""
    return None if base64 is None else b64decode(base64)
