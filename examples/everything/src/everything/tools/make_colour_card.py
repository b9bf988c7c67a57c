"""Get a card of a colour, as text for the model, and as picture and SVG for people."""

from base64 import b64encode

from everything._generated.contract import (
    Annotations,
    CallToolResult,
    Context,
    EmbeddedResource,
    ImageContent,
    MakeColourCardArguments,
    MakeColourCardResult,
    TextContent,
    TextResourceContents,
)
from everything.palette import address, look_up
from everything.picture import png, svg

FOR_MODELS = Annotations(audience=["assistant"])
FOR_PEOPLE = Annotations(audience=["user"], priority=1.0)


async def make_colour_card(
    arguments: MakeColourCardArguments,
    context: Context,
) -> MakeColourCardResult:
    name = arguments.colour
    colour = look_up(name, context.shared.colours)
    picture = b64encode(png([[colour]], context.shared.swatch_size)).decode()
    drawing = TextResourceContents(
        uri=address(name), mime_type="image/svg+xml", text=svg(colour)
    )
    return CallToolResult(
        content=[
            TextContent(text=f"{name} is {colour.hex}.", annotations=FOR_MODELS),
            ImageContent(data=picture, mime_type="image/png", annotations=FOR_PEOPLE),
            EmbeddedResource(resource=drawing, annotations=FOR_PEOPLE),
        ],
        _meta={"example.com/category": "colours"},
    )
