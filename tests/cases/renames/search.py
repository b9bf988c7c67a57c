"""How we search, which is not how others search."""

from blog._generated.contract import Context, SearchArguments, SearchHit, SearchResult
from blog.index import search as look_up

import re


async def search(arguments: SearchArguments, context: Context) -> SearchResult:
    # search for "search"
    if re.search("again", arguments.query):
        return await search(SearchArguments(query="search"), context)
    return SearchResult(hits=[SearchHit(title=look_up(arguments.query))])
