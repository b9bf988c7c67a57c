"""The request of an operation: its arguments, and where each of them is sent."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scaffold.diagnostics.wording import join, quote
from scaffold.sources.openapi.document import BrokenError, Document, Part, Reference
from scaffold.sources.openapi.media import first, has_json, kind_of, named
from scaffold.sources.openapi.names import safe, unique
from scaffold.sources.openapi.notes import Notes
from scaffold.sources.openapi.operations import Operation
from scaffold.sources.openapi.schemas import Direction, Schema, Schemas, is_binary
from scaffold.sources.openapi.text import shortened
from scaffold.spec.api import FORM, HEADER, MULTIPART, STYLES, is_json
from scaffold.spec.fields import JsonObject

_IGNORED = ("accept", "content-type", "authorization")
"""Headers that are no parameters (OpenAPI 3.1, 4.8.12.1)."""

_CONNECTION = frozenset(
    [
        "cookie",
        "cookie2",
        "host",
        "content-length",
        "content-encoding",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "proxy-authorization",
        "proxy-connection",
    ]
)
"""Headers that the client sends: as an argument, each could be a credential or another request."""

_PLACES = ("path", "query", "header", "cookie")

_FLAT = {
    *("type", "properties", "required", "title", "description", "example", "examples"),
    *("xml", "externalDocs", "deprecated", "default", "nullable", "additionalProperties"),
}
"""The keywords of a body whose properties can be arguments."""

_PREFERRED = ("application/json", "+json", FORM, MULTIPART)


@dataclass
class Request:
    """A request as it is put together.

    `properties` and `required` are those of the arguments, `http` is the `handler.http` of the tool.
    """

    operation: Operation
    schemas: Schemas
    credentials: frozenset[tuple[str, str]]
    notes: Notes
    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    references: dict[Reference, None] = field(default_factory=dict)
    http: dict[str, Any] = field(default_factory=dict)

    def input_schema(self, size: int) -> JsonObject:
        """Return the schema of the arguments."""
        schema: dict[str, Any] = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = self.required
        schema["additionalProperties"] = False
        return self.schemas.whole(schema, self.references, Direction.INPUT, size)

    def add(self, name: str, place: str, schema: Schema, required: bool, text: str = "") -> str:
        """Add an argument, and return its name: with a suffix if another has it."""
        wanted = safe(name) or place
        argument = unique(wanted, self.properties)
        if argument != wanted[:64]:
            argument = unique(f"{wanted[: 63 - len(place)]}_{place}", self.properties)
            about = f"`{name}` in the {place} is the argument `{argument}`"
            self.remark(f"{about}, because there is another `{wanted}`")
        value = schema.value
        if text and isinstance(value, dict) and "description" not in value:
            value = {**value, "description": shortened(text)}
        self.properties[argument] = value
        self.references |= dict.fromkeys(sorted(schema.references, key=self.schemas.name))
        if required:
            self.required.append(argument)
        return argument

    def remark(self, text: str) -> None:
        """Remember what is not as in the document."""
        self.notes.remark(f"{self.operation.about}: {text}")


def request_of(
    operation: Operation,
    schemas: Schemas,
    credentials: frozenset[tuple[str, str]],
    notes: Notes,
) -> Request:
    """Return the request of an operation.

    `credentials` are the places and names of parameters that authenticate, in lower case: they are
    no arguments. Raises BrokenError if the request cannot be made.
    """
    request = Request(operation, schemas, credentials, notes)
    request.http["method"] = operation.method
    given = [*_parameters(operation, schemas, notes)]
    parameters: list[JsonObject] = []
    in_path = {part.text("name"): part for part in given if part.text("in") == "path"}
    request.http["path"] = _path(request, in_path, parameters)
    for part in given:
        place, name = part.text("in"), part.text("name")
        if place == "path":
            continue
        if (place, name.lower()) in credentials or (place == "header" and name.lower() in _IGNORED):
            continue
        if place == "header" and name.lower() in _CONNECTION:
            request.remark(f"the header `{name}` was left out: it belongs to the connection")
            continue
        if place != "query" and not HEADER.fullmatch(name):
            request.remark(f"the {place} `{name}` was left out: HTTP does not allow the name")
            continue
        schema, required = _schema(request, part), part.at("required").value is True
        argument = request.add(name, place, schema, required, part.text("description"))
        made: dict[str, Any] = {"name": name, "in": place}
        made |= {"argument": argument} if argument != name else {}
        parameters.append(made | _style(request, part, schema))
    if parameters:
        request.http["parameters"] = parameters
    body = operation.part.at("requestBody")
    if body.value is not None:
        _add_body(request, schemas.document.followed(body))
    return request


def _parameters(operation: Operation, schemas: Schemas, notes: Notes) -> Iterator[Part]:
    """Yield the parameters of an operation; its own replace those of its path.

    `notes` gets those that are broken.
    """
    found: dict[tuple[str, str], Part] = {}
    for owner in (operation.item, operation.part):
        about = operation.path if owner is operation.item else operation.about
        if not isinstance(owner.at("parameters").value, list | None):
            notes.fault(f"`parameters` of `{about}` was left out: it is not a list")
        own: dict[tuple[str, str], Part] = {}
        for number, part in enumerate(owner.list("parameters"), 1):
            part = schemas.document.followed(part)
            place, name = part.text("in"), part.text("name")
            if place == "querystring":
                raise BrokenError(f"`{name}` is a whole query string, which is not supported")
            if trouble := _trouble(part, own):
                what = f"the parameter {quote(name)}" if name else f"parameter {number}"
                notes.fault(f"{what} of `{about}` was left out: {trouble}")
            else:
                own[place, name] = part
        found |= own
    yield from found.values()


def _trouble(part: Part, others: Collection[tuple[str, str]]) -> str:
    """Return why a parameter cannot be used, as the end of a sentence; empty if it can."""
    place, name = part.text("in"), part.text("name")
    if not isinstance(part.value, Mapping):
        return "it is not an object"
    if not name:
        return "it has no `name`"
    if place not in _PLACES:
        return f"its `in` is {quote(place)}, not one of {join(_PLACES, 'and')}"
    return "it is there twice" if (place, name) in others else ""


def _path(request: Request, declared: Mapping[str, Part], parameters: list[JsonObject]) -> str:
    """Add the arguments in the path, and return it with their names in braces.

    `parameters` gets those that have a style.
    """
    path = request.operation.path.partition("#")[0]
    made, names = "", dict[str, str]()
    for piece in re.split(r"(\{[^{}]*\})", path):
        if not re.fullmatch(r"\{[^{}]*\}", piece):
            made += re.sub(r"\s", "%20", piece.replace("{", "{{").replace("}", "}}"))
            continue
        name = piece[1:-1].strip()
        part = declared.get(name, Part({"in": "path", "schema": {"type": "string"}}, ""))
        if name not in names:
            schema = _schema(request, part)
            names[name] = request.add(name, "path", schema, True, part.text("description"))
            if style := _style(request, part, schema):
                own = {"argument": names[name]} if names[name] != name else {}
                parameters.append({"name": name, "in": "path", **own, **style})
        made += f"{{{names[name]}}}"
    return made


def _schema(request: Request, part: Part) -> Schema:
    """Return the schema of a parameter, which can be that of its content."""
    content = [below for _, below in part.items("content")]
    below = content[0].at("schema") if content else part.at("schema")
    return request.schemas.convert(below, Direction.INPUT) if below.value else Schema({})


def _style(request: Request, part: Part, schema: Schema) -> dict[str, Any]:
    """Return how a parameter is written, as far as that is not the default."""
    place, name = part.text("in"), part.text("name")
    style, explode = part.text("style"), part.at("explode").value
    usual = "form" if place in ("query", "cookie") else "simple"
    if media_type := next((kind for kind, _ in part.items("content")), ""):
        if media_type.startswith("text/"):
            return {}
        if not is_json(media_type):
            request.remark(f"`{name}` is sent as JSON, not as {media_type}")
        return {"style": "json"}
    if style and style not in STYLES[place]:
        request.remark(f"`{name}` is sent in the style `{usual}`, not `{style}`")
        style = ""
    is_plain = _is_plain(request, part.at("schema"))
    made: dict[str, Any] = {}
    if part.at("allowReserved").value is True:
        if place == "query" and (is_plain or explode is not False):
            made["allowReserved"] = True
        else:
            request.remark(f"reserved characters of `{name}` are escaped")
    if style not in ("", usual) and not (is_plain and place == "query"):
        made["style"] = style
    default = usual == "form" and style in ("", usual)
    if isinstance(explode, bool) and explode is not default and not is_plain:
        made |= {"explode": explode} if style != "deepObject" else {}
    return made


def _is_plain(request: Request, schema: Part) -> bool:
    """Return whether a value is neither a list nor an object."""
    try:
        found = request.schemas.document.followed(schema).at("type").value
    except BrokenError:
        return False
    types = found if isinstance(found, list) else [found]
    return all(one in ("string", "integer", "number", "boolean", "null") for one in types)


def _add_body(request: Request, body: Part) -> None:
    """Add the arguments of the body, and say how it is sent."""
    chosen = _media_type(body)
    if chosen is None:
        return
    media_type, content = chosen
    if _is_nothing(request, body, content):
        return
    kind = kind_of(media_type)
    required = body.at("required").value is True
    made: dict[str, Any] = {"mediaType": media_type}
    schemas, schema = request.schemas, content.at("schema")
    followed = schemas.document.followed(schema)
    given: dict[str, str] | None = None
    is_form = kind in (FORM, MULTIPART)
    files = [*dict.fromkeys(_files(schemas.document, schema))] if kind == MULTIPART else []
    if not (is_json(kind) or is_form):
        text = {"type": "string", "description": body.text("description") or f"Body, {kind}"}
        is_text = kind.startswith("text/") or kind.endswith(("xml", "yaml", "csv"))
        if not is_text:
            text["contentEncoding"] = "base64"
        made["argument"] = request.add("body", "body", Schema(text), required)
        if not is_text:
            files = [made["argument"]]
    elif _is_flat(followed, required):
        converted = schemas.inlined(schema, Direction.INPUT)
        names = converted.value.get("required", [])
        properties = converted.value.get("properties", {})
        renamed: dict[str, str] = {}
        given = {}
        for name, value in properties.items():
            one = Schema(value, converted.references)
            given[name] = request.add(name, "body", one, name in names)
            if given[name] != name:
                renamed[given[name]] = name
        made |= {"rename": renamed} if renamed else {}
        files = [given[name] for name in files if name in given]
    else:
        converted = schemas.convert(schema, Direction.INPUT) if schema.value else Schema({})
        text_ = body.text("description")
        made["argument"] = request.add("body", "body", converted, required, text_)
    made |= {"files": files} if files else {}
    if is_form:
        made |= _encoded(request, content, kind, given)
    made |= {"required": True} if required else {}
    request.http["body"] = made


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
    request: Request, content: Part, kind: str, given: Mapping[str, str] | None
) -> dict[str, Any]:
    """Return how the fields of a form are encoded, as far as that is not the default."""
    deep: list[str] = []
    types: dict[str, str] = {}
    for name, one in content.items("encoding"):
        if given is not None and name not in given:
            continue
        argument = given[name] if given is not None else name
        listed = [part.strip() for part in one.text("contentType").split(",")]
        media_type = next((part for part in listed if part and "*" not in part), "")
        style, explode = one.text("style"), one.at("explode").value
        if kind == FORM and style == "deepObject":
            deep.append(argument)
        elif style not in ("", "form") or explode is False:
            request.remark(f"`{name}` is sent as one field per item, not in its encoding")
        if media_type and (kind == MULTIPART or is_json(media_type)):
            types[argument] = "application/json" if is_json(media_type) else media_type
        if one.at("headers").value:
            request.remark(f"the headers in the encoding of `{name}` were left out")
        if one.at("allowReserved").value is True:
            request.remark(f"reserved characters of `{name}` are escaped")
    return {**({"deep": deep} if deep else {}), **({"types": types} if types else {})}


def _media_type(body: Part) -> tuple[str, Part] | None:
    """Return the media type to send, and what the document says of it."""
    given = [*body.items("content")]
    found = [(media_type, one) for name, one in given if (media_type := named(name))]
    for wanted in _PREFERRED:
        for media_type, content in found:
            kind = kind_of(media_type)
            if kind == wanted or (wanted[0] == "+" and kind.endswith(wanted)):
                return media_type, content
    for name, content in found or given[:1]:
        return "application/json" if has_json(name, content) else first([(name, content)]), content
    return None


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


def _files(document: Document, part: Part) -> Iterator[str]:
    """Yield the properties of a form that are files, or lists of them."""
    waiting, seen = [part], set[int]()
    for each in waiting:  # grows
        here = document.followed(each)
        if id(here.value) in seen:
            continue
        seen.add(id(here.value))
        for name, one in here.items("properties"):
            one = document.followed(one)
            if is_binary(one.value) or is_binary(document.followed(one.at("items")).value):
                yield name
        for key in ("allOf", "anyOf", "oneOf"):
            waiting += here.list(key)
