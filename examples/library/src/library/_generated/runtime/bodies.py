"""Values as JSON and back, and files in results."""

from base64 import b64encode
from typing import Any, TypeAlias, TypeVar

from mcp_types import AudioContent, BlobResourceContents, EmbeddedResource, ImageContent
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

Result = TypeVar("Result")
Json: TypeAlias = dict[str, Any] | list[Any] | str | float | None

ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)

decoded = from_json


def typed(kind: type[Result], value: Any) -> Result:
    """Return JSON as a value of a type.

    Raises ValueError, without the value: it may be private.
    """
    try:
        return TypeAdapter(kind).validate_python(value, by_alias=True, by_name=False)
    except ValidationError as error:
        fault, *_ = error.errors(
            include_url=False, include_context=False, include_input=False
        )
        path = "/".join(map(str, fault["loc"]))
        raise ValueError(f"/{path}: {fault['msg']}") from error


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


def image(body: bytes, media_type: str) -> ImageContent:
    return ImageContent(data=b64encode(body).decode(), mime_type=media_type)


def audio(body: bytes, media_type: str) -> AudioContent:
    return AudioContent(data=b64encode(body).decode(), mime_type=media_type)


def file(body: bytes, media_type: str) -> EmbeddedResource:
    contents = BlobResourceContents(
        uri="response:body", mime_type=media_type, blob=b64encode(body).decode()
    )
    return EmbeddedResource(resource=contents)
