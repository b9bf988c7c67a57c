"""Judge whether text of one colour can be read on another."""

from base64 import b64encode

from everything._generated.contract import (
    Context,
    ImageContent,
    PromptMessage,
    PromptResult,
    ReviewContrastArguments,
    TextContent,
)
from everything.palette import look_up
from everything.picture import png


async def review_contrast(
    arguments: ReviewContrastArguments,
    context: Context,
) -> PromptResult:
    text = look_up(arguments.text, context.shared.colours)
    behind = look_up(arguments.background or "white", context.shared.colours)
    picture = b64encode(png([[text, behind]], context.shared.swatch_size)).decode()
    question = (
        f"Can text of the colour {text.hex} be read on {behind.hex}? Their contrast is"
        f" {text.contrast(behind):.2f}; guide://contrast says what is needed. If it is"
        " too little, propose the nearest colour that will do."
    )
    return [
        PromptMessage(
            role="user", content=ImageContent(data=picture, mime_type="image/png")
        ),
        PromptMessage(role="user", content=TextContent(text=question)),
    ]
