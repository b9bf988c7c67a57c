"""Add the path, the query, the headers and the cookies of an operation to its request."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scaffold.base.diagnostics.wording import join, quote
from scaffold.format.fields import JsonObject
from scaffold.format.http_handler import HEADER, STYLES, is_json
from scaffold.sources.openapi.document import BrokenError, Part
from scaffold.sources.openapi.request import Request
from scaffold.sources.openapi.schemas import Direction

_IGNORED = ("accept", "content-type", "authorization")
"""Headers that are no parameters (OpenAPI 3.1, 4.8.12.1)."""

_CONNECTION = frozenset({
    "cookie", "cookie2", "host", "content-length", "content-encoding", "transfer-encoding",
    "connection", "keep-alive", "te", "trailer", "upgrade", "expect",
    "proxy-authorization", "proxy-connection",
})  # fmt: skip
"""Headers that the client sets: as arguments, they could carry credentials or other requests."""

_UNSUPPORTED: Mapping[str, tuple[str, ...]] = {
    "path": ("label", "matrix"),
    "query": ("spaceDelimited", "pipeDelimited"),
    "header": (),
    "cookie": (),
}
"""Rare styles of OpenAPI, which are not supported: another style would change the value."""

_PLACES = ("path", "query", "header", "cookie")


def add_parameters(request: Request) -> None:
    """Add the method, the path and the parameters. Raises BrokenError if there is no such request."""
    request.http["method"] = request.operation.method
    given = [*_parameters(request)]
    parameters: list[JsonObject] = []
    in_path = {part.text("name"): part for part in given if part.text("in") == "path"}
    request.http["path"] = _path(request, in_path, parameters)
    for part in given:
        place, name = part.text("in"), part.text("name")
        if place == "path":
            if f"{{{name}}}" not in request.operation.path.replace(" ", ""):
                request.remark(f"the parameter {quote(name)} was left out: it is not in the path")
            continue
        if (place, name.lower()) in request.credentials or (
            place == "header" and name.lower() in _IGNORED
        ):
            continue
        if place == "header" and name.lower() in _CONNECTION:
            request.remark(f"the header `{name}` was left out: it belongs to the connection")
            continue
        if place != "query" and not HEADER.fullmatch(name):
            request.remark(f"the {place} `{name}` was left out: HTTP does not allow the name")
            continue
        parameters.append(_added(request, part)[1])
    if parameters:
        request.http["parameters"] = parameters


def _parameters(request: Request) -> Iterator[Part]:
    """Yield the parameters of an operation; its own override those of its path.

    Invalid ones are added to the document's faults.
    """
    operation, document = request.operation, request.schemas.document
    by_name: dict[tuple[str, str], Part] = {}
    for owner in (operation.item, operation.part):
        about = operation.path if owner is operation.item else operation.about
        if not isinstance(owner.at("parameters").value, list | None):
            document.fault(f"`parameters` of `{about}` was left out: it is not a list")
        own: dict[tuple[str, str], Part] = {}
        for number, part in enumerate(owner.list("parameters"), 1):
            part = document.followed(part)
            place, name = part.text("in"), part.text("name")
            if place == "querystring":
                raise BrokenError(f"`{name}` is a whole query string, which is not supported")
            if trouble := _trouble(part, own):
                what = f"the parameter {quote(name)}" if name else f"parameter {number}"
                document.fault(f"{what} of `{about}` was left out: {trouble}")
            else:
                own[place, name] = part
        by_name |= own
    yield from by_name.values()


def _trouble(part: Part, others: Collection[tuple[str, str]]) -> str:
    """Return why a parameter cannot be used, as the end of a sentence; empty if it can.

    Raises BrokenError if the operation needs it.
    """
    place, name = part.text("in"), part.text("name")
    if not isinstance(part.value, Mapping):
        return "it is not an object"
    if not name:
        return "it has no `name`"
    if place not in _PLACES:
        return f"its `in` must be {join(_PLACES, 'or')}"
    style = part.text("style")
    if style in _UNSUPPORTED[place]:
        trouble = f"its style `{style}` is not supported"
        if place == "path" or part.at("required").value is True:
            raise BrokenError(f"the parameter {quote(name)} cannot be sent: {trouble}")
        return trouble
    return "it is a duplicate" if (place, name) in others else ""


def _path(request: Request, declared: Mapping[str, Part], parameters: list[JsonObject]) -> str:
    """Add the arguments in the path, and return it with their names in braces.

    `parameters` gets those that have a style.
    """
    path = request.operation.path.partition("#")[0]
    template, names = "", dict[str, str]()
    for piece in re.split(r"(\{[^{}]*\})", path):
        if not re.fullmatch(r"\{[^{}]*\}", piece):
            template += re.sub(r"\s", "%20", piece.replace("{", "{{").replace("}", "}}"))
            continue
        name = piece[1:-1].strip()
        if name not in names:
            usual = {"name": name, "in": "path", "schema": {"type": "string"}}
            names[name], entry = _added(request, declared.get(name, Part(usual, "")))
            if entry.keys() - {"name", "in", "argument"}:
                parameters.append(entry)
        template += f"{{{names[name]}}}"
    return template


def _added(request: Request, part: Part) -> tuple[str, JsonObject]:
    """Add the argument of a parameter; return its name, and how it is sent.

    A parameter has a `schema`, or a `content` with a schema.
    """
    place, name = part.text("in"), part.text("name")
    content = [below for _, below in part.items("content")]
    below = content[0].at("schema") if content else part.at("schema")
    schema = request.schemas.convert(below, Direction.INPUT) if below.value else {}
    required = place == "path" or part.at("required").value is True
    argument = request.add(name, place, schema, required, part.text("description"))
    own = {"argument": argument} if argument != name else {}
    return argument, {"name": name, "in": place, **own, **_style(request, part)}


def _style(request: Request, part: Part) -> dict[str, Any]:
    """Return how a parameter is serialized; defaults are left out."""
    place, name = part.text("in"), part.text("name")
    style, explode = part.text("style"), part.at("explode").value
    usual = "form" if place in ("query", "cookie") else "simple"
    if media_type := next((kind for kind, _ in part.items("content")), ""):
        if media_type.startswith("text/"):
            return {}
        if not is_json(media_type):
            request.remark(f"`{name}` is sent as JSON, not as {media_type}")
        return {"style": "json"}
    is_plain = _is_plain(request, part.at("schema"))
    if style and style not in STYLES[place]:
        request.remark(f"`{name}` is sent in the style `{usual}`, not `{style}`")
        style = ""
    if part.at("allowReserved").value is True:
        request.remark(f"reserved characters of `{name}` are escaped")
    keys: dict[str, Any] = {}
    if style not in ("", usual) and not (is_plain and place == "query"):
        keys["style"] = style
    default = usual == "form" and style in ("", usual)
    if isinstance(explode, bool) and explode is not default and not is_plain:
        keys |= {"explode": explode} if style != "deepObject" else {}
    return keys


def _is_plain(request: Request, schema: Part) -> bool:
    """Return whether a schema names types, of which none is a list or an object."""
    parts = request.schemas.document.in_place(schema, "allOf", "anyOf", "oneOf")
    written = [part.at("type").value for part in parts]
    types = [name for each in written for name in (each if isinstance(each, list) else [each])]
    return any(types) and "array" not in types and "object" not in types
