"""Search the blog posts for a question or for words, and get the chunks that fit
best, the best first. Read a chunk in full with read_chunk.
"""

from blog_search._generated.contract import (
    Context,
    SearchBlogArguments,
    SearchBlogHit,
    SearchBlogResult,
)


def search_blog(
    arguments: SearchBlogArguments,
    context: Context,
) -> SearchBlogResult:
    hits = context.shared.index.search(arguments.query, arguments.top_k)
    return SearchBlogResult(
        hits=[
            SearchBlogHit(
                source=hit.chunk.source,
                chunk_index=hit.chunk.index,
                title=hit.chunk.title,
                heading=hit.chunk.heading,
                snippet=hit.snippet,
                score=hit.score,
            )
            for hit in hits
        ]
    )
