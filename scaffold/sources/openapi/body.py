"""Add the body of an operation to its request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scaffold.format.http_handler import FORM, MULTIPART, is_json, is_text, kind_of
from scaffold.sources.openapi.document import Document, Part
from scaffold.sources.openapi.names import unique
from scaffold.sources.openapi.request import Request
from scaffold.sources.openapi.schemas import Direction
from scaffold.sources.openapi.vocabulary import is_binary

_FLAT = {
    *("type", "properties", "required", "title", "description", "example", "examples"),
    *("xml", "externalDocs", "deprecated", "default", "nullable", "additionalProperties"),
}
"""The keywords of a body whose properties can be arguments."""

_NAME = "[A-Za-z0-9!#$&^_.+-]+"
_NAMED = re.compile(rf"({_NAME}/{_NAME})(\s*;\s*[^\s;=]+=([^\s;\"]+|\"[^\"]*\"))*")


def add_body(request: Request) -> None:
    """Add the arguments of the body, if there is one, and say how it is sent.

    Raises BrokenError if a reference leads nowhere.
    """
    body = request.schemas.document.followed(request.operation.part.at("requestBody"))
    chosen = _media_type(request.schemas.document, body)
    if chosen is None:
        return
    media_type, content = chosen
    if _is_nothing(request, body, content):
        return
    kind = kind_of(media_type)
    required = body.at("required").value is True
    written: dict[str, Any] = {"mediaType": media_type}
    schemas, schema = request.schemas, content.at("schema")
    followed = schemas.document.followed(schema)
    given: dict[str, str] | None = None
    is_form = kind in (FORM, MULTIPART)
    found = dict(_files(schemas.document, schema)) if kind == MULTIPART else {}
    files, filenames = [*found], dict[str, str]()
    if not (is_json(kind) or is_form):
        text = {"type": "string", "description": body.text("description") or f"Body, {kind}"}
        text |= {} if is_text(kind) else {"contentEncoding": "base64"}
        written["argument"] = request.add("body", "body", text, required)
        files = [] if is_text(kind) else [written["argument"]]
    elif _is_flat(followed, required):
        converted = schemas.inlined(schema, Direction.INPUT)
        names = converted.get("required", [])
        properties = converted.get("properties", {})
        renamed: dict[str, str] = {}
        given = {}
        for name, value in properties.items():
            given[name] = request.add(name, "body", value, name in names)
            if given[name] != name:
                renamed[given[name]] = name
        written |= {"rename": renamed} if renamed else {}
        for name in (name for name in files if name in given):
            filenames[given[name]] = _filename(request, given[name], found[name])
        files = [*filenames]
    else:
        is_stated = isinstance(schema.value, Mapping)
        converted = schemas.convert(schema, Direction.INPUT) if is_stated else {}
        if is_form:  # even if the schema does not say so: its fields have names
            converted = {"type": "object", **converted}
        text_ = body.text("description")
        written["argument"] = request.add("body", "body", converted, required, text_)
    written |= {"files": files} if files else {}
    written |= {"filenames": filenames} if filenames else {}
    if is_form:
        written |= _encoded(request, content, kind, given, files)
    written |= {"required": True} if required else {}
    request.http["body"] = written


def _filename(request: Request, file: str, is_list: bool) -> str:
    """Add the argument for the name of a file, or the names of several, and return its name."""
    name: dict[str, Any] = {"type": "string"}
    schema = {"type": "array", "items": name} if is_list else name
    what = "Names of the files" if is_list else "Name of the file"
    schema["description"] = f"{what} in `{file}`, with the suffix"
    wanted = "filename" if file == "file" else f"{file}_filename"
    return request.add(unique(wanted, request.properties), "body", schema, False)


def _is_nothing(request: Request, body: Part, content: Part) -> bool:
    """Return whether a body can only be empty, as those that generators write for GET."""
    schema = request.schemas.document.followed(content.at("schema"))
    return (
        schema.at("properties").value == {}
        and schema.at("type").value == "object"
        and not schema.at("additionalProperties").value
        and body.at("required").value is not True
    )


def _encoded(
    request: Request,
    content: Part,
    kind: str,
    given: Mapping[str, str] | None,
    files: Sequence[str],
) -> dict[str, Any]:
    """Return how the fields of a form are encoded, as far as that is not the default."""
    encoding: dict[str, Any] = {"deep": [], "joined": [], "types": {}}
    for name, entry in content.items("encoding"):
        if given is not None and name not in given:
            continue
        argument = given[name] if given is not None else name
        listed = [part.strip() for part in entry.text("contentType").split(",")]
        kinds = [part for part in listed if part and "*" not in part]
        media_type = ", ".join(kinds if argument in files else kinds[:1])
        style, explode = entry.text("style"), entry.at("explode").value
        if kind == FORM and style == "deepObject":
            encoding["deep"].append(argument)
        elif kind == FORM and style in ("", "form") and explode is False:
            encoding["joined"].append(argument)
        elif style not in ("", "form") or explode is False:
            request.remark(f"`{name}` is sent as one field per item, not in its encoding")
        if media_type and (kind == MULTIPART or is_json(media_type)):
            encoding["types"][argument] = "application/json" if is_json(media_type) else media_type
        if entry.at("headers").value:
            request.remark(f"the headers in the encoding of `{name}` were left out")
        if entry.at("allowReserved").value is True:
            request.remark(f"reserved characters of `{name}` are escaped")
    return {key: value for key, value in encoding.items() if value}


def _media_type(document: Document, body: Part) -> tuple[str, Part] | None:
    """Return the media type to send, and what the document says of it."""
    given = [*body.items("content")]
    known = [(media_type, row) for name, row in given if (media_type := _named(name))]
    if known:
        return min(known, key=lambda row: _rank(document, *row))
    for name, content in given[:1]:
        if has_json(name, content):
            return "application/json", content
        return first_media_type([(name, content)]), content
    return None


def _rank(document: Document, media_type: str, content: Part) -> int:
    """Return the place of a media type among those offered.

    JSON is preferred, except to a form with files, which JSON could only hold as text in base64.
    """
    kind = kind_of(media_type)
    if kind == MULTIPART and any(_files(document, content.at("schema"))):
        return 0
    if is_json(kind):
        return 1 if kind == "application/json" else 2
    return {FORM: 3, MULTIPART: 4}.get(kind, 5)


def _is_flat(schema: Part, required: bool) -> bool:
    """Return whether the properties of a body can be arguments of their own."""
    value = schema.value
    if not isinstance(value, Mapping) or not isinstance(value.get("properties"), Mapping):
        return False
    keys = {key for key in value if not key.startswith("x-")}
    is_open = value.get("additionalProperties", False) is not False
    is_object = value.get("type", "object") == "object" and value.get("nullable") is not True
    return bool(
        keys <= _FLAT
        and not is_open
        and is_object
        and value["properties"]
        and (required or not value.get("required"))
    )


def _files(document: Document, part: Part) -> Iterator[tuple[str, bool]]:
    """Yield the properties of a form that are files, and whether they are lists of files."""
    for here in document.in_place(part, "allOf", "anyOf", "oneOf"):
        for name, schema in here.items("properties"):
            schema = document.followed(schema)
            is_list = is_binary(document.followed(schema.at("items")).value)
            if is_list or is_binary(schema.value):
                yield name, is_list


def _named(media_type: str) -> str | None:
    """Return a media type as a request can name it; None for a range, or for what is none at all."""
    return media_type.strip() if _NAMED.fullmatch(media_type.strip()) else None


def has_json(media_type: str, content: Part) -> bool:
    """Return whether a body is JSON: a range is if its schema is not that of a text."""
    if _named(media_type):
        return is_json(media_type)
    if kind_of(media_type).endswith("json"):
        return True
    return bool(content.at("schema").value) and content.at("schema", "type").value != "string"


def first_media_type(contents: Iterable[tuple[str, Part]]) -> str:
    """Return the media type of a body that is not JSON; for a range, that of a text or of bytes."""
    kinds = [*contents]
    if named := [kind for media_type, _ in kinds if (kind := _named(media_type))]:
        return named[0]
    is_bytes = any(is_binary(content.at("schema").value) for _, content in kinds)
    return "application/octet-stream" if is_bytes else "text/plain"
