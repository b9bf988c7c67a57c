"""A stand-in for the API of an OpenAPI document: it records requests, and knows whose they are."""

from __future__ import annotations

import re
import string
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.parser import BytesParser
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from tests import web
from tests.web import Call

BASE = "/base/v1"
LOCATION = "https://files.example/1"


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    line: str
    method: str
    path: str
    raw_query: str
    query: list[tuple[str, str]]
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Api:
    """What the API answers, and what it was asked."""

    url: str = ""
    status: int = 200
    media_type: str = "application/json"
    body: bytes = b"{}"
    raw: bytes | None = None
    """A whole response in place of these, after which the connection is closed."""
    drip: bytes = b""
    """What comes after it, again and again."""
    seen: list[Seen] = field(default_factory=list)

    def answers(self, status: int, body: bytes, media_type: str = "application/json") -> None:
        self.status, self.body, self.media_type = status, body, media_type
        self.seen.clear()


@contextmanager
def serving() -> Iterator[Api]:
    """Serve an API on this machine until the block ends."""
    api = Api()

    def answer(call: Call) -> None:
        parts = urlsplit(call.path)
        query = parse_qsl(parts.query, keep_blank_values=True)
        headers = {name.lower(): value for name, value in call.headers.items()}
        names = (call.requestline, call.command, parts.path, parts.query)
        api.seen.append(Seen(*names, query, headers, call.read()))
        if api.raw is None:
            location = {"Location": LOCATION} if 300 <= api.status < 400 else {}
            call.reply(api.status, api.body, api.media_type, **location)
            return
        call.close_connection = True
        with suppress(OSError):
            call.wfile.write(api.raw)
            while api.drip:
                time.sleep(0.05)
                call.wfile.write(api.drip)

    with web.serving(answer) as url:
        api.url = url + BASE
        yield api


def operation_of(document: Mapping[str, Any], seen: Seen) -> dict[str, Any]:
    """Return the operation of a document that a request is for. Fails if there is none."""
    candidates = []
    for template, item in document["paths"].items():
        pattern = re.sub(r"\\\{.*?\\\}", "[^/]+", re.escape(template.partition("#")[0]))
        pattern = quote(pattern, safe=string.printable)
        item = resolved(document, item)
        if re.fullmatch(pattern, seen.path.removeprefix(BASE)) and seen.method.lower() in item:
            candidates.append((template.count("{"), item))
    assert candidates, f"no operation has {seen.method} {seen.path}"
    item = min(candidates, key=lambda each: each[0])[1]
    operation = item[seen.method.lower()]
    given = [*item.get("parameters", ()), *operation.get("parameters", ())]
    return {**operation, "parameters": [resolved(document, each) for each in given]}


def resolved(document: Mapping[str, Any], value: Any) -> Any:
    """Return a value of a document without a reference at its root."""
    while isinstance(value, Mapping) and "$ref" in value:
        here: Any = document
        for token in value["$ref"].removeprefix("#/").split("/"):
            here = here[unquote(token).replace("~1", "/").replace("~0", "~")]
        value = here
    return value


def parts_of(seen: Seen) -> dict[str, bytes]:
    """The parts of a multipart body."""
    return dict(parts_in(seen))


def parts_in(seen: Seen) -> list[tuple[str, bytes]]:
    return [
        (each.get_param("name", header=_HEAD), each.get_payload(decode=True))
        for each in _parts(seen)
    ]


def types_of(seen: Seen) -> dict[str, str]:
    """The media types of the parts of a multipart body."""
    return {each.get_param("name", header=_HEAD): each.get_content_type() for each in _parts(seen)}


_HEAD = "content-disposition"


def _parts(seen: Seen) -> Any:
    head = f"Content-Type: {seen.headers['content-type']}\r\n\r\n".encode()
    return BytesParser().parsebytes(head + seen.body).get_payload()
