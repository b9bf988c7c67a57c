"""Values as JSON, and the bodies of responses as results."""

import logging
from base64 import b64encode
from typing import Any, TypeAlias, TypeVar

from mcp_types import AudioContent, BlobResourceContents, EmbeddedResource, ImageContent
from pydantic import TypeAdapter
from pydantic_core import from_json

from .handlers import ToolError

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Json: TypeAlias = dict[str, Any] | list[Any] | str | float | None

ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


class ApiError(ToolError):
    """The API could not be reached, or its answer is of no use."""


def plain(value: object) -> Any:
    """Return a value as JSON, with what was set in models and no more."""
    return whole(ANYTHING.dump_python(value, mode="json", exclude_unset=True))


def whole(value: Json) -> Any:
    """Return a copy in which 5.0 is an integer, as it is to JSON Schema."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return [whole(item) for item in value] if isinstance(value, list) else value


def read(kind: type[Result], body: bytes, key: str | None = None) -> Result:
    """Return a body as a result, or as the property `key` of one.

    Raises ApiError if it is not what the spec says.
    """
    try:
        if key is None:
            value = from_json(body)
        else:
            value = {key: from_json(body)} if body else {}
        return TypeAdapter(kind).validate_python(value, by_alias=True, by_name=False)
    except ValueError as error:
        logger.warning("A response cannot be read: %s", type(error).__name__)
        raise ApiError("The API's response is not what it should be") from error


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)


def audio(body: bytes, media_type: str) -> AudioContent:
    return AudioContent(data=b64encode(body).decode(), mime_type=media_type)


def file(body: bytes, media_type: str) -> EmbeddedResource:
    contents = BlobResourceContents(
        uri="response:body", mime_type=media_type, blob=b64encode(body).decode()
    )
    return EmbeddedResource(resource=contents)
