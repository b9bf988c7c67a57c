"""A stand-in for the API of an OpenAPI document: it records requests, and knows what is right."""

from __future__ import annotations

import json
import re
import string
from base64 import b64decode
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import jsonschema_rs

from tests.sources import styles

BASE = "/base/v1"
SECRET = "the upstream's own words"
LOCATION = "https://files.example/1"


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

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
    seen: list[Seen] = field(default_factory=list)

    def answers(self, status: int, body: bytes, media_type: str = "application/json") -> None:
        self.status, self.body, self.media_type = status, body, media_type
        self.seen.clear()


@contextmanager
def serving() -> Generator[Api]:
    """Serve an API on this machine until the block ends."""
    api = Api()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Transfer-Encoding") == "chunked":
                body = b"".join(_chunks(self.rfile))
            query = parse_qsl(parts.query, keep_blank_values=True)
            headers = {name.lower(): value for name, value in self.headers.items()}
            api.seen.append(Seen(self.command, parts.path, parts.query, query, headers, body))
            sends = self.command != "HEAD" and api.status not in (204, 304)
            self.send_response(api.status)
            if 300 <= api.status < 400:
                self.send_header("Location", LOCATION)
            if sends:
                self.send_header("Content-Type", api.media_type)
                self.send_header("Content-Length", str(len(api.body)))
            self.end_headers()
            if sends:
                self.wfile.write(api.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    for method in ("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"):
        setattr(Handler, f"do_{method}", Handler.answer)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        api.url = f"http://127.0.0.1:{server.server_port}{BASE}"
        yield api
        server.shutdown()


def _chunks(file: Any) -> Iterator[bytes]:
    while size := int(file.readline(), 16):
        yield file.read(size)
        file.readline()
    file.readline()


class Documented:
    """An OpenAPI document, read on its own: what a request of one of its operations must be."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        schemas = _json_schema(document, str(document["openapi"]).startswith("3.0"))
        self._registry = jsonschema_rs.Registry([("urn:document", schemas)])

    def resolved(self, value: Any) -> Any:
        """A value without a reference at its root."""
        while isinstance(value, Mapping) and "$ref" in value:
            here: Any = self.document
            for token in value["$ref"].removeprefix("#/").split("/"):
                here = here[unquote(token).replace("~1", "/").replace("~0", "~")]
            value = here
        return value

    def operation(self, method: str, path: str) -> tuple[dict[str, Any], dict[str, str]]:
        """The operation of a request, and the values in its path as they were sent."""
        below = path.removeprefix(BASE)
        found = []
        for template, item in self.document["paths"].items():
            names = re.findall(r"\{(.*?)\}", template)
            pattern = re.sub(r"\\\{.*?\\\}", "([^/]+)", re.escape(template.partition("#")[0]))
            pattern = quote(pattern, safe=string.printable)
            match = re.fullmatch(pattern, below)
            item = self.resolved(item)
            if match and method.lower() in item:
                values = dict(zip(names, match.groups(), strict=True))
                found.append((len(names), item, values))
        assert found, f"no operation has {method} {path}"
        _, item, values = min(found, key=lambda one: one[0])
        operation = item[method.lower()]
        given = [*item.get("parameters", ()), *operation.get("parameters", ())]
        parameters = {
            (one["in"], one["name"]): one for one in (self.resolved(one) for one in given)
        }
        return {**operation, "parameters": [*parameters.values()]}, values

    def check(self, seen: Seen, http: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
        """Fail if a request is not the one that the document describes for some arguments.

        `http` says only which argument is which parameter. How it is sent, the document says.
        """
        operation, in_path = self.operation(seen.method, seen.path)
        query = styles.raw_pairs(seen.raw_query, "&")
        cookies = styles.raw_pairs(seen.headers.get("cookie", ""), "; ")
        elsewhere = {*re.findall(r"\{(.*?)\}", http["path"])}
        for one in operation["parameters"]:
            place, name = one["in"], one["name"]
            argument = _argument(http, place, name)
            if argument is None:  # It is a credential, or a header that HTTP sets itself.
                continue
            elsewhere.add(argument)
            value = arguments.get(argument)
            if value is None or value in ([], {}):
                assert place != "path"
                continue
            if "schema" in one:
                self.fits(value, one["schema"], one)
            if place in ("path", "header"):
                raw = in_path[name] if place == "path" else seen.headers[name.lower()]
                assert styles.is_written(value, raw, one), (one, raw, value)
            else:
                styles.take(query if place == "query" else cookies, value, one)
        assert {name for name, _ in query} <= self._keys("query")
        assert {name for name, _ in cookies} <= self._keys("cookie")
        body = self.resolved(operation.get("requestBody"))
        given = {name: value for name, value in arguments.items() if name not in elsewhere}
        if seen.body or any(given.values()):
            assert body
            self._check_body(seen, body, http["body"], given)

    def _keys(self, place: str) -> set[str]:
        schemes = self.document.get("components", {}).get("securitySchemes", {}).values()
        return {one["name"] for one in map(self.resolved, schemes) if one.get("in") == place}

    def _check_body(
        self,
        seen: Seen,
        body: Mapping[str, Any],
        how: Mapping[str, Any],
        given: Mapping[str, Any],
    ) -> None:
        value: Any = {how.get("rename", {}).get(name, name): one for name, one in given.items()}
        if "argument" in how:
            assert {*given} <= {how["argument"]}
            value = given.get(how["argument"])
        kind = seen.headers["content-type"].partition(";")[0]
        contents = {name.partition(";")[0]: one for name, one in body["content"].items()}
        content = contents.get(kind) or next(
            one for name, one in contents.items() if fnmatch(kind, name)
        )
        if kind == "application/json" or kind.endswith("+json"):
            assert json.loads(seen.body) == value
            self.fits(value, content.get("schema", {}), seen.body)
        elif kind == "application/x-www-form-urlencoded":
            fields = styles.raw_pairs(seen.body.decode().replace("+", "%20"), "&")
            for name, one in (value or {}).items():
                if one is not None:
                    styles.take(fields, one, _field(name, one, content))
            assert fields == []
        elif kind == "multipart/form-data":
            self._check_parts(seen, value or {}, {*how.get("files", ())}, content)
        elif how.get("files"):
            assert seen.body == b64decode(value or "")
        else:
            assert seen.body.decode() == (value or "")

    def _check_parts(
        self,
        seen: Seen,
        value: Mapping[str, Any],
        files: set[str],
        content: Mapping[str, Any],
    ) -> None:
        expected = []
        for name, one in value.items():
            is_json = "content" in _field(name, one, content)
            for item in one if isinstance(one, list) and not is_json else [one]:
                expected += [(name, item, is_json)] if item is not None else []
        found = parts_in(seen)
        assert len(found) == len(expected)
        for (name, item, is_json), (key, data) in zip(expected, found, strict=True):
            assert name == key
            if name in files:
                assert data == b64decode(item)
            elif is_json:
                assert json.loads(data) == item
            else:
                assert styles.is_text(item, data.decode())

    def fits(self, value: Any, schema: Any, about: object) -> None:
        """Fail if a value does not fit a schema of the document."""
        reference = schema.get("$ref", "") if isinstance(schema, Mapping) else ""
        whole = (
            {"$ref": f"urn:document{reference}"}
            if reference
            else _absolute(_json_schema(schema, str(self.document["openapi"]).startswith("3.0")))
        )
        validator = jsonschema_rs.Draft202012Validator(whole, registry=self._registry)
        faults = [error.message for error in validator.iter_errors(value)]
        assert not faults, (faults, value, about)


def parts_of(seen: Seen) -> dict[str, bytes]:
    """The parts of a multipart body."""
    return dict(parts_in(seen))


def parts_in(seen: Seen) -> list[tuple[str, bytes]]:
    return [
        (one.get_param("name", header=_HEAD), one.get_payload(decode=True)) for one in _parts(seen)
    ]


def types_of(seen: Seen) -> dict[str, str]:
    """The media types of the parts of a multipart body."""
    return {one.get_param("name", header=_HEAD): one.get_content_type() for one in _parts(seen)}


_HEAD = "content-disposition"


def _parts(seen: Seen) -> Any:
    head = f"Content-Type: {seen.headers['content-type']}\r\n\r\n".encode()
    return BytesParser().parsebytes(head + seen.body).get_payload()


def _argument(http: Mapping[str, Any], place: str, name: str) -> str | None:
    """The argument that is a parameter."""
    for one in http.get("parameters", ()):
        if (one["in"], one["name"]) == (place, name):
            return str(one.get("argument", name))
    names = re.findall(r"\{(.*?)\}", http["path"]) if place == "path" else []
    return next(
        (one for one in names if re.sub(r"\W+", "_", one) == re.sub(r"\W+", "_", name)), None
    )


def _field(name: str, value: Any, content: Mapping[str, Any]) -> Mapping[str, Any]:
    """How a field of a form is sent: an object as JSON, unless its encoding has a style."""
    encoding = content.get("encoding", {}).get(name, {})
    if encoding.get("style") == "deepObject":
        return {"name": name, "style": "deepObject"}
    is_json = "json" in encoding.get("contentType", "") or isinstance(value, dict)
    return {"name": name, **({"content": {}} if is_json else {})}


def _json_schema(value: Any, is_3_0: bool) -> Any:
    """A document whose schemas are JSON Schema: `nullable` is a type."""
    if isinstance(value, list):
        return [_json_schema(item, is_3_0) for item in value]
    if not isinstance(value, dict):
        return value
    made = {key: _json_schema(item, is_3_0) for key, item in value.items()}
    if made.get("nullable") is True and isinstance(made.get("type"), str):
        made["type"] = [made["type"], "null"]
    if made.get("enum") == []:  # An error of the document: no value would be right.
        del made["enum"]
    if not isinstance(made.get("example"), Mapping):
        made.pop("example", None)
    return made


def _absolute(value: Any) -> Any:
    if isinstance(value, list):
        return [_absolute(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"urn:document{item}" if key == "$ref" and isinstance(item, str) else _absolute(item)
        for key, item in value.items()
    }
