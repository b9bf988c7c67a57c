"""Search the catalog by title, author or subject."""

from library._generated.contract import Context, SearchBooksArguments, SearchBooksResult
from library._generated.runtime import wire


async def search_books(
    arguments: SearchBooksArguments, context: Context
) -> SearchBooksResult:
    body = await context.shared.api.request(
        "GET",
        "/books",
        query={
            **wire.deep("published", arguments.published),
            "q": arguments.q,
            "subjects": wire.joined(arguments.subjects),
            "limit": arguments.limit,
        },
        headers={"Accept-Language": wire.field(arguments.accept_language)},
        credentials=[],
    )
    return wire.read(SearchBooksResult, body, "result")
