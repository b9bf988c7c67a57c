"""Read an OpenAPI document as a source: the chosen operations are its tools."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any

from scaffold.diagnostics import ScaffoldError
from scaffold.diagnostics.wording import quote
from scaffold.sources.openapi.access import Variables, credentials, key_names, servers
from scaffold.sources.openapi.body import add_body
from scaffold.sources.openapi.document import BrokenError, Document
from scaffold.sources.openapi.notes import Notes
from scaffold.sources.openapi.operations import Operation, operations
from scaffold.sources.openapi.parameters import add_parameters
from scaffold.sources.openapi.request import Request
from scaffold.sources.openapi.responses import Errors, errors_of, result_of
from scaffold.sources.openapi.schemas import Schemas, fault
from scaffold.sources.openapi.text import sentence, shortened
from scaffold.sources.selection import Choice, TooManyError, matching
from scaffold.sources.source import Source, server_name, server_version
from scaffold.spec.fields import JsonObject

MOST = 40
"""The most operations that are imported without being asked for: models cannot use more tools."""

RENAMED = 5
"""The most operations with another name that are told one by one."""

LARGEST_INPUT = 256_000
LARGEST_OUTPUT = 16_000
"""The maximum characters of a schema as JSON, of arguments and of a result."""

ALL_INPUTS = 2_000_000
ALL_OUTPUTS = 1_000_000
"""The maximum characters of all of them."""

_HINTS: Mapping[str, JsonObject] = {
    "GET": {"readOnlyHint": True},
    "HEAD": {"readOnlyHint": True},
    "OPTIONS": {"readOnlyHint": True},
    "QUERY": {"readOnlyHint": True},
    "PUT": {"idempotentHint": True},
    "DELETE": {"destructiveHint": True, "idempotentHint": True},
}


def is_openapi(value: object) -> bool:
    """Return whether a value is an OpenAPI document, or one of its predecessor Swagger."""
    return isinstance(value, Mapping) and ("openapi" in value or "swagger" in value)


def read_openapi(
    value: Mapping[str, Any], source: str, folder: Path | None, read: Callable[[Path], Any]
) -> Source:
    """Return the source in a document, whose operations are still to be chosen.

    `folder` is where its relative files are, and `read` returns the value of one. Raises
    ScaffoldError if it is of another version or has no operations.
    """
    version = str(value.get("openapi", ""))
    if "swagger" in value and not version:
        message = f"this is a Swagger {value['swagger']} document"
        hint = "run `npx swagger2openapi FILE -o openapi.yaml`, then import openapi.yaml"
        raise ScaffoldError.of("not-importable", message, source, hint)
    if not re.match(r"3\.[012](\.|$)", version):
        message, hint = f"unknown version of OpenAPI: {quote(version)}", "save it as OpenAPI 3.1"
        raise ScaffoldError.of("not-importable", message, source, hint)
    document = Document(source, value, folder, read)
    notes = Notes()
    if version.startswith("3.2"):
        notes.remark("OpenAPI 3.2 is read as 3.1: new schema and media type features are ignored")
    found = tuple(operations(document, notes))
    if not found:
        message = "the document has no operations"
        hint = "webhooks and callbacks cannot be tools: use a document with `paths`"
        raise ScaffoldError.of("not-importable", message, source, hint)
    spec = {"name": _name(document.root.at("info").text("title"))}
    return Source(source, spec, {}, choose=partial(_chosen, document, found, notes))


def _chosen(
    document: Document,
    found: Sequence[Operation],
    notes: Notes,
    include: Sequence[str],
    exclude: Sequence[str],
) -> Source:
    """Return the source with the operations that the patterns choose."""
    choices = [Choice(one.name, one.labels, _group(one)) for one in found]
    wanted = matching(choices, include, exclude, document.source)
    if sum(wanted) > MOST and not include:
        raise TooManyError(document.source, [*compress(choices, wanted)])
    reader = _Reader(document, found, notes.copy())
    return reader.source([*compress(found, wanted)])


def _name(title: str) -> str:
    """Return the name of the server for an API: without what only describes the document."""
    return server_name(re.sub(r"\s-\sOpenAPI.*|\(.*?\)", "", title) or title)


def _group(operation: Operation) -> str:
    """Return a pattern for operations that belong together: their tag, or the first of the path."""
    if operation.tags:
        return f"tag:{operation.tags[0]}"
    return f"/{operation.path.split('/')[1]}/**"


@dataclass
class _Reader:
    """A reader of the chosen operations, some of `every` one in the document."""

    document: Document
    every: Sequence[Operation]
    notes: Notes
    errors: Errors = field(default_factory=Errors)

    def source(self, operations: Sequence[Operation]) -> Source:
        info = self.document.root.at("info")
        title, description = info.text("title"), info.text("description")
        name = _name(title)
        spec: dict[str, Any] = {"name": name, "version": server_version(info.at("version").value)}
        spec |= {"title": title} if title and title != name else {}
        spec |= {"description": sentence(description)} if description else {}
        website = self.document.root.at("externalDocs").text("url")
        if website.startswith(("http://", "https://")) and " " not in website:
            spec["websiteUrl"] = website
        variables = Variables(name)
        url, others = servers(self.document, operations, variables, self.notes)
        sent, some = credentials(self.document, self.every, operations, variables, self.notes)
        self._remark_renamed(operations)
        taken = frozenset(key_names(self.document))
        schemas = Schemas(self.document, self.notes)
        requests = [*self._requests(operations, schemas, taken)]
        if not requests:
            message = "none of the operations can be imported"
            hint = next(reversed(self.notes.faults), "choose others with `--include`")
            raise ScaffoldError.of("not-importable", message, self.document.source, hint)
        tools = []
        for request, arguments in requests:
            tool = self._tool(request, arguments, min(LARGEST_OUTPUT, ALL_OUTPUTS // len(requests)))
            where: dict[str, Any] = {}
            if variable := others.get(tool["name"]):
                where["url"] = {"env": variable}
            if tool["name"] in some and sent:
                where["credentials"] = some[tool["name"]]
            http = tool["handler"]["http"]
            first = {key: http.pop(key) for key in ("method", "path")}
            tool["handler"]["http"] = {**first, **where, **http}
            tools.append(tool)
        used = {name for tool in tools for name in tool.get("errors", ())}
        spec["env"] = [*variables.entries.values()]
        spec["api"] = {"url": {"env": url}, **({"credentials": sent} if sent else {})}
        if errors := self.errors.entries(used):
            spec["errors"] = errors
        spec["tools"] = tools
        listed = [
            {key: part for key, part in tool.items() if key not in ("errors", "handler")}
            for tool in tools
        ]
        return Source(self.document.source, spec, {"tools": listed}, *self._said())

    def _said(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(self.notes.remarks), tuple(self.notes.faults)

    def _remark_renamed(self, operations: Sequence[Operation]) -> None:
        """Remark on tools that are not called as their operations, a few of them by name."""
        renamed = [one for one in operations if one.given not in ("", one.name)]
        for one in renamed[:RENAMED]:
            self.notes.remark(f"the operation `{one.given}` was renamed to the tool `{one.name}`")
        if len(renamed) > RENAMED:
            count = len(renamed) - RENAMED
            self.notes.remark(f"{count} more operations were renamed")

    def _requests(
        self,
        operations: Sequence[Operation],
        schemas: Schemas,
        taken: frozenset[tuple[str, str]],
    ) -> Iterator[tuple[Request, JsonObject]]:
        """Yield the requests of the operations that can be called, with their arguments' schemas."""
        found: list[tuple[Request, JsonObject]] = []
        for operation in operations:
            try:
                request = Request(operation, schemas, taken, self.notes)
                add_parameters(request)
                add_body(request)
                arguments = request.input_schema(LARGEST_INPUT)
                if trouble := fault(arguments):
                    raise BrokenError(trouble)
            except BrokenError as error:
                self.notes.fault(f"`{operation.about}` was left out: {error}")
            else:
                found.append((request, arguments))
        total = sum(len(json.dumps(arguments)) for _, arguments in found)
        for request, arguments in found:
            fits = total <= ALL_INPUTS
            yield request, arguments if fits else request.input_schema(ALL_INPUTS // len(found))

    def _tool(self, request: Request, arguments: JsonObject, size: int) -> dict[str, Any]:
        """Return the tool of a request; `size` is that of the schema of its result."""
        operation, schemas = request.operation, request.schemas
        result, response = result_of(operation, schemas, size)
        if result is not None and (trouble := fault(result)):
            self.notes.fault(f"the result of `{operation.about}` has no schema: {trouble}")
            result, response = None, {"mediaType": "application/json"}
        summary = operation.part.text("summary")
        description = operation.part.text("description") or operation.item.text("description")
        errors = errors_of(operation, schemas, self.errors)
        tool: dict[str, Any] = {"name": operation.name}
        tool |= {"title": sentence(summary, 100)} if summary else {}
        tool["description"] = shortened(description or summary or f"Call {operation.about}.")
        tool["inputSchema"] = arguments
        tool |= {"outputSchema": result} if result is not None else {}
        tool |= {"annotations": hints} if (hints := _HINTS.get(operation.method)) else {}
        tool |= {"errors": [*dict.fromkeys(errors.values())]} if errors else {}
        http = request.http
        http |= {"response": response} if response else {}
        http |= {"errors": errors} if errors else {}
        tool["handler"] = {"http": http}
        return tool
