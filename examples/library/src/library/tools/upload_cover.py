"""Replace the picture on the cover of a book."""

from library._generated.contract import (
    Context,
    ThereIsNoSuchBook,
    UploadCoverArguments,
    UploadCoverResult,
)
from library._generated.runtime import wire


async def upload_cover(
    arguments: UploadCoverArguments, context: Context
) -> UploadCoverResult:
    await context.shared.api.request(
        "PUT",
        f"/books/{wire.segment(arguments.id)}/cover",
        credentials=["library_api_key"],
        files=wire.parts(
            wire.given(arguments, ["id"]),
            ["picture"],
            types={"picture": "image/png"},
            names={"picture": "picture_filename"},
        ),
        errors={"404": ThereIsNoSuchBook},
    )
    return "Done."
