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


class UndocumentedAnswer(ApiError):
    """The API did what it was asked, and its answer is not as documented.

    The model gets the answer as text. Clients refuse a result without the structured
    content that `outputSchema` promises, unless it is an error.
    """

    def __init__(self, fault: str, body: bytes) -> None:
        logger().warning("The API's answer is not as documented: %s", fault)
        self.fault = fault
        super().__init__(
            "The API has done what it was asked, so do not repeat the call. Its answer is"
            f" not as documented ({fault}): {body.decode(errors='replace')}"
        )

    def __repr__(self) -> str:
        """Return what is wrong, for the log: the answer may be large and is private."""
        return f"UndocumentedAnswer({self.fault!r})"


def log_refusal(request: str, status: int, words: str) -> None:
    """Log what the API says of a request that it refuses."""
    logger().warning("%s: status %d: %s", request, status, words)


def read(
    kind: type[Result], body: bytes, key: str | None = None, *, strict: bool = False
) -> Result:
    """The body of a response as a result, or as the property `key` of one.

    Raises UndocumentedAnswer if it is not what the spec says, or ApiError if `strict`.
    """
    try:
        if key is None:
            value = DECODER.decode(body.decode())
        else:
            value = {key: DECODER.decode(body.decode())} if body else {}
        result: Result = reader(kind)(value)
        return result
    except (ValueError, RecursionError) as error:
        if strict:
            message = "The API's response is not what it should be"
            raise ApiError(message) from error
        raise UndocumentedAnswer(str(error), body) from error


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)


def audio(body: bytes, media_type: str) -> AudioContent:
    return AudioContent(data=b64encode(body).decode(), mime_type=media_type)


def file(body: bytes, media_type: str) -> EmbeddedResource:
    blob = b64encode(body).decode()
    whole = BlobResourceContents(uri="response:body", mime_type=media_type, blob=blob)
    return EmbeddedResource(resource=whole)
