"""Content blocks, messages and results, as the protocol names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from .model import Model, plain, plan

Role: TypeAlias = Literal["user", "assistant"]
Json: TypeAlias = dict[str, Any]


class Part(Model):
    """A part of a message: names are those of the protocol, and None is not sent."""

    def model_dump(self) -> Json:
        """Return it as a JSON object."""
        known = plan(type(self)).items()
        values = {key: plain(getattr(self, entry.name)) for key, entry in known}
        return {key: value for key, value in values.items() if value is not None}

    @classmethod
    def key_of(cls, attribute: str, key: str | None) -> str:
        if attribute == "_meta":
            return attribute
        first, *words = attribute.split("_")
        return first + "".join(map(str.capitalize, words))


class Annotations(Part):
    audience: list[Role] | None = None
    priority: float | None = None
    last_modified: str | None = None


class Icon(Part):
    src: str
    mime_type: str | None = None
    sizes: list[str] | None = None
    theme: Literal["light", "dark"] | None = None


class ContentBlock(Part):
    annotations: Annotations | None = None
    _meta: Json | None = None


class TextContent(ContentBlock):
    type: Literal["text"] = "text"
    text: str


class ImageContent(ContentBlock):
    type: Literal["image"] = "image"
    data: str
    """In base64."""
    mime_type: str


class AudioContent(ContentBlock):
    type: Literal["audio"] = "audio"
    data: str
    """In base64."""
    mime_type: str


class ResourceLink(ContentBlock):
    type: Literal["resource_link"] = "resource_link"
    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    icons: list[Icon] | None = None


class TextResourceContents(Part):
    uri: str
    mime_type: str | None = None
    text: str
    _meta: Json | None = None


class BlobResourceContents(Part):
    uri: str
    mime_type: str | None = None
    blob: str
    """In base64."""
    _meta: Json | None = None


class EmbeddedResource(ContentBlock):
    type: Literal["resource"] = "resource"
    resource: TextResourceContents | BlobResourceContents


class CallToolResult(Part):
    content: Sequence[ContentBlock]
    structured_content: Any = None
    is_error: bool = False
    _meta: Json | None = None
