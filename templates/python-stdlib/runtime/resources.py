"""Resources and their templates: what is read, and by whom."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from .content import BlobResourceContents, Json, Part, TextResourceContents
from .handlers import ToolError, masked, run
from .model import Model
from .protocol import INTERNAL_ERROR, INVALID_PARAMS, Feature, MCPError, Request, listed
from .uris import UriTemplate, leads_out

NOT_FOUND = -32002
Arguments = TypeVar("Arguments", bound=Model)
ResourceResult: TypeAlias = "str | bytes | ReadResourceResult"
"""Text, binary data, or a whole result."""
Answer: TypeAlias = "Awaitable[ResourceResult] | ResourceResult"


class ReadResourceResult(Part):
    contents: Sequence[TextResourceContents | BlobResourceContents]
    _meta: Json | None = None


class ResourceNotFound(ToolError):
    """There is no resource at this URI."""

    def __init__(self, message: str = "Resource not found") -> None:
        super().__init__(message)


@dataclass(frozen=True)
class Resource:
    """The handler of a resource."""

    handler: Callable[[Any], Answer]
    mime_type: str | None = None


@dataclass(frozen=True)
class ResourceTemplate(Generic[Arguments]):
    """The handler of a resource template: its arguments are the variables of the URI."""

    arguments: type[Arguments]
    handler: Callable[[Arguments, Any], Answer]
    mime_type: str | None = None
    unsafe: bool = False
    """Whether a variable may lead out of a folder, by `../`, `/` or NUL."""


class Resources(Feature):
    """The resources of a server: static ones are in the catalog."""

    capabilities: Mapping[str, Json] = {
        "resources": {"listChanged": False, "subscribe": False}
    }

    def __init__(
        self,
        catalog: Json,
        resources: Mapping[str, Resource],
        templates: Mapping[str, ResourceTemplate[Any]],
        context: Callable[[Request], Any],
    ) -> None:
        self.static: Mapping[str, Json] = catalog.get("contents", {})
        self.resources, self.context = resources, context
        self.templates = [(UriTemplate(text), row) for text, row in templates.items()]
        self.methods = {
            "resources/list": listed("resources", catalog["resources"]),
            "resources/templates/list": listed(
                "resourceTemplates", catalog["resourceTemplates"]
            ),
            "resources/read": self.read,
        }

    def read(self, request: Request) -> Json:
        uri = request.text("uri")
        if request.server.hides("resources", uri):
            raise not_found(request, uri)
        if uri in self.static:
            return {"contents": [self.static[uri]]}
        row, arguments = self.resolve(uri)
        if row is None:
            raise not_found(request, uri)
        try:
            with masked(request, repr(uri)):  # It may have line breaks.
                value = run(request, row.handler, *arguments, self.context(request))
                return result(uri, row.mime_type, value)
        except ResourceNotFound as error:
            raise not_found(request, uri, str(error)) from None
        except ToolError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from None

    def resolve(
        self, uri: str
    ) -> tuple[Resource | ResourceTemplate[Any] | None, list[Model]]:
        """Return the handler of a URI, and the arguments that the URI has for it."""
        if resource := self.resources.get(uri):
            return resource, []
        for template, row in self.templates:
            values = template.match(uri)
            if values is not None and (row.unsafe or not leads_out(values)):
                return row, [row.arguments.model_validate(values)]
        return None, []


def not_found(
    request: Request, uri: str, message: str = "Resource not found"
) -> MCPError:
    code = INVALID_PARAMS if request.is_modern else NOT_FOUND
    return MCPError(code, message, {"uri": uri})


def result(uri: str, mime_type: str | None, value: ResourceResult) -> Json:
    """Return what a handler returned as a result: text, or bytes in base64."""
    if isinstance(value, ReadResourceResult):
        return value.model_dump()
    if not isinstance(value, str | bytes):
        raise TypeError(f"a resource is text or bytes, not {type(value).__name__}")
    if isinstance(value, str):
        content = {"text": value}
    else:
        content = {"blob": b64encode(value).decode()}
    kind = {"mimeType": mime_type} if mime_type else {}
    return {"contents": [{"uri": uri, **kind, **content}]}
