"""Values as JSON and back, and files in results."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, TypeVar

from . import model
from .content import AudioContent, BlobResourceContents, EmbeddedResource, ImageContent
from .protocol import DECODER
from .typed import reader

Result = TypeVar("Result")

plain = model.plain


def decoded(body: bytes) -> Any:
    return DECODER.decode(body.decode())


def typed(kind: type[Result], value: Any) -> Result:
    """Return JSON as a value of a type. Raises ValueError."""
    result: Result = reader(kind)(value)
    return result


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)


def audio(body: bytes, media_type: str) -> AudioContent:
    return AudioContent(data=b64encode(body).decode(), mime_type=media_type)


def file(body: bytes, media_type: str) -> EmbeddedResource:
    blob = b64encode(body).decode()
    whole = BlobResourceContents(uri="response:body", mime_type=media_type, blob=blob)
    return EmbeddedResource(resource=whole)
