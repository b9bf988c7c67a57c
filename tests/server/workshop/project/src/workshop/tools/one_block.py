"""A single content block."""

from workshop._generated.contract import Context, ImageContent, OneBlockArguments


def one_block(arguments: OneBlockArguments, context: Context) -> ImageContent:
    return ImageContent(data="aW1hZ2U=", mime_type="image/png")
