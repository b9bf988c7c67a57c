"""Find the books on the list whose title or author contains some words, ignoring
case.
"""

from reading_list._generated.contract import (
    Context,
    FindBooksArguments,
    FindBooksResult,
)
from reading_list._generated.runtime import functions
from reading_list.books import find_books as original


async def find_books(
    arguments: FindBooksArguments, context: Context
) -> FindBooksResult:
    return functions.result(
        FindBooksResult, await functions.call(original, arguments), "result"
    )
