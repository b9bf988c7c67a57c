"""Values as JSON, and the bodies of responses as results."""

from __future__ import annotations

from base64 import b64encode
from typing import TypeVar

from . import model
from .content import AudioContent, BlobResourceContents, EmbeddedResource, ImageContent
from .handlers import ToolError
from .protocol import DECODER, logger
from .typed import reader

Result = TypeVar("Result")

plain = model.plain


class ApiError(ToolError):
    """The API cannot be reached, or its response cannot be used."""


def read(kind: type[Result], body: bytes, key: str | None = None) -> Result:
    """The body of a response as a result, or as the property `key` of one.

    Raises ApiError if it is not what the spec says.
    """
    try:
        if key is None:
            value = DECODER.decode(body.decode())
        else:
            value = {key: DECODER.decode(body.decode())} if body else {}
        result: Result = reader(kind)(value)
        return result
    except (ValueError, RecursionError) as error:
        logger().warning("A response cannot be read: %s", error)
        raise ApiError("The API's response is not what it should be") from error


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)


def audio(body: bytes, media_type: str) -> AudioContent:
    return AudioContent(data=b64encode(body).decode(), mime_type=media_type)


def file(body: bytes, media_type: str) -> EmbeddedResource:
    blob = b64encode(body).decode()
    whole = BlobResourceContents(uri="response:body", mime_type=media_type, blob=blob)
    return EmbeddedResource(resource=whole)
