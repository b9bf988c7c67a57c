"""Read the full text of a chunk, by the path of its post and its number in it."""

from blog_search._generated.contract import (
    ChunkNotFound,
    Context,
    ReadChunkArguments,
    ReadChunkResult,
)


def read_chunk(
    arguments: ReadChunkArguments,
    context: Context,
) -> ReadChunkResult:
    source, index = arguments.source, arguments.chunk_index
    # Looked up among the posts that were read at the start: no path is ever opened.
    post = context.shared.posts.get(source, ())
    if index >= len(post):
        raise ChunkNotFound(source=source, chunk_index=index)
    chunk = post[index]
    return ReadChunkResult(
        title=chunk.title,
        heading=chunk.heading,
        text=chunk.text,
        chunk_count=len(post),
    )
