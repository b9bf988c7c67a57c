"""Read an OpenAPI document as a source: the chosen operations are its tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import quote
from scaffold.format.fields import JsonObject
from scaffold.sources.openapi.access import Variables, credentials, key_names, servers
from scaffold.sources.openapi.body import add_body
from scaffold.sources.openapi.document import BrokenError, Document, Part
from scaffold.sources.openapi.names import sentence, shortened
from scaffold.sources.openapi.operations import Operation, operations
from scaffold.sources.openapi.parameters import add_parameters
from scaffold.sources.openapi.request import Request
from scaffold.sources.openapi.responses import Errors, errors_of, result_of
from scaffold.sources.openapi.schemas import Schemas, fault
from scaffold.sources.selection import Choice, TooManyError, matching
from scaffold.sources.source import Source, server_name, server_version

MAX_TOOLS = 40
"""The most operations that are imported without being asked for: models cannot use more tools."""

RENAMED = 5
"""The most operations with another name that are told one by one."""

MAX_INPUT_BYTES = 256_000
MAX_OUTPUT_BYTES = 16_000
"""The maximum characters of a schema as JSON, of arguments and of a result."""

ALL_INPUTS = 2_000_000
ALL_OUTPUTS = 1_000_000
"""The maximum characters of all of them."""

_HINTS: Mapping[str, JsonObject] = {
    **{method: {"readOnlyHint": True} for method in ("GET", "HEAD", "OPTIONS", "QUERY")},
    "PUT": {"idempotentHint": True},
    "DELETE": {"destructiveHint": True, "idempotentHint": True},
}


def is_openapi(value: object) -> bool:
    """Return whether a value is an OpenAPI document, or one of its predecessor Swagger."""
    return isinstance(value, Mapping) and ("openapi" in value or "swagger" in value)


def read_openapi(
    value: Mapping[str, Any], source: str, folder: Path | None, remarks: Sequence[str] = ()
) -> Source:
    """Return the source in a document, whose operations are still to be chosen.

    `folder` is where its relative files are; `told` is what is read otherwise than it is written.
    Raises ScaffoldError if it is of another version.
    """
    version = str(value.get("openapi", ""))
    if "swagger" in value and not version:
        message = f"this is a Swagger {value['swagger']} document"
        hint = "run `npx swagger2openapi --patch FILE -o openapi.yaml`, then import openapi.yaml"
        raise ScaffoldError.of("not-importable", message, source, hint)
    if not re.match(r"3\.[012](\.|$)", version):
        message, hint = f"unknown version of OpenAPI: {quote(version)}", "save it as OpenAPI 3.1"
        raise ScaffoldError.of("not-importable", message, source, hint)

    def choose(include: Sequence[str], exclude: Sequence[str], before: Mapping[str, str]) -> Source:
        document = Document(source, value, folder)
        for remark in remarks:
            document.remark(remark)
        if version.startswith("3.2"):
            document.remark(
                "OpenAPI 3.2 is read as 3.1: new schema and media type features are ignored"
            )
        every = tuple(operations(document, before))
        return _source(document, every, _chosen(document, every, include, exclude))

    name = _name(Part(value, "").at("info").text("title"))
    return Source(source, {"name": name}, {}, choose=choose)


def _name(title: str) -> str:
    """Return the name of the server for an API: without what only describes the document."""
    return server_name(re.sub(r"\s-\sOpenAPI.*|\(.*?\)", "", title) or title)


def _chosen(
    document: Document, every: Sequence[Operation], include: Sequence[str], exclude: Sequence[str]
) -> Sequence[Operation]:
    """Return the operations that the patterns choose. Raises ScaffoldError if there are too many."""
    source = document.source
    if not every and document.faults:
        return every
    if not every:
        message = "the document has no operations"
        hint = "webhooks and callbacks cannot be tools: use a document with `paths`"
        raise ScaffoldError.of("not-importable", message, source, hint)
    choices = [Choice(operation.name, operation.labels, _group(operation)) for operation in every]
    wanted = matching(choices, include, exclude, source)
    if sum(wanted) > MAX_TOOLS and not include:
        raise TooManyError(source, [*compress(choices, wanted)])
    return [*compress(every, wanted)]


def _group(operation: Operation) -> str:
    """Return a pattern for operations that belong together: their tag, or the first of the path."""
    if operation.tags:
        return f"tag:{operation.tags[0]}"
    return f"/{operation.path.split('/')[1]}/**"


def _source(
    document: Document, every: Sequence[Operation], operations: Sequence[Operation]
) -> Source:
    """Return the source of the chosen operations, some of `every` one in the document."""
    info = document.root.at("info")
    title, description = info.text("title"), info.text("description")
    name = _name(title)
    spec: dict[str, Any] = {"name": name, "version": server_version(info.at("version").value)}
    spec |= {"title": title} if title and title != name else {}
    spec |= {"description": sentence(description)} if description else {}
    website = document.root.at("externalDocs").text("url")
    if website.startswith(("http://", "https://")) and " " not in website:
        spec["websiteUrl"] = website
    variables = Variables(name)
    url, others = servers(document, operations, variables)
    sent, some = credentials(document, every, operations, variables)
    _remark_renamed(operations, document)
    requests = [*_requests(operations, document)]
    if not requests:
        message = "none of the operations can be imported"
        hint = next(reversed(document.faults), "choose others with `--include`")
        raise ScaffoldError.of("not-importable", message, document.source, hint)
    errors, tools = Errors(), []
    for request, arguments in requests:
        size = min(MAX_OUTPUT_BYTES, ALL_OUTPUTS // len(requests))
        tool = _tool(request, arguments, size, errors)
        http = tool["handler"]["http"]
        where: dict[str, Any] = {key: http.pop(key) for key in ("method", "path")}
        if variable := others.get(tool["name"]):
            where["url"] = {"env": variable}
        if tool["name"] in some and sent:
            where["credentials"] = some[tool["name"]]
        tool["handler"]["http"] = {**where, **http}
        tools.append(tool)
    used = {name for tool in tools for name in tool.get("errors", ())}
    spec["env"] = [*variables.entries.values()]
    spec["api"] = {"url": {"env": url}, **({"credentials": sent} if sent else {})}
    spec |= {"errors": error_entries} if (error_entries := errors.entries(used)) else {}
    spec["tools"] = tools
    unsent = ("errors", "handler")
    listed = [{key: value for key, value in tool.items() if key not in unsent} for tool in tools]
    return Source(
        document.source, spec, {"tools": listed}, (*document.remarks,), (*document.faults,)
    )


def _remark_renamed(operations: Sequence[Operation], document: Document) -> None:
    """Remark on tools that are not called as their operations, a few of them by name."""
    renamed = [operation for operation in operations if operation.given not in ("", operation.name)]
    for operation in renamed[:RENAMED]:
        document.remark(
            f"the operation `{operation.given}` was renamed to the tool `{operation.name}`"
        )
    if (more := len(renamed) - RENAMED) > 0:
        document.remark(f"{more} more operation{'s were' if more > 1 else ' was'} renamed")


def _requests(
    operations: Sequence[Operation], document: Document
) -> Iterator[tuple[Request, JsonObject]]:
    """Yield the requests of the operations that can be called, with their arguments' schemas."""
    schemas, taken = Schemas(document), frozenset(key_names(document))
    requests: list[tuple[Request, JsonObject]] = []
    for operation in operations:
        try:
            request = Request(operation, schemas, taken)
            add_parameters(request)
            add_body(request)
            arguments = request.input_schema(MAX_INPUT_BYTES)
            if trouble := fault(arguments):
                raise BrokenError(trouble)
        except BrokenError as error:
            document.fault(f"`{operation.about}` was left out: {error}")
        else:
            requests.append((request, arguments))
    fits = sum(len(json.dumps(arguments)) for _, arguments in requests) <= ALL_INPUTS
    for request, arguments in requests:
        yield request, arguments if fits else request.input_schema(ALL_INPUTS // len(requests))


def _tool(request: Request, arguments: JsonObject, size: int, errors: Errors) -> dict[str, Any]:
    """Return the tool of a request; `size` is that of the schema of its result."""
    operation, schemas = request.operation, request.schemas
    result, response = result_of(operation, schemas, size)
    if result is not None and (trouble := fault(result)):
        about = f"the result of `{operation.about}` has no schema"
        schemas.document.fault(f"{about}: {trouble}")
        result, response = None, {"mediaType": "application/json"}
    summary = operation.part.text("summary")
    description = operation.part.text("description") or operation.item.text("description")
    by_status = errors_of(operation, schemas, errors)
    tool: dict[str, Any] = {"name": operation.name}
    tool |= {"title": sentence(summary, 100)} if summary else {}
    tool["description"] = shortened(description or summary or f"Call {operation.about}.")
    tool["inputSchema"] = arguments
    tool |= {"outputSchema": result} if result is not None else {}
    tool |= {"annotations": hints} if (hints := _HINTS.get(operation.method)) else {}
    tool |= {"errors": [*dict.fromkeys(by_status.values())]} if by_status else {}
    http = request.http
    http |= {"response": response} if response else {}
    http |= {"errors": by_status} if by_status else {}
    tool["handler"] = {"http": http}
    return tool
