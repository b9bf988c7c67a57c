"""Values as JSON, and the bodies of responses as results."""

import logging
from base64 import b64encode
from typing import Any, TypeAlias, TypeVar

from mcp_types import AudioContent, BlobResourceContents, EmbeddedResource, ImageContent
from pydantic import TypeAdapter, ValidationError
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


class UndocumentedAnswer(ApiError):
    """The API did what it was asked, and its answer is not as documented.

    The model gets the answer as text. Clients refuse a result without the structured
    content that `outputSchema` promises, unless it is an error.
    """

    def __init__(self, fault: str, body: bytes) -> None:
        logger.warning("The API's answer is not as documented: %s", fault)
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
    logger.warning("%s: status %d: %s", request, status, words)


def read(
    kind: type[Result], body: bytes, key: str | None = None, *, strict: bool = False
) -> Result:
    """Return a body as a result, or as the property `key` of one.

    Raises UndocumentedAnswer if it is not what the spec says, or ApiError if `strict`.
    """
    try:
        if key is None:
            value = from_json(body)
        else:
            value = {key: from_json(body)} if body else {}
        return TypeAdapter(kind).validate_python(value, by_alias=True, by_name=False)
    except ValueError as error:
        if strict:
            message = "The API's response is not what it should be"
            raise ApiError(message) from error
        raise UndocumentedAnswer(fault_of(error), body) from error


def fault_of(error: ValueError) -> str:
    """Return what is wrong with a body, without its values."""
    if not isinstance(error, ValidationError):
        return "it is not JSON"
    fault = error.errors(include_url=False, include_context=False, include_input=False)[
        0
    ]
    return f"/{'/'.join(map(str, fault['loc']))}: {fault['msg']}"


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)


def audio(body: bytes, media_type: str) -> AudioContent:
    return AudioContent(data=b64encode(body).decode(), mime_type=media_type)


def file(body: bytes, media_type: str) -> EmbeddedResource:
    contents = BlobResourceContents(
        uri="response:body", mime_type=media_type, blob=b64encode(body).decode()
    )
    return EmbeddedResource(resource=contents)
