"""One content block of each kind."""

from workshop._generated.contract import (
    Annotations,
    AudioContent,
    ContentBlock,
    Context,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    ShowArguments,
    TextContent,
    TextResourceContents,
)


async def show(arguments: ShowArguments, context: Context) -> list[ContentBlock]:
    embedded = TextResourceContents(uri="docs://embedded", text="embedded")
    return [
        TextContent(text="a text", annotations=Annotations(priority=0.5)),
        ImageContent(data="aW1hZ2U=", mime_type="image/png"),
        AudioContent(data="YXVkaW8=", mime_type="audio/wav"),
        ResourceLink(uri="docs://about", name="about"),
        EmbeddedResource(resource=embedded),
    ]
